import type { Message } from '../../model/message';
import { arrayOf, isRecord, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { freeId, LocalIds, messageOf } from '../assemble';
import { textBlock } from './anthropicBlocks';
import { entryOf, placeOf, type CodexEntry, type CodexLine } from './codexEntry';
import { codexItem, type CodexItem } from './codexItems';

/** What a `compacted` record holds: the whole new history, or a summary alone. */
export interface Compaction {
  readonly boundary: Message;
  readonly summary: Message | undefined;
  readonly history: readonly CodexEntry[] | undefined;
}

/** Reads the payload of a `compacted` record. */
export function codexCompaction(payload: JsonRecord, line: CodexLine): Compaction {
  const text = stringOf(payload, 'message') ?? '';
  const boundary = messageOf({
    id: freeId(`line:${line.source.line}`, line.takenIds),
    role: 'system',
    kind: 'boundary',
    content: [],
    line: line.source.line,
    timestamp: line.timestamp,
  });
  const items = arrayOf(payload, 'replacement_history');
  if (items !== undefined) return { boundary, summary: undefined, history: replacedHistory(items, text, line) };
  if (text === '') return { boundary, summary: undefined, history: undefined };
  const summary = messageOf({
    id: freeId(`${boundary.id}#1`, line.takenIds),
    role: 'user',
    kind: 'summary',
    content: [textBlock(text)],
    stored: line.source.stored,
    line: line.source.line,
    timestamp: line.timestamp,
  });
  return { boundary, summary, history: undefined };
}

/** An item of a replaced history. */
interface Replacement {
  readonly item: CodexItem;
  readonly ownId: string | undefined;
  /** Its place in the history, from 1 on. */
  readonly place: number;
}

/** Items of a replaced history, whose responses end where something stands that the model did not write. */
function replacedHistory(values: readonly unknown[], text: string, line: CodexLine): readonly CodexEntry[] {
  const items = values.flatMap((value, index): readonly Replacement[] => {
    const item = isRecord(value) ? codexItem(value, `${placeOf(line.source)} ${index}`) : undefined;
    return item === undefined || !isRecord(value) ? [] : [{ item, ownId: stringOf(value, 'id'), place: index + 1 }];
  });
  const summary = summaryOf(items, text);
  const takenIds = new LocalIds(line.takenIds);
  let response = 1;
  return items.map((replacement, index): CodexEntry => {
    const isNewSummary = index === summary;
    const entry = entryIn(replacement, isNewSummary, `response:${line.source.line}#${response}`, { ...line, takenIds });
    takenIds.add(entry.message.id);
    if (!entry.isResponse) response = replacement.place + 1;
    return isNewSummary ? { ...entry, isNewSummary } : entry;
  });
}

/** Items of a replaced history are named by their own places. */
function entryIn({ item, ownId, place }: Replacement, isSummary: boolean, response: string, line: CodexLine): CodexEntry {
  const kind = isSummary ? 'summary' : item.kind;
  const entry = entryOf({ ...item, kind }, ownId, 0, { ...line, state: { ...line.state, response } });
  const isOwn = !entry.message.id.startsWith('line:');
  const id = isOwn ? entry.message.id : freeId(`line:${line.source.line}#${place}`, line.takenIds);
  return { ...entry, message: { ...entry.message, id } };
}

/**
 * Place of the summary in a replaced history: the user message that repeats the record's own text; else the last hidden one, which says so by
 * its type; else, where the record has a text, the last user message.
 */
function summaryOf(history: readonly Replacement[], text: string): number | undefined {
  const wanted = toWellFormed(text);
  const isPrompt = ({ item }: Replacement): boolean => item.role === 'user' && item.kind === 'message';
  const repeats = ({ item }: Replacement): boolean => item.content.some((block) => block.type === 'text' && block.text === wanted);
  const exact = text === '' ? -1 : history.findLastIndex((entry) => isPrompt(entry) && repeats(entry));
  const hidden = history.findLastIndex(({ item }) => item.kind === 'summary');
  const last = text === '' ? -1 : history.findLastIndex(isPrompt);
  return [exact, hidden, last].find((index) => index !== -1);
}
