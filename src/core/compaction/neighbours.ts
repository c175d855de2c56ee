// The cuts beside a cut: where an arrow key takes it.
import type { CompactionPlan, Pins, PlanRequest } from './plan';
import { cutsOf, type PlanInput } from './planInput';
import { planCompaction } from './strategies';

export interface NeighbourCuts {
  /** Positions in `PlanInput.context`; undefined where no plan can be made on that side any more. */
  readonly previous: number | undefined;
  readonly next: number | undefined;
}

/**
 * The nearest cuts before and after a plan's that differ from it, keep pairs and fragments together, and can be planned: asked for as a position,
 * each gives a plan with exactly that cut. Those of a full compaction are cuts of `partialUpTo`. Linear.
 */
export function neighbourCuts(plan: Pick<CompactionPlan, 'kind' | 'cut'>, { pinned = [] }: Pins, input: PlanInput): NeighbourCuts {
  const cuts = cutsOf(input);
  const isFrom = plan.kind === 'partialFrom';
  const isCut = (position: number): boolean => (isFrom ? cuts.partialHeadEnd(position) : cuts.tailStart(position)) === position;
  const request = (position: number): PlanRequest => {
    return isFrom ? { kind: 'partialFrom', position, pinned } : { kind: 'partialUpTo', position, pinned };
  };
  const nearest = (step: 1 | -1): number | undefined => {
    for (let position = plan.cut + step; position > 0 && position < cuts.length; position += step) {
      // What refuses one cut refuses all that lie beyond it: one side only loses, the other only gains.
      if (isCut(position)) return planCompaction(request(position), input).outcome === 'plan' ? position : undefined;
    }
    return undefined;
  };
  return { previous: nearest(-1), next: nearest(1) };
}
