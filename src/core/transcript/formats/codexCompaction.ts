import type { Message } from '../../model/message';
import { arrayOf, isRecord, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { freeId, LocalIds, messageOf } from '../assemble';
import { textBlock } from './anthropicBlocks';
import { entryOf, placeOf, type CodexEntry, type CodexLine } from './codexEntry';
import { codexItem } from './codexItems';

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
  if (items !== undefined) {
    return { boundary, summary: undefined, history: withSummary(replacedHistory(items, line), text) };
  }
  const summary: Message = {
    ...boundary,
    id: freeId(`${boundary.id}#1`, line.takenIds),
    role: 'user',
    kind: 'summary',
    content: [textBlock(text)],
  };
  return { boundary, summary: text === '' ? undefined : summary, history: undefined };
}

/** Items of a replaced history, whose responses end where something stands that the model did not write. */
function replacedHistory(items: readonly unknown[], line: CodexLine): readonly CodexEntry[] {
  const history: CodexEntry[] = [];
  const takenIds = new LocalIds(line.takenIds);
  let response = 1;
  items.forEach((value, index) => {
    for (const entry of replacement(value, index, `response:${line.source.line}#${response}`, { ...line, takenIds })) {
      takenIds.add(entry.message.id);
      if (!entry.isResponse) response = index + 2;
      history.push(entry);
    }
  });
  return history;
}

/** Items of a replaced history have places of their own, from 1 on. */
function replacement(value: unknown, index: number, response: string, line: CodexLine): readonly CodexEntry[] {
  const item = isRecord(value) ? codexItem(value, `${placeOf(line.source)} ${index}`) : undefined;
  if (item === undefined || !isRecord(value)) return [];
  const entry = entryOf(item, stringOf(value, 'id'), 0, { ...line, state: { ...line.state, response } });
  const isOwn = !entry.message.id.startsWith('line:');
  const id = isOwn ? entry.message.id : freeId(`line:${line.source.line}#${index + 1}`, line.takenIds);
  return [{ ...entry, message: { ...entry.message, id } }];
}

/**
 * Marks the summary of a replaced history: the user message that repeats the record's own text; else the last hidden one, which says so by
 * its type; else, where the record has a text, the last user message.
 */
function withSummary(history: readonly CodexEntry[], text: string): readonly CodexEntry[] {
  const wanted = toWellFormed(text);
  const isPrompt = ({ message }: CodexEntry): boolean => message.role === 'user' && message.kind === 'message';
  const repeats = ({ message }: CodexEntry): boolean => message.content.some((block) => block.type === 'text' && block.text === wanted);
  const exact = text === '' ? -1 : history.findLastIndex((entry) => isPrompt(entry) && repeats(entry));
  const hidden = history.findLastIndex((entry) => entry.message.kind === 'summary');
  const last = text === '' ? -1 : history.findLastIndex(isPrompt);
  const summary = [exact, hidden, last].find((index) => index !== -1);
  return history.map((entry, index) =>
    index === summary ? { ...entry, message: { ...entry.message, kind: 'summary' }, isNewSummary: true } : entry,
  );
}
