// A compacted session of docker agent as its JSON: a summary item and the kept items, or the kept items and the summary as a message, since a
// summary item always stands before all that it keeps.
import type { ClearedBlocks } from '../../compaction/microPlan';
import { textOf } from '../../model/message';
import { sessionsOfDocument, sessionsOfRows, type DockerItem } from '../../transcript/formats/dockerAgentSession';
import { jsonOf } from '../../transcript/formats/session';
import { PartRecord } from '../../transcript/partRecord';
import { field, isRecord, stringOf, type JsonRecord } from '../../util/json';
import { present } from '../../util/present';
import { wholeDocument } from './chatElements';
import { clearedBlocks } from './clearedResults';
import type { Copy, CopyInput } from './copyInput';
import { keptMessages, sourceChanged } from './copyInput';
import { elementSpans, mapMember, memberText, withMembers, withoutMembers } from './jsonSpans';

const USAGE = new Set(['usage', 'cost']);
const PARTS = new Set(['multi_content']);

export function writeDockerAgentCopy(input: CopyInput): Copy {
  const source = sourceOf(input);
  const blocksOf = clearedBlocks(input);
  const kept = keptMessages(input);
  const { summary, plan } = input;
  const keptFirst = plan.order === 'keptFirst';
  const items = kept.map((message, at) => {
    if (message.kind === 'summary') return at === 0 && keptFirst ? summaryItem(textOf(message)) : messageItem(textOf(message), input.now);
    const item = source.items.get(message.id);
    if (item === undefined) throw sourceChanged(0);
    return keptItem(item, blocksOf(message));
  });
  const added = summary === undefined ? [] : [keptFirst ? messageItem(summary, input.now) : summaryItem(summary)];
  const list = keptFirst ? [...items, ...added] : [...added, ...items];
  const values = { id: input.newSessionId, created_at: input.now, input_tokens: 0, output_tokens: 0, cost: 0 };
  const fields = new Map(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]));
  const place = `item:${input.newSessionId}:${keptFirst ? list.length - 1 : 0}`;
  return {
    records: [withMembers(source.session, fields.set('messages', `[\n${list.join(',\n')}\n]`))],
    boundary: {
      id: summary === undefined || keptFirst ? undefined : place,
      summaryId: summary === undefined ? undefined : keptFirst ? place : `${place}#2`,
      preservedIds: kept.map(({ id }) => id),
    },
  };
}

function summaryItem(summary: string): string {
  return JSON.stringify({ summary });
}

function messageItem(content: string, now: string): string {
  return JSON.stringify({ message: { agentName: '', message: { role: 'user', content, created_at: now }, implicit: true } });
}

/** A kept item without what it has cost, and with its result cleared where the plan says so. */
function keptItem(item: string, blocks: ClearedBlocks | undefined): string {
  const cleared = blocks?.get(0);
  const change = (message: string): string => {
    const unused = withoutMembers(message, USAGE);
    return cleared === undefined ? unused : withMembers(withoutMembers(unused, PARTS), new Map([['content', JSON.stringify(cleared)]]));
  };
  return mapMember(item, 'message', (wrapped) => mapMember(wrapped, 'message', change));
}

interface Source {
  /** JSON of the session without its items. */
  readonly session: string;
  /** JSON of the items by the names of their messages. */
  readonly items: ReadonlyMap<string, string>;
}

function sourceOf(input: CopyInput): Source {
  return input.parts === undefined ? sourceOfDocument(wholeDocument(input) ?? '{}') : sourceOfRows(input.parts);
}

function sourceOfDocument(document: string): Source {
  const [main] = sessionsOfDocument(recordIn(document)).values();
  return { session: document, items: named(present(main).items, elementsOf(memberText(document, 'messages') ?? '')) };
}

/** A database has a row a session and a row an item; older ones a list in the session's row. */
function sourceOfRows(parts: readonly unknown[]): Source {
  const [main] = sessionsOfRows(parts).values();
  const rows = parts.flatMap((part) => (part instanceof PartRecord && isRecord(part.value) ? [{ table: part.part, row: part.value }] : []));
  const own = rows.find(({ table }) => table === 'sessions')?.row ?? {};
  const items = rows.filter(({ table, row }) => table === 'session_items' && stringOf(row, 'session_id') === main?.id);
  const list = stringOf(own, 'messages') ?? '';
  const texts = items.length > 0 ? items.map(({ row }) => itemOfRow(row)) : jsonOf(list) === undefined ? [] : elementsOf(list);
  const session = { title: field(own, 'title') ?? '', working_dir: field(own, 'working_dir') ?? '', tools_approved: false };
  return { session: JSON.stringify(session), items: named(main?.items ?? [], texts) };
}

function itemOfRow(row: JsonRecord): string {
  const message = stringOf(row, 'message_json') ?? 'null';
  const facts = JSON.stringify({ agentName: stringOf(row, 'agent_name') ?? '', implicit: field(row, 'implicit') === 1 });
  return `{"message":${withMembers(facts, new Map([['message', message]]))}}`;
}

function named(items: readonly DockerItem[], texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(items.flatMap((item, at) => (item.kind === 'message' ? [[item.id, texts[at] ?? ''] as const] : [])));
}

function elementsOf(list: string): readonly string[] {
  return elementSpans(list).map(({ start, end }) => list.slice(start, end));
}

function recordIn(text: string): JsonRecord {
  const value: unknown = JSON.parse(text);
  return isRecord(value) ? value : {};
}
