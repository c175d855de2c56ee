import type { WindowState } from '../window/windowState';

/** After this many failed attempts in a row automatic compaction stops (R09). */
export const MAX_CONSECUTIVE_FAILURES = 3;

/** True when too many attempts have failed in a row (seed 2, three consecutive failures; P30). */
export function isBreakerOpen(state: WindowState): boolean {
  return state.consecutiveFailures >= MAX_CONSECUTIVE_FAILURES;
}

/** Counts a failed attempt (seed 2, ContextWindow.RecordCompactFailure). */
export function afterFailure(state: WindowState): WindowState {
  return { ...state, consecutiveFailures: state.consecutiveFailures + 1 };
}

/** Resets the count, and hides warnings until the next report (seed 2, ContextWindow.RecordCompactSuccess). */
export function afterSuccess(state: WindowState): WindowState {
  return { ...state, consecutiveFailures: 0, isWarningSuppressed: true };
}

/**
 * Hides warnings until the next report; clearing old results says nothing about failed summaries (seed 2,
 * ContextWindow.RecordMicrocompactSuccess).
 */
export function afterMicrocompact(state: WindowState): WindowState {
  return { ...state, isWarningSuppressed: true };
}
