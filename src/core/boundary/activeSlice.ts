import type { Message } from '../model/message';

/**
 * The messages after the latest compaction boundary, or all of them when there is none. A boundary is what the format's record structure
 * says is one; text that looks like a marker never counts (R51, P50).
 */
export function messagesAfterBoundary(messages: readonly Message[]): readonly Message[] {
  return messages.slice(messages.findLastIndex((message) => message.kind === 'boundary') + 1);
}
