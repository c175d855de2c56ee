import { CompactError, isCompactError } from '../errors/compactError';
import type { CompactTrigger } from '../model/boundary';
import type { CompactionResult } from '../model/compactionResult';
import type { Message } from '../model/message';
import type { TokenCounter } from '../ports/tokenCounter';
import { estimateConversation } from '../tokens/conversationEstimate';
import { decisionTokens } from '../window/decisionTokens';
import { EMPTY_WINDOW_STATE, type KnownEstimate, type WindowState } from '../window/windowState';
import { afterFailure, afterSuccess, MAX_CONSECUTIVE_FAILURES } from './circuitBreaker';
import type { Compactor } from './compact';
import type { EventSink } from './events';
import { postCompactMessages, type CompactionOutcome } from './result';
import { isStalled, stallAfter, type Stall } from './stall';
import type { TriggerPolicy } from './trigger';

/** What automatic compaction remembers between two requests. Immutable, so a checkpoint is the value itself. */
export interface AutoCompactState {
  readonly window: WindowState;
  readonly stall: Stall | undefined;
  /** Compactions in a row that were made and could not be installed. The window's own state does not know them (P30). */
  readonly failedInstalls: number;
}

/** The state of a session that has not compacted yet. */
export const INITIAL_AUTO_STATE: AutoCompactState = { window: EMPTY_WINDOW_STATE, stall: undefined, failedInstalls: 0 };

export interface AutoCompactInput {
  readonly messages: readonly Message[];
  readonly state: AutoCompactState;
  /** The user's switch; it wins over everything else. */
  readonly enabled: boolean;
  /** The window's automatic threshold; 0 for an unknown window or one that is too small: then nothing starts (R19). */
  readonly threshold: number;
  readonly policy?: TriggerPolicy;
  readonly compactor: Pick<Compactor, 'compact'> | undefined;
  readonly counter: TokenCounter;
  /** Of the exact request that is about to be sent; absent: of the messages alone. */
  readonly estimate?: KnownEstimate;
  readonly keepMessages?: number;
  readonly trigger?: CompactTrigger;
  readonly signal: AbortSignal;
  readonly onEvent?: EventSink;
}

export type SkipReason = 'disabled' | 'unavailable' | 'noThreshold' | 'breakerOpen' | 'belowThreshold' | 'noProgress';

export interface AutoCompactDecision {
  /** Undefined when compaction is due. */
  readonly skip: SkipReason | undefined;
  /** Report and all that came since (R21). */
  readonly tokens: number;
  readonly threshold: number;
}

/** Every outcome carries the state that follows from it; the caller keeps it once the rest of its step has succeeded. */
export type AutoCompactOutcome =
  | { readonly outcome: 'skipped'; readonly reason: SkipReason; readonly state: AutoCompactState }
  | {
      readonly outcome: 'compacted';
      readonly result: CompactionResult;
      /** The new view is over the threshold too: nothing more happens by itself until the use has been below it. */
      readonly isStillOver: boolean;
      readonly state: AutoCompactState;
    }
  | { readonly outcome: 'unchanged'; readonly reason: string; readonly state: AutoCompactState }
  | { readonly outcome: 'failed'; readonly error: unknown; readonly state: AutoCompactState };

/** Decides whether automatic compaction is due before the next request. Compares strictly (DECISIONS 4). */
export function autoCompactDecision(input: AutoCompactInput): AutoCompactDecision {
  const { messages, state, policy = {} } = input;
  const threshold = (policy.threshold ?? 0) > 0 ? (policy.threshold ?? 0) : input.threshold;
  const estimate = input.estimate ?? { knownTotal: estimateConversation(messages, input.counter).knownTotal, complete: true };
  const tokens = decisionTokens(state.window, estimate, policy.maxGrowth);
  return { skip: skipReason(input, tokens, threshold), tokens, threshold };
}

/**
 * Compacts before a request when it is due (seed 2, AutoCompactIfNeeded), and owns the breaker: three failures in a row stop it, and so does a run
 * that changed nothing or not enough, until something has changed (R09). Never rejects: an error is an outcome with the next state.
 */
export async function autoCompact(input: AutoCompactInput): Promise<AutoCompactOutcome> {
  const { messages, state, compactor, signal } = input;
  const { skip, tokens, threshold } = autoCompactDecision(input);
  if (skip !== undefined || compactor === undefined) {
    const reason = skip ?? 'unavailable';
    return { outcome: 'skipped', reason, state: reason === 'belowThreshold' ? { ...state, stall: undefined } : state };
  }
  const trigger = input.trigger ?? 'auto';
  const about = { trigger, preTokens: tokens, originalMessages: messages.length, threshold };
  const tell = input.onEvent ?? ignore;
  tell({ kind: 'autoAttempt', ...about, consecutiveFailures: state.window.consecutiveFailures, maxFailures: MAX_CONSECUTIVE_FAILURES });
  const failed = (error: unknown): AutoCompactOutcome => {
    // A cancelled attempt is as if it had never begun (R15); one that timed out is not.
    const window = signal.aborted ? state.window : afterFailure(state.window);
    const code = isCompactError(error) ? error.code : 'other';
    const counts = { consecutiveFailures: window.consecutiveFailures, maxFailures: MAX_CONSECUTIVE_FAILURES };
    tell({ kind: 'autoFailure', ...about, ...counts, code });
    return { outcome: 'failed', error, state: { ...state, window } };
  };
  let outcome: CompactionOutcome;
  try {
    outcome = await compactor.compact(messages, { trigger, keepMessages: input.keepMessages, signal });
  } catch (error) {
    return failed(error);
  }
  if (outcome.outcome === 'unchanged') {
    // A model was asked in vain: that counts, or it would be asked again at every step.
    if (outcome.reason === 'notSmaller') return failed(new CompactError('notSmaller'));
    return { outcome: 'unchanged', reason: outcome.reason, state: { ...state, stall: stallAfter(messages, false) } };
  }
  const view = postCompactMessages(outcome);
  const { postTokens, preTokens, usage } = outcome;
  // What the estimate of the messages lacks (system prompt, tools) is in the new request too.
  const isStillOver = tokens - Math.max(preTokens - postTokens, 0) > threshold;
  const window = afterSuccess(state.window);
  const made = { postTokens, compactedMessages: view.length, usage, consecutiveFailures: window.consecutiveFailures };
  tell({ kind: 'autoSuccess', ...about, ...made, wouldRetrigger: postTokens >= threshold });
  return { outcome: 'compacted', result: outcome, isStillOver, state: { ...state, window, stall: stallAfter(view, isStillOver) } };
}

function skipReason({ enabled, compactor, messages, state }: AutoCompactInput, tokens: number, threshold: number): SkipReason | undefined {
  if (!enabled) return 'disabled';
  if (compactor === undefined) return 'unavailable';
  if (!(threshold > 0)) return 'noThreshold';
  if (state.window.consecutiveFailures + state.failedInstalls >= MAX_CONSECUTIVE_FAILURES) return 'breakerOpen';
  if (!(tokens > threshold)) return 'belowThreshold';
  return isStalled(state.stall, messages) ? 'noProgress' : undefined;
}

function ignore(): void {
  // Nobody listens.
}
