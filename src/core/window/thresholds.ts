import { clamp } from '../util/clamp';

/** Distances between the limits, in tokens (seed 2, 2.2). Warning and error begin at one number: the seed's constants are equal. */
export const THRESHOLD_BUFFERS = { autoCompact: 13_000, warning: 20_000, error: 20_000, manualCompact: 3_000 } as const;

/** Room that is kept for the answer when the model's output limit is unknown or larger. */
export const MAX_OUTPUT_RESERVE = 20_000;

export interface WindowLimits {
  /** Size of the whole window; undefined when unknown. */
  readonly maxTokens: number | undefined;
  readonly maxOutputTokens: number | undefined;
}

/** Window minus the room for the answer; never negative, 0 for an unknown window (seed 2, EffectiveInputWindowSize). */
export function effectiveInputWindow({ maxTokens, maxOutputTokens }: WindowLimits): number {
  const output = maxOutputTokens ?? 0;
  const reserve = output > 0 && output <= MAX_OUTPUT_RESERVE ? output : MAX_OUTPUT_RESERVE;
  return atLeastZero((maxTokens ?? 0) - reserve);
}

/**
 * Tokens above which automatic compaction starts. A percent in (0, 100] of the effective window lowers it, and never raises it; anything
 * else is ignored. 0 means that the window is too small to compact automatically (seed 2, AutoCompactThresholdForWindow).
 */
export function autoCompactThreshold(effectiveWindow: number, percent?: number): number {
  const threshold = atLeastZero(effectiveWindow - THRESHOLD_BUFFERS.autoCompact);
  if (percent === undefined || !(percent > 0 && percent <= 100)) return threshold;
  const lowered = Math.floor((effectiveWindow * percent) / 100);
  return lowered > 0 && lowered < threshold ? lowered : threshold;
}

/**
 * Postpones automatic compaction to at least a percent of the effective window, but not past blocking: the trigger compares with `>`, so
 * the threshold stays below the blocking limit or where it was (seed 2, AutoCompactThresholdWithMinPercent; DECISIONS 15 of the specification).
 */
export function withMinPercent(threshold: number, effectiveWindow: number, percent: number): number {
  if (!(percent > 0)) return threshold;
  const floor = Math.floor((effectiveWindow * Math.min(percent, 100)) / 100);
  return Math.max(threshold, Math.min(floor, blockingLimit(effectiveWindow) - 1));
}

/** Tokens from which no request fits any more. An override above 0 replaces it, up to the effective window (seed 2, blocking limit). */
export function blockingLimit(effectiveWindow: number, override?: number): number {
  if (override !== undefined && override > 0) return Math.min(Math.trunc(override), effectiveWindow);
  return atLeastZero(effectiveWindow - THRESHOLD_BUFFERS.manualCompact);
}

/** A limit minus a distance, not below 0; 0 for what is no number. */
export function atLeastZero(value: number): number {
  return clamp(value, 0, Number.MAX_SAFE_INTEGER);
}
