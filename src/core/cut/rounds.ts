import type { Message } from '../model/message';
import { cutMap } from './pairing';

/**
 * The messages in the smallest groups that a cut may stand between: what the user said, or one response with all its fragments, calls and their
 * results. The groups put together are the list; results whose call is nowhere stay with what is before them (P09). Linear.
 */
export function groupByRound(messages: readonly Message[]): readonly (readonly Message[])[] {
  const cuts = cutMap(messages);
  const starts = messages.flatMap((_, index) => (index === 0 || cuts.isTailStart(index) ? [index] : []));
  return starts.map((start, place) => messages.slice(start, starts[place + 1]));
}
