import type { Message } from '../model/message';
import type { ReplacementState } from '../toolResults/replacementState';
import { asIndex, projectionCandidates } from './candidates';
import { phaseOf } from './phase';
import { batchSize } from './selection';
import type { Admission } from './types';

/** What could be projected if there were pressure. */
export interface PendingProjection {
  readonly tools: number;
  readonly tokensSaved: number;
}

const NOTHING: PendingProjection = { tools: 0, tokensSaved: 0 };

/**
 * Measures what is consumed and safe but still in its original form, as indexes and whatever the price. The session's limits hold, so that
 * nothing is promised that may not be done: the oldest results whose tokens fit count. Zero for a shadow, without a counter and without savings
 * (seed 2, PendingProgressiveToolResultProjection).
 */
export function pendingProjection(messages: readonly Message[], state: ReplacementState, admission: Admission): PendingProjection {
  if (!admission.enabled || admission.shadow || admission.counter === undefined) return NOTHING;
  const asked: Admission = { ...admission, pressure: true, benefitTrigger: false, requireConsumedMutation: false };
  const phase = phaseOf(messages, state, asked);
  if (phase === undefined) return NOTHING;
  const smallest = projectionCandidates(messages, state, asked, phase).map(asIndex);
  let left = admission.remainingProjectedTokens;
  const over = smallest.findIndex(({ projected }) => (left -= projected.tokens) < 0);
  const { projectedTools, tokensSaved } = batchSize(over < 0 ? smallest : smallest.slice(0, over));
  return tokensSaved > 0 ? { tools: projectedTools, tokensSaved } : NOTHING;
}
