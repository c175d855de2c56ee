import type { Message } from '../../model/message';
import { messageId, messageOf, type TakenIds } from '../assemble';
import type { SourceRecord } from '../lineReader';
import type { CodexItem } from './codexItems';

/** An item as a message, with what the history needs to know about it. */
export interface CodexEntry {
  readonly message: Message;
  readonly isResponse: boolean;
  /** The summary that the compaction itself has made, in contrast to one that it kept. */
  readonly isNewSummary?: boolean;
}

/** What earlier lines say about the next one. */
export interface CodexState {
  readonly model: string | undefined;
  /** Name of the response that is being written; its items stand one behind another. */
  readonly response: string | undefined;
}

/** A line, and what its translation depends on. */
export interface CodexLine {
  readonly source: SourceRecord;
  readonly state: CodexState;
  readonly takenIds: TakenIds;
  readonly timestamp: string | undefined;
}

/** An item as a message. Ids that are taken are replaced by the place in the file. */
export function entryOf(item: CodexItem, ownId: string | undefined, part: number, line: CodexLine): CodexEntry {
  const { source, state, takenIds } = line;
  const id = messageId(ownId, source.line, part, takenIds);
  const message = messageOf({
    id,
    role: item.role,
    kind: item.kind,
    content: item.content,
    stored: source.stored,
    line: source.line,
    timestamp: line.timestamp,
    messageId: item.isResponse ? (state.response ?? `response:${source.line}`) : undefined,
    model: item.isResponse ? state.model : undefined,
  });
  return { message, isResponse: item.isResponse };
}

/** Name of a place in the file, for calls without an id. */
export function placeOf(source: SourceRecord): string {
  return `${source.line} ${source.part}`;
}
