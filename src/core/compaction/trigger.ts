import { warningState, type WarningInput } from '../window/warningState';

/** Share of the context window above which compaction is due when nothing else is configured (seed 0). */
export const DEFAULT_COMPACT_THRESHOLD = 0.9;

export interface ThresholdInput {
  readonly input: number;
  readonly output: number;
  /** Estimate of what was added since the last report. */
  readonly added: number;
  /** Context window; 0 or less when unknown: then nothing is ever due. */
  readonly limit: number;
  /** Share in (0, 1]; anything else, NaN included, means the default. */
  readonly threshold: number;
}

/** True when input + output + added is more than trunc(limit × threshold) (seed 0 ShouldCompact). */
export function isOverThreshold({ input, output, added, limit, threshold }: ThresholdInput): boolean {
  if (!(limit > 0)) return false;
  const share = threshold > 0 && threshold <= 1 ? threshold : DEFAULT_COMPACT_THRESHOLD;
  return input + output + added > Math.trunc(limit * share);
}

/**
 * True when automatic compaction should start: it is on and the usage is above its threshold (strictly, unlike the flag). Never for an
 * unknown window or one whose reserve leaves no room, where each step would fire anew (R19).
 */
export function isAutoCompactDue(input: WarningInput): boolean {
  const { state, tooSmall, usedTokens, autoCompactThresholdTokens } = warningState(input);
  return input.autoCompactEnabled && state !== 'unknown' && !tooSmall && usedTokens > autoCompactThresholdTokens;
}
