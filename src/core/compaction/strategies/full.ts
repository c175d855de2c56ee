import type { PlanRefusal } from '../plan';
import { contextMessages, cutsOf, type PlanInput } from '../planInput';
import { partitionAt, refusal, type Partition } from './partition';

/** Newest messages that a full compaction keeps when nothing else is asked for (seed 2, SummaryCompactor). */
export const DEFAULT_KEEP_MESSAGES = 10;

/**
 * Summarizes all but the newest `keepMessages` messages; anything but a whole number above 0 means the default. The cut moves towards the
 * start where calls and their results, or the fragments of one response, would part. An earlier summary goes into the new one (seed 2,
 * SummaryCompactor).
 */
export function cutFull(input: PlanInput, keepMessages: number): Partition | PlanRefusal {
  const keep = Number.isSafeInteger(keepMessages) && keepMessages > 0 ? keepMessages : DEFAULT_KEEP_MESSAGES;
  const count = input.context.length;
  if (count === 0) return refusal('notEnoughMessages');
  if (count <= keep) return refusal('notEnoughMessages', 'allKept');
  const requestedCut = count - keep;
  const messages = contextMessages(input);
  const cut = cutsOf(input).tailStart(requestedCut);
  return partitionAt(input, { kind: 'full', direction: undefined, summarizes: 'before', requestedCut, cut, messages });
}
