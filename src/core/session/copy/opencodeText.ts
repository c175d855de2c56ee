// The JSON texts of an opencode session, from an export, from the rows of its database, or from the files of its storage folder.
import { LocalIds } from '../../transcript/assemble';
import { neutralMessages } from '../../transcript/formats/opencodeMessage';
import type { OpencodeMessage } from '../../transcript/formats/opencodeSession';
import { PartRecord } from '../../transcript/partRecord';
import { field, isRecord, stringOf, type JsonRecord } from '../../util/json';
import { wholeDocument } from './chatElements';
import type { CopyInput } from './copyInput';
import { elementSpans, memberText, withMembers } from './jsonSpans';

/** A stored message: its own JSON, and that of its parts. */
export interface StoredText {
  readonly info: string;
  readonly parts: readonly string[];
}

export interface SessionText {
  /** '{}' when nothing is known of it. */
  readonly info: string;
  readonly messages: readonly StoredText[];
}

/** Where a message of the transcript stands: the stored message, and the request of it. */
export interface StoredPlace {
  readonly stored: number;
  readonly step: number;
}

export function opencodeTexts(input: CopyInput): SessionText {
  if (input.parts !== undefined) return storedTexts(input.parts);
  const document = wholeDocument(input) ?? '{}';
  const messages = memberText(document, 'messages') ?? '';
  return {
    info: memberText(document, 'info') ?? '{}',
    messages: elements(messages).flatMap((message): StoredText[] => {
      const [info, parts] = [memberText(message, 'info'), memberText(message, 'parts')];
      return info?.startsWith('{') !== true || parts === undefined ? [] : [{ info, parts: elements(parts).filter(isObject) }];
    }),
  };
}

/** Finds what messages of the transcript were made of, by the names that the reader gives them. */
export function placesOf(messages: readonly StoredText[]): ReadonlyMap<string, StoredPlace> {
  const ids = new LocalIds(new Set());
  const places = new Map<string, StoredPlace>();
  for (const [stored, message] of messages.entries()) {
    let step = -1;
    for (const { id, role } of neutralMessages(valueOf(message), stored, ids, false)) {
      if (role !== 'tool') step++;
      places.set(id, { stored, step });
    }
  }
  return places;
}

/** The request of a stored answer that each of its parts belongs to. */
export function stepsOfParts({ parts }: StoredText): readonly number[] {
  let step = 0;
  let isFilled = false;
  return parts.map((text) => {
    const part = recordOf(text);
    if (stringOf(part, 'type') === 'step-start' && isFilled) {
      step++;
      isFilled = false;
    }
    // What the reader makes of the part alone tells whether its request says anything.
    const [alone] = neutralMessages({ info: { role: 'assistant' }, parts: [part] }, 0, new LocalIds(new Set()), false);
    isFilled ||= alone !== undefined && (alone.content.length > 0 || alone.usage !== undefined);
    return step;
  });
}

export function recordOf(text: string): JsonRecord {
  const value: unknown = JSON.parse(text);
  return isRecord(value) ? value : {};
}

function valueOf({ info, parts }: StoredText): OpencodeMessage {
  return { info: recordOf(info), parts: parts.map(recordOf) };
}

/** Rows hold their JSON as text; of files the reader has kept the values alone. */
function storedTexts(values: readonly unknown[]): SessionText {
  let info: string | undefined;
  const messages: string[] = [];
  const parts = new Map<string, string[]>();
  for (const value of values) {
    if (!(value instanceof PartRecord) || !isRecord(value.value)) continue;
    const [kind] = value.part.split('/', 1);
    const text = kind === 'session' ? sessionText(value.value) : partText(value.value);
    if (text === undefined) continue;
    if (kind === 'session') info ??= text;
    else if (kind === 'message') messages.push(text);
    else if (kind === 'part') {
      const id = stringOf(recordOf(text), 'messageID') ?? '';
      const list = parts.get(id);
      if (list === undefined) parts.set(id, [text]);
      else list.push(text);
    }
  }
  return {
    info: info ?? '{}',
    messages: messages.map((message) => ({ info: message, parts: parts.get(stringOf(recordOf(message), 'id') ?? '') ?? [] })),
  };
}

function partText(value: JsonRecord): string | undefined {
  const data = field(value, 'data');
  if (data === undefined) return JSON.stringify(value);
  if (typeof data !== 'string' || !isJsonObject(data)) return undefined;
  const ids = { id: field(value, 'id'), sessionID: field(value, 'session_id'), messageID: field(value, 'message_id') };
  return withMembers(
    data,
    new Map(Object.entries(ids).flatMap(([key, id]) => (typeof id === 'string' ? [[key, JSON.stringify(id)] as const] : []))),
  );
}

function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    // A row that the reader has reported as damaged.
    return false;
  }
}

/** A row of the table of sessions in the form of an export; the agent fills in what it has no column for. */
function sessionText(value: JsonRecord): string {
  if (!Object.hasOwn(value, 'time_created')) return JSON.stringify(value);
  const { title, directory, version } = value;
  return JSON.stringify({ slug: 'compacted', projectID: 'global', directory, title, version });
}

function elements(list: string): readonly string[] {
  return elementSpans(list).map(({ start, end }) => list.slice(start, end));
}

function isObject(text: string): boolean {
  return text.startsWith('{');
}
