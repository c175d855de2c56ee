import { decisionTokens } from '../window/decisionTokens';
import { warningState, type WarningInput } from '../window/warningState';
import { currentInputUsage, type KnownEstimate, type WindowState } from '../window/windowState';
import { isBreakerOpen } from './circuitBreaker';

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

/** A policy that replaces a window's own numbers; 0 or absent leaves them. */
export interface TriggerPolicy {
  /** Replaces the automatic threshold. */
  readonly threshold?: number;
  /** Largest growth over the last report that a local estimate may claim. */
  readonly maxGrowth?: number;
}

/** Tokens below the threshold at which a progressive projection is tried. */
const PROJECTION_LEAD = 8000;

/**
 * True when the tokens that are known now are above the threshold (strictly). Never while the breaker is open (seed 2,
 * ContextWindow.ShouldCompact).
 */
export function shouldCompact(state: WindowState, threshold: number): boolean {
  return !isBreakerOpen(state) && currentInputUsage(state).tokens > threshold;
}

/**
 * True when the next request, reconciled with the last report, is above the threshold (strictly). Never while the breaker is open (seed 2,
 * ContextWindow.ShouldSnip, ContextWindow.ShouldSnipEstimate).
 */
export function shouldSnip(state: WindowState, estimate: KnownEstimate, threshold: number, policy: TriggerPolicy = {}): boolean {
  return !isBreakerOpen(state) && decisionTokens(state, estimate, policy.maxGrowth) > effectiveThreshold(threshold, policy);
}

/**
 * True when the next request comes within 8,000 tokens of the threshold. Never while the breaker is open (seed 2,
 * ContextWindow.ShouldProgressiveProjection).
 */
export function isProjectionDue(state: WindowState, estimate: KnownEstimate, threshold: number, policy: TriggerPolicy = {}): boolean {
  const start = Math.max(1, effectiveThreshold(threshold, policy) - PROJECTION_LEAD);
  return !isBreakerOpen(state) && decisionTokens(state, estimate, policy.maxGrowth) >= start;
}

function effectiveThreshold(own: number, { threshold = 0 }: TriggerPolicy): number {
  return threshold > 0 ? threshold : own;
}
