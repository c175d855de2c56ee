// Views of a history without what only the running program needs.
import { REMINDER_ID } from '../boundary/reminderMessage';
import type { ContentBlock, Message } from '../model/message';
import { CONTENT_REPLACEMENT, INVALID_TOOL_USE } from '../model/privateBlocks';

/**
 * The history without broken calls, which stay in the stored session for audit but are nothing that the assistant said; messages that held
 * nothing else are left out (seed 2, StripProviderPrivateBlocks).
 */
export function stripProviderPrivate(messages: readonly Message[]): readonly Message[] {
  return withoutBlocks(messages, INVALID_TOOL_USE);
}

/** The history without replacement records, for providers and summarizers (seed 2, StripContentReplacementBlocks). */
export function stripReplacementRecords(messages: readonly Message[]): readonly Message[] {
  return withoutBlocks(messages, CONTENT_REPLACEMENT);
}

/** The history without reminders that will be added anew, so that no summary describes them (seed 2, StripReinjectedAttachments). */
export function stripReinjected(messages: readonly Message[], recognises: (message: Message) => boolean): readonly Message[] {
  return messages.filter((message) => !isReinjectedAttachment(message, recognises));
}

/**
 * True for a reminder of ours: an attachment with a reminder's id that `recognises` (the authority of the session) accepts. Text that looks
 * like a reminder is only text (R51).
 */
export function isReinjectedAttachment(message: Message, recognises: (message: Message) => boolean): boolean {
  return message.kind === 'attachment' && message.id.startsWith(REMINDER_ID) && recognises(message);
}

function withoutBlocks(messages: readonly Message[], originalType: string): readonly Message[] {
  const isGone = (block: ContentBlock): boolean => block.type === 'unknown' && block.originalType === originalType;
  return messages.flatMap((message) => {
    if (!message.content.some(isGone)) return [message];
    const content = message.content.filter((block) => !isGone(block));
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}
