import { compactionCost, type CompactionCost } from '../compaction/cost';
import type { SummaryCall } from '../compaction/costSummary';
import type { MicroPlan } from '../compaction/microPlan';
import type { CompactionPlan } from '../compaction/plan';
import { priceListFor } from '../window/prices';
import { costSizes } from './costSizes';
import type { Inspection } from './inspection';
import { paceOf, type Pace } from './pace';

export interface PlanCostFacts {
  /** Estimate of the summary message with the words around it; 0 where results are cleared. */
  readonly summaryTokens: number;
  /** The call of the model that summarizes; absent: none is called. */
  readonly call?: SummaryCall | undefined;
  /** The user's table of prices (`pricing.overrides`). */
  readonly priceOverrides?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What a plan for a session costs, with the sizes that its reports tell, the prices of its model and its present pace. What does not depend on
 * the plan is worked out once for an inspection, so that a cut can be dragged.
 */
export function costOfPlan(inspection: Inspection, plan: CompactionPlan | MicroPlan, facts: PlanCostFacts): CompactionCost {
  const { messages, context, model } = inspection.transcript;
  const { sizes, pace } = basisOf(inspection);
  return compactionCost({
    plan,
    input: { messages, context, revision: plan.revision, ...sizes },
    summaryTokens: facts.summaryTokens,
    tokensOf: inspection.sizes.sizeOf,
    call: facts.call,
    prices: priceListFor(model, facts.priceOverrides),
    requestsPerTurn: pace?.requestsPerTurn,
  });
}

interface Basis {
  readonly sizes: ReturnType<typeof costSizes>;
  readonly pace: Pace | undefined;
}

// Keys are immutable inspections, so an entry never goes stale and vanishes with its inspection.
const known = new WeakMap<Inspection, Basis>();

function basisOf(inspection: Inspection): Basis {
  let basis = known.get(inspection);
  if (basis === undefined) {
    basis = { sizes: costSizes(inspection), pace: paceOf(inspection) };
    known.set(inspection, basis);
  }
  return basis;
}
