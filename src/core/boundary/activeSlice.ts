import type { Message } from '../model/message';

/**
 * The messages after the latest compaction boundary, or all of them when there is none. A boundary is what the format's record structure
 * says is one, or what `recognises` accepts (in the running program: the authority of the session); text that looks like a marker never
 * counts (R51, P50).
 */
export function messagesAfterBoundary(
  messages: readonly Message[],
  recognises: (message: Message) => boolean = isBoundaryRecord,
): readonly Message[] {
  return messages.slice(messages.findLastIndex(recognises) + 1);
}

function isBoundaryRecord(message: Message): boolean {
  return message.kind === 'boundary';
}
