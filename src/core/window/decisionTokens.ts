import type { KnownEstimate, WindowState } from './windowState';

/**
 * Reconciles a local estimate of the next request with the last report (seed 2 ProviderAdjustedInputTokens). With two complete estimates the
 * report moves by their difference; otherwise the larger number counts, and without a report the estimate alone.
 */
export function adjustToProvider(state: WindowState, estimate: KnownEstimate): number {
  const local = Math.max(estimate.knownTotal, 0);
  const baseline = state.estimate;
  if (state.isProviderKnown && estimate.complete && baseline?.complete === true && baseline.knownTotal > 0) {
    return Math.max(0, state.reportedInput + local - baseline.knownTotal);
  }
  return state.isProviderKnown || !state.isEstimateLive ? Math.max(local, state.reportedInput) : local;
}

/**
 * Tokens that the decision to compact is made by: report and all that came since (R21). A growth cap above 0 limits how far a local estimate may
 * go beyond the report; it never raises the number and never hides what was reported (seed 2 AutoCompactDecisionTokens).
 */
export function decisionTokens(state: WindowState, estimate: KnownEstimate, maxGrowth = 0): number {
  const adjusted = adjustToProvider(state, estimate);
  if (!(maxGrowth > 0) || !state.isProviderKnown) return adjusted;
  return Math.min(adjusted, state.reportedInput + maxGrowth);
}
