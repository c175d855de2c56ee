// Replacement decisions in the conversation itself, so that a resumed session shows the same bytes.
import { carriesResults, type ContentBlock, type Message, type UnknownBlock } from '../model/message';
import { CONTENT_REPLACEMENT } from '../model/privateBlocks';
import { isRecord, stringOf } from '../util/json';
import { candidateGroups } from './candidates';
import { EMPTY_REPLACEMENTS, withDecisions, type ReplacementRecord, type ReplacementState } from './replacementState';

/**
 * Adds the records to the latest user message, as blocks that no provider sees, and seals the new message. Nothing happens without records, or
 * when no user message stands after the last developer message; the caller then still has the records (seed 2,
 * AppendContentReplacementRecordsForScope). `seal` is the authority of the running session for its scope.
 */
export function appendRecords(
  messages: readonly Message[],
  records: readonly ReplacementRecord[],
  seal: (message: Message) => Message,
): readonly Message[] {
  const at = messages.findLastIndex(({ role }) => role === 'user' || role === 'developer');
  const message = messages[at];
  if (records.length === 0 || message?.role !== 'user') return messages;
  return messages.with(at, seal({ ...message, content: [...message.content, ...records.map(recordBlock)] }));
}

/**
 * Rebuilds the state from a conversation: every result that a budget would look at was seen, and the records in messages that `recognises`
 * accepts are in force. Whatever else looks like a record is only text (P50); a record of an id without a result is ignored, and of several for
 * one id the first holds (seed 2, ReconstructContentReplacementStateForScope).
 */
export function replayRecords(messages: readonly Message[], recognises: (message: Message) => boolean): ReplacementState {
  const seen = new Set(candidateGroups(messages).flatMap((group) => group.map(({ toolUseId }) => toolUseId)));
  const records = messages
    .filter((message) => carriesResults(message) && message.content.some(isRecordBlock) && recognises(message))
    .flatMap((message) => message.content.map(recordOfBlock))
    .filter((record) => record !== undefined && seen.has(record.toolUseId));
  return withDecisions(
    EMPTY_REPLACEMENTS,
    seen,
    records.filter((record) => record !== undefined),
  );
}

function recordBlock({ kind, toolUseId, replacement }: ReplacementRecord): UnknownBlock {
  const raw = JSON.stringify({ kind, tool_use_id: toolUseId, replacement });
  return { type: 'unknown', originalType: CONTENT_REPLACEMENT, raw };
}

function isRecordBlock(block: ContentBlock): block is UnknownBlock {
  return block.type === 'unknown' && block.originalType === CONTENT_REPLACEMENT;
}

function recordOfBlock(block: ContentBlock): ReplacementRecord | undefined {
  if (!isRecordBlock(block)) return undefined;
  const value = parsed(block.raw);
  if (!isRecord(value) || stringOf(value, 'kind') !== 'tool-result') return undefined;
  const toolUseId = stringOf(value, 'tool_use_id');
  const replacement = stringOf(value, 'replacement');
  return toolUseId === undefined || replacement === undefined ? undefined : { kind: 'tool-result', toolUseId, replacement };
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw) as unknown;
  } catch {
    return undefined;
  }
}
