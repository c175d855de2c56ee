import { clamp } from '../util/clamp';
import { atLeastZero, autoCompactThreshold, blockingLimit, effectiveInputWindow, THRESHOLD_BUFFERS, withMinPercent } from './thresholds';

/** Highest limit that the usage has reached; `unknown` without a known window. */
export type WarningLevel = 'normal' | 'warning' | 'error' | 'autoCompact' | 'blocked' | 'unknown';

export interface WarningInput {
  readonly maxTokens: number | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly usedTokens: number;
  readonly autoCompactEnabled: boolean;
  /** Right after a compaction: hides all flags but blocking until the next report. */
  readonly suppressWarning: boolean;
  /** Lowers the automatic threshold to this percent of the effective window. */
  readonly thresholdPercent?: number;
  /** Postpones the automatic threshold to this percent of the effective window. */
  readonly minPercent?: number;
  /** Replaces the blocking limit. */
  readonly blockingLimitTokens?: number;
  /** Replaces both limits by those of another rule; what lies before them keeps its distance. */
  readonly limits?: { readonly autoCompactTokens: number; readonly blockingTokens: number };
}

export interface WarningState {
  readonly state: WarningLevel;
  readonly usedTokens: number;
  readonly effectiveInputWindowTokens: number;
  /** What `percentLeft` and the flags below are measured against. */
  readonly thresholdTokens: number;
  readonly warningThresholdTokens: number;
  readonly errorThresholdTokens: number;
  readonly autoCompactThresholdTokens: number;
  readonly blockingLimitTokens: number;
  /** Whole number 0 … 100. */
  readonly percentLeft: number;
  readonly isAboveWarningThreshold: boolean;
  readonly isAboveErrorThreshold: boolean;
  readonly isAboveAutoCompactThreshold: boolean;
  readonly isAtBlockingLimit: boolean;
  readonly autoCompactEnabled: boolean;
  readonly warningSuppressed: boolean;
  /** The reserve leaves no room for automatic compaction: it is off (R19). */
  readonly tooSmall: boolean;
}

/**
 * Where a usage stands against the limits of a window (seed 2 CalculateTokenWarningState). Flags compare with `>=`. A usage that is negative
 * or no number counts as 0. With an unknown window (undefined, 0 or less) no flag is set, the limits are 0 and say nothing.
 */
export function warningState(input: WarningInput): WarningState {
  const { autoCompactEnabled, suppressWarning } = input;
  const usedTokens = atLeastZero(input.usedTokens);
  const known = input.maxTokens !== undefined && input.maxTokens > 0;
  const effective = known ? effectiveInputWindow(input) : 0;
  const lowered = autoCompactThreshold(effective, input.thresholdPercent);
  const own = known ? input.limits : undefined;
  const postponed = input.minPercent === undefined ? lowered : withMinPercent(lowered, effective, input.minPercent);
  const auto = own === undefined ? postponed : atLeastZero(own.autoCompactTokens);
  const blocking = own === undefined ? blockingLimit(effective, input.blockingLimitTokens) : atLeastZero(own.blockingTokens);
  const threshold = autoCompactEnabled ? auto : effective;
  const warningAt = atLeastZero(threshold - THRESHOLD_BUFFERS.warning);
  const errorAt = atLeastZero(threshold - THRESHOLD_BUFFERS.error);
  const shown = known && !suppressWarning;
  const flags = {
    isAboveWarningThreshold: shown && usedTokens >= warningAt,
    isAboveErrorThreshold: shown && usedTokens >= errorAt,
    isAboveAutoCompactThreshold: shown && autoCompactEnabled && usedTokens >= auto,
    isAtBlockingLimit: known && usedTokens >= blocking,
  };
  return {
    state: known ? highest(flags) : 'unknown',
    usedTokens,
    effectiveInputWindowTokens: effective,
    thresholdTokens: threshold,
    warningThresholdTokens: warningAt,
    errorThresholdTokens: errorAt,
    autoCompactThresholdTokens: auto,
    blockingLimitTokens: blocking,
    percentLeft: known ? percentLeft(usedTokens, threshold) : 100,
    ...flags,
    autoCompactEnabled,
    warningSuppressed: suppressWarning,
    tooSmall: known && auto === 0,
  };
}

function percentLeft(used: number, threshold: number): number {
  if (!(threshold > 0)) return 0;
  return clamp(Math.round(((threshold - used) / threshold) * 100), 0, 100);
}

type Flags = Pick<WarningState, 'isAboveWarningThreshold' | 'isAboveErrorThreshold' | 'isAboveAutoCompactThreshold' | 'isAtBlockingLimit'>;

/** The flags from the highest limit down. */
const LEVELS: readonly (readonly [flag: keyof Flags, level: WarningLevel])[] = [
  ['isAtBlockingLimit', 'blocked'],
  ['isAboveAutoCompactThreshold', 'autoCompact'],
  ['isAboveErrorThreshold', 'error'],
  ['isAboveWarningThreshold', 'warning'],
];

function highest(flags: Flags): WarningLevel {
  return LEVELS.find(([flag]) => flags[flag])?.[1] ?? 'normal';
}
