// The kinds of compaction. A new one is a file in this folder and a case here.
import { isWorthSummarizing } from '../growth';
import type { CompactionPlan, PlanRefusal, PlanRequest } from '../plan';
import type { PlanInput } from '../planInput';
import { cutFull } from './full';
import { planOf, refusal, type Partition } from './partition';
import { cutPartial } from './partial';
import { withPins } from './pins';

/**
 * Plans a compaction: which messages of the context are summarized and which are kept word for word. Pure and linear; changes nothing and
 * calls no model. Also refuses (`notSmaller`) when what would be summarized is smaller than any summary of it (P02).
 */
export function planCompaction(request: PlanRequest, input: PlanInput): CompactionPlan | PlanRefusal {
  const partition = partitionFor(request, input);
  if (partition.outcome === 'refusal') return partition;
  const plan = planOf(input, partition);
  return isWorthSummarizing(plan.tokensSummarized) ? plan : refusal('notSmaller', 'tooSmall');
}

/** The cut alone with what is pinned, without asking whether the result would be smaller. */
export function partitionFor(request: PlanRequest, input: PlanInput): Partition | PlanRefusal {
  const partition = cutFor(request, input);
  return partition.outcome === 'refusal' ? partition : withPins(input, partition, request.pinned ?? []);
}

function cutFor(request: PlanRequest, input: PlanInput): Partition | PlanRefusal {
  switch (request.kind) {
    case 'full':
      return cutFull(input, request.keepMessages);
    case 'partialUpTo':
      return cutPartial(input, 'upTo', request);
    case 'partialFrom':
      return cutPartial(input, 'from', request);
  }
}
