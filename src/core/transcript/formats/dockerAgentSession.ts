import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { PartRecord } from '../partRecord';
import { jsonOf } from './session';

/** One item of a session, in whichever form it is stored. `id` is unusable where the form has none. */
export type DockerItem =
  | { readonly kind: 'message'; readonly id: string; readonly message: JsonRecord; readonly isImplicit: boolean }
  | { readonly kind: 'summary'; readonly id: string; readonly text: string; readonly firstKept: number | undefined }
  | { readonly kind: 'subsession'; readonly session: string }
  | { readonly kind: 'other'; readonly type: string };

export interface DockerSession {
  readonly id: string;
  readonly title: string | undefined;
  readonly cwd: string | undefined;
  /** Size of the latest request; after a compaction the length of the summary and 0. */
  readonly inputTokens: unknown;
  readonly outputTokens: unknown;
  readonly items: readonly DockerItem[];
}

/** The sessions of a database's rows by id; the first one is the session itself, the others are its sub-sessions. */
export function sessionsOfRows(values: readonly unknown[]): ReadonlyMap<string, DockerSession> {
  const rows: JsonRecord[] = [];
  const items = new Map<string, DockerItem[]>();
  for (const part of values) {
    if (!(part instanceof PartRecord) || !isRecord(part.value)) continue;
    if (part.part === 'sessions') rows.push(part.value);
    if (part.part !== 'session_items') continue;
    const id = stringOf(part.value, 'session_id') ?? '';
    const list = items.get(id);
    const item = itemOfRow(part.value);
    if (list === undefined) items.set(id, [item]);
    else list.push(item);
  }
  const nested: DockerSession[] = [];
  const own = rows.map((row) => {
    const id = stringOf(row, 'id') ?? '';
    const stored = items.get(id) ?? itemsOfList(jsonOf(field(row, 'messages')), id, nested);
    return sessionOf(row, id, stored);
  });
  return new Map([...own, ...nested].map((session) => [session.id, session]));
}

/** The session of a JSON export, first, and those that are nested in it. */
export function sessionsOfDocument(document: JsonRecord): ReadonlyMap<string, DockerSession> {
  const nested: DockerSession[] = [];
  const id = stringOf(document, 'id') ?? '';
  const own = sessionOf(document, id, itemsOfList(field(document, 'messages'), id, nested));
  return new Map([own, ...nested].map((session) => [session.id, session]));
}

/** True for a session's JSON: a list of items that wrap what they hold. */
export function isDockerDocument(value: unknown): value is JsonRecord {
  if (!isRecord(value)) return false;
  const items = arrayOf(value, 'messages');
  if (items === undefined || stringOf(value, 'id') === undefined) return false;
  if (items.length === 0) return field(value, 'tools_approved') !== undefined && field(value, 'input_tokens') !== undefined;
  return items.slice(0, 20).every(isDockerItem);
}

function isDockerItem(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const wrapped = recordOf(value, 'message');
  if (wrapped !== undefined) return recordOf(wrapped, 'message') !== undefined;
  return recordOf(value, 'sub_session') !== undefined || stringOf(value, 'summary') !== undefined || field(value, 'error') !== undefined;
}

function sessionOf(row: JsonRecord, id: string, items: readonly DockerItem[]): DockerSession {
  return {
    id,
    title: stringOf(row, 'title') || undefined,
    cwd: stringOf(row, 'working_dir') || undefined,
    inputTokens: field(row, 'input_tokens'),
    outputTokens: field(row, 'output_tokens'),
    items,
  };
}

function itemOfRow(row: JsonRecord): DockerItem {
  const type = stringOf(row, 'item_type') ?? '';
  const id = String(field(row, 'id'));
  if (type === 'message') {
    const message = jsonOf(field(row, 'message_json'));
    if (isRecord(message)) return { kind: 'message', id: `item:${id}`, message, isImplicit: field(row, 'implicit') === 1 };
  }
  const session = stringOf(row, 'subsession_id');
  if (type === 'subsession' && session !== undefined) return { kind: 'subsession', session };
  const text = stringOf(row, 'summary_text');
  if (type === 'summary' && text !== undefined) {
    return { kind: 'summary', id: `item:${id}`, text, firstKept: wholeOf(field(row, 'first_kept_entry')) };
  }
  return { kind: 'other', type };
}

function itemsOfList(list: unknown, session: string, nested: DockerSession[]): readonly DockerItem[] {
  if (!Array.isArray(list)) return [];
  return list.map((value: unknown, index): DockerItem => {
    const id = `item:${session}:${index}`;
    if (!isRecord(value)) return { kind: 'other', type: '' };
    const wrapped = recordOf(value, 'message');
    const message = wrapped === undefined ? undefined : recordOf(wrapped, 'message');
    if (message !== undefined) return { kind: 'message', id, message, isImplicit: field(wrapped ?? {}, 'implicit') === true };
    const text = stringOf(value, 'summary');
    if (text !== undefined) return { kind: 'summary', id, text, firstKept: wholeOf(field(value, 'first_kept_entry')) };
    const child = recordOf(value, 'sub_session');
    if (child === undefined) return { kind: 'other', type: field(value, 'error') === undefined ? '' : 'error' };
    const childId = stringOf(child, 'id') ?? `${session}/${index}`;
    // The reader has bounded how deep a file nests.
    nested.push(sessionOf(child, childId, itemsOfList(field(child, 'messages'), childId, nested)));
    return { kind: 'subsession', session: childId };
  });
}

function wholeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}
