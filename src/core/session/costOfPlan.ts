import { compactionCost, type CompactionCost } from '../compaction/cost';
import type { SummaryCall } from '../compaction/costSummary';
import type { MicroPlan } from '../compaction/microPlan';
import type { CompactionPlan } from '../compaction/plan';
import { priceListFor } from '../window/prices';
import { costSizes } from './costSizes';
import type { Inspection } from './inspection';
import { paceOf } from './pace';

export interface PlanCostFacts {
  /** Estimate of the summary message with the words around it; 0 where results are cleared. */
  readonly summaryTokens: number;
  /** The call of the model that summarizes; absent: none is called. */
  readonly call?: SummaryCall | undefined;
  /** The user's table of prices (`pricing.overrides`). */
  readonly priceOverrides?: Readonly<Record<string, unknown>> | undefined;
}

/** What a plan for a session costs, with the sizes that its reports tell, the prices of its model and its present pace. */
export function costOfPlan(inspection: Inspection, plan: CompactionPlan | MicroPlan, facts: PlanCostFacts): CompactionCost {
  const { messages, context, model } = inspection.transcript;
  return compactionCost({
    plan,
    input: { messages, context, revision: plan.revision, ...costSizes(inspection) },
    summaryTokens: facts.summaryTokens,
    tokensOf: inspection.sizes.sizeOf,
    call: facts.call,
    prices: priceListFor(model, facts.priceOverrides),
    requestsPerTurn: paceOf(inspection)?.requestsPerTurn,
  });
}
