import type { Message } from '../model/message';
import { cutMap } from './pairing';

/**
 * Index from which the newest messages that fit into `keepTokens` are kept; those before it may be summarised (seed 0 SplitIndexForKeep).
 * The kept tail begins with a user or assistant message that opens on no tool result and tears no response. n when everything fits (compact
 * everything), when nothing fits, and for an empty list (0). A sum that equals the budget fits.
 */
export function keptTailStart(messages: readonly Message[], keepTokens: number, sizeOf: (message: Message) => number): number {
  const { start, isComplete } = walkBack(messages, keepTokens, sizeOf);
  return isComplete ? messages.length : start;
}

/**
 * Index of the earliest message from which all later ones fit into `budget` (seed 0 FirstIndexInBudget), at a place where a conversation may
 * begin; results that lead the list are left out. n when there is no such place: nothing to send.
 */
export function firstIndexWithin(messages: readonly Message[], budget: number, sizeOf: (message: Message) => number): number {
  return walkBack(messages, budget, sizeOf).start;
}

interface Walk {
  /** Earliest allowed start whose messages fit; n when there is none. */
  readonly start: number;
  /** All messages fit. */
  readonly isComplete: boolean;
}

function walkBack(messages: readonly Message[], budget: number, sizeOf: (message: Message) => number): Walk {
  const cuts = cutMap(messages);
  let start = messages.length;
  let sum = 0;
  const overflow = messages.findLastIndex((message, index) => {
    sum += sizeOf(message);
    if (sum > budget) return true;
    if ((message.role === 'user' || message.role === 'assistant') && cuts.isTailStart(index)) start = index;
    return false;
  });
  return { start, isComplete: overflow < 0 };
}
