import type { PartialDirection } from '../../model/boundary';
import { pivotPosition } from '../pivots';
import type { PivotChoice, PlanRefusal } from '../plan';
import { contextMessages, cutsOf, type PlanInput } from '../planInput';
import { partitionAt, refusal, type Partition } from './partition';

/**
 * Cuts at a place that the user chose. `upTo` summarizes what is before it; the cut moves towards the start when there stands a result
 * or a later fragment. `from` summarizes it and everything after it; the cut moves towards the end when the kept part would end on open
 * calls. An earlier summary stays on its side: it is kept word for word or goes into the new summary (R07).
 */
export function cutPartial(input: PlanInput, direction: PartialDirection, choice: PivotChoice): Partition | PlanRefusal {
  if (input.context.length === 0) return refusal('notEnoughMessages');
  const pivot = pivotPosition(input, choice);
  if (pivot.outcome === 'refusal') return pivot;
  const messages = contextMessages(input);
  const requestedCut = pivot.position;
  if (direction === 'upTo') {
    const cut = cutsOf(input).tailStart(requestedCut);
    return partitionAt(input, { kind: 'partialUpTo', direction, summarizes: 'before', requestedCut, cut, messages });
  }
  const cut = cutsOf(input).partialHeadEnd(requestedCut);
  return partitionAt(input, { kind: 'partialFrom', direction, summarizes: 'after', requestedCut, cut, messages });
}

/** Reads a direction as agents write it: nothing means `from`; undefined for a word that is no direction (seed 2). */
export function partialDirection(word: string | null | undefined): PartialDirection | undefined {
  if (word === undefined || word === null || word === '' || word === 'from') return 'from';
  return word === 'up_to' ? 'upTo' : undefined;
}
