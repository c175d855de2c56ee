import type { MicroPlan } from '../compaction/microPlan';
import type { CompactionPlan } from '../compaction/plan';
import type { PlanView } from '../protocol/planView';
import { costOfPlan, type PlanCostFacts } from '../session/costOfPlan';
import type { Inspection } from '../session/inspection';
import { paceOf, refillTurns } from '../session/pace';
import { costView } from './costView';

/** What comes after a compaction: how long the room lasts, and what it costs. */
export type PlanOutlook = Pick<Extract<PlanView, { readonly outcome: 'plan' }>, 'refillTurns' | 'cost'>;

/** Tells the outlook of a plan whose new context has `tokensAfter` tokens. Linear. */
export function planOutlook(
  inspection: Inspection,
  plan: CompactionPlan | MicroPlan,
  tokensAfter: number,
  facts: PlanCostFacts,
): PlanOutlook {
  const { warning, window } = inspection;
  const limit = window.tokens === undefined || warning.tooSmall ? undefined : warning.autoCompactThresholdTokens;
  return { refillTurns: refillTurns(tokensAfter, limit, paceOf(inspection)) ?? null, cost: costView(costOfPlan(inspection, plan, facts)) };
}
