import { DEFAULT_KEEP_RESULTS, type MicroRequest } from '../../core/compaction/microPlan';
import type { Pins, Place, PivotChoice, PlanRequest } from '../../core/compaction/plan';
import type { PlanRequestView } from '../../core/protocol/planView';

const DEFAULT_KEEP = 10;

/** A page's request for a plan with a summary, in the planner's terms; of the ways to name a pivot the first that is there counts. */
export function planRequestOf(request: PlanRequestView & { readonly kind: PlanRequest['kind'] }, pins: Pins): PlanRequest {
  switch (request.kind) {
    case 'full':
      return { kind: 'full', keepMessages: request.keepMessages ?? DEFAULT_KEEP, ...pins };
    case 'partialUpTo':
      return { kind: 'partialUpTo', ...pivotOf(request), ...pins };
    case 'partialFrom':
      return { kind: 'partialFrom', ...placeOf(request), ...pins };
  }
}

/** The same for a choice of results to clear. */
export function microRequestOf({ clear }: PlanRequestView, pins: Pins): MicroRequest {
  return { keepResults: DEFAULT_KEEP_RESULTS, ...(clear === undefined ? {} : { toolUseIds: clear }), ...pins };
}

function pivotOf(request: PlanRequestView): PivotChoice {
  const { pivotId, position, keepTurns, keepTokens } = request;
  if (pivotId !== undefined || position !== undefined) return placeOf(request);
  if (keepTurns !== undefined) return { keepTurns };
  return keepTokens === undefined ? placeOf(request) : { keepTokens };
}

/** Nothing at all names a message that there is not, which the planner refuses. */
function placeOf({ pivotId, position }: PlanRequestView): Place {
  return pivotId === undefined && position !== undefined ? { position } : { pivotId: pivotId ?? '' };
}
