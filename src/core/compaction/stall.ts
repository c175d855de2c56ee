import { messagesAfterBoundary } from '../boundary/activeSlice';
import type { Message } from '../model/message';

/**
 * Why automatic compaction rests (R09). `nothingNew`: it ran, and no message has come since. `stillOver`: it ran and the view is over the
 * threshold all the same; another run would end the same way, so it rests until the use has been below once.
 */
export interface Stall {
  readonly reason: 'nothingNew' | 'stillOver';
  /** Messages of the context when it ran. */
  readonly contextMessages: number;
}

/** Rests after a run that left these messages (R09). */
export function stallAfter(messages: readonly Message[], isStillOver: boolean): Stall {
  return { reason: isStillOver ? 'stillOver' : 'nothingNew', contextMessages: messagesAfterBoundary(messages).length };
}

/** True while the reason to rest holds; asked only while the use is over the threshold (R09). */
export function isStalled(stall: Stall | undefined, messages: readonly Message[]): boolean {
  return stall !== undefined && isStalledAt(stall, messagesAfterBoundary(messages).length);
}

/** The same where only the number of messages in the context is known. */
export function isStalledAt(stall: Stall, contextMessages: number): boolean {
  return stall.reason === 'stillOver' || contextMessages === stall.contextMessages;
}
