import type { Measurement } from '../model/measurement';
import { promptTokens, type Usage } from '../model/usage';

/** What counts of an estimate here: its size, and whether a part of it is unknown. */
export interface KnownEstimate {
  readonly knownTotal: number;
  readonly complete: boolean;
}

/** What a running session knows about its window (seed 2, 2.3). Immutable: a checkpoint is the value itself. */
export interface WindowState {
  /** Prompt total of the last report; kept while a local estimate is live. */
  readonly reportedInput: number;
  readonly cacheReadTokens: number;
  readonly isProviderKnown: boolean;
  /** The latest local estimate: shown while it is live, and after a report the baseline that growth is measured from. */
  readonly estimate: KnownEstimate | undefined;
  readonly isEstimateLive: boolean;
  /** Set by a compaction until the next report. */
  readonly isWarningSuppressed: boolean;
  readonly consecutiveFailures: number;
}

export const EMPTY_WINDOW_STATE: WindowState = {
  reportedInput: 0,
  cacheReadTokens: 0,
  isProviderKnown: false,
  estimate: undefined,
  isEstimateLive: false,
  isWarningSuppressed: false,
  consecutiveFailures: 0,
};

/** Takes in a report. Negative numbers count as 0; no report changes nothing (seed 2, ContextWindow.UpdateUsage). */
export function withUsage(state: WindowState, usage: Usage | undefined): WindowState {
  if (usage === undefined) return state;
  return {
    ...state,
    reportedInput: Math.max(promptTokens(usage), 0),
    cacheReadTokens: Math.max(usage.cacheReadTokens, 0),
    isProviderKnown: true,
    isEstimateLive: false,
    isWarningSuppressed: false,
  };
}

/** Takes in a local estimate, which is shown until the next report (seed 2, ContextWindow.UpdateLocalEstimate). */
export function withLocalEstimate(state: WindowState, { knownTotal, complete }: KnownEstimate): WindowState {
  return { ...state, estimate: { knownTotal: Math.max(knownTotal, 0), complete }, isEstimateLive: true, isProviderKnown: false };
}

/** Forgets the reports from before a compaction (R10). An estimate of the new view above 0 takes their place. */
export function withPostCompactEstimate(state: WindowState, tokens: number): WindowState {
  const { isWarningSuppressed, consecutiveFailures } = state;
  const cleared = { ...EMPTY_WINDOW_STATE, isWarningSuppressed, consecutiveFailures };
  return tokens > 0 ? withLocalEstimate(cleared, { knownTotal: tokens, complete: true }) : cleared;
}

export interface InputUsage {
  readonly tokens: number;
  readonly measurement: Measurement;
}

/** Tokens in the window now: a live local estimate, else the last report, else unknown (seed 2, ContextWindow.CurrentInputUsage). */
export function currentInputUsage(state: WindowState): InputUsage {
  if (state.isEstimateLive && state.estimate !== undefined) {
    return { tokens: state.estimate.knownTotal, measurement: state.estimate.complete ? 'localEstimate' : 'localLowerBound' };
  }
  return { tokens: state.reportedInput, measurement: state.isProviderKnown ? 'providerReported' : 'unknown' };
}

/** Prompt total that the provider reported; 0 while only a local estimate is known (seed 2, ContextWindow.ProviderReportedInputTokens). */
export function providerReportedInput(state: WindowState): number {
  return !state.isProviderKnown && state.isEstimateLive ? 0 : state.reportedInput;
}

/** Cached part of the last reported prompt; 0 while only a local estimate is known (seed 2, ContextWindow.PreviousCacheReadTokens). */
export function previousCacheRead(state: WindowState): number {
  return state.isProviderKnown ? state.cacheReadTokens : 0;
}
