import type { Message } from '../model/message';
import type { Usage } from '../model/usage';
import type { TokenCounter } from '../ports/tokenCounter';
import { estimateConversation } from '../tokens/conversationEstimate';
import type { RequestOverhead, TokenEstimate } from '../tokens/estimateTypes';
import { autoCompactThreshold, effectiveInputWindow, withMinPercent, type WindowLimits } from './thresholds';
import { warningState, type WarningInput, type WarningState } from './warningState';
import {
  currentInputUsage,
  EMPTY_WINDOW_STATE,
  withLocalEstimate,
  withPostCompactEstimate,
  withUsage,
  type InputUsage,
  type KnownEstimate,
  type WindowState,
} from './windowState';

/** What of a warning state is a matter of settings. Without `usedTokens` the window's own usage counts. */
export type WarningOptions = Omit<WarningInput, 'maxTokens' | 'maxOutputTokens' | 'usedTokens' | 'suppressWarning'> & {
  readonly usedTokens?: number;
};

/** Settings that move the automatic threshold, in percent of the effective window. */
export type ThresholdOptions = Pick<WarningInput, 'thresholdPercent' | 'minPercent'>;

/** A moment of one window. There is nothing to read in it, nobody can make one up, and only the window that gave it out takes it back. */
export interface WindowCheckpoint {
  readonly kind: 'windowCheckpoint';
}

/**
 * The window of one running conversation (seed 2, ContextWindow). It holds one immutable state that every report replaces, so a checkpoint is
 * a reference to it and a failed installation is undone in one assignment.
 */
export class ContextWindow {
  #state: WindowState = EMPTY_WINDOW_STATE;
  readonly #checkpoints = new WeakMap<WindowCheckpoint, WindowState>();

  /** Without a counter every estimate is incomplete and 0. */
  constructor(
    readonly model: WindowLimits,
    readonly counter: TokenCounter | undefined,
  ) {}

  /** The state as a value, for the pure questions about it (`shouldCompact`, `decisionTokens`, `previousCacheRead` …). */
  get state(): WindowState {
    return this.#state;
  }

  /** Takes in what a provider reported; undefined changes nothing. */
  reportUsage(usage: Usage | undefined): void {
    this.#state = withUsage(this.#state, usage);
  }

  /** Shows a local estimate until the next report. */
  reportLocalEstimate(estimate: KnownEstimate): void {
    this.#state = withLocalEstimate(this.#state, estimate);
  }

  /** Puts the estimate of a compacted view in the place of all older numbers; 0 or less: nothing is known any more. */
  reportPostCompact(tokens: number): void {
    this.#state = withPostCompactEstimate(this.#state, tokens);
  }

  /** Takes in how a compaction ended: one of the breaker's transitions (`afterFailure`, `afterSuccess`, `afterMicrocompact`). */
  reportOutcome(transition: (state: WindowState) => WindowState): void {
    this.#state = transition(this.#state);
  }

  /** Tokens in the window now, and where the number comes from. */
  get usage(): InputUsage {
    return currentInputUsage(this.#state);
  }

  /** Window minus the room for the answer, in tokens; 0 when unknown. */
  get effectiveInputWindow(): number {
    return effectiveInputWindow(this.model);
  }

  /** Tokens of the effective window that are left; negative beyond it, undefined while the window is unknown. */
  get remaining(): number | undefined {
    const { maxTokens } = this.model;
    return maxTokens !== undefined && maxTokens > 0 ? this.effectiveInputWindow - this.usage.tokens : undefined;
  }

  /** Tokens above which automatic compaction starts, without any setting. */
  get autoCompactThreshold(): number {
    return this.autoCompactThresholdWith({});
  }

  /** Tokens above which automatic compaction starts: lowered first, then postponed, as the warning state does it. */
  autoCompactThresholdWith({ thresholdPercent, minPercent }: ThresholdOptions): number {
    const lowered = autoCompactThreshold(this.effectiveInputWindow, thresholdPercent);
    return minPercent === undefined ? lowered : withMinPercent(lowered, this.effectiveInputWindow, minPercent);
  }

  /** Where the usage, or another one, stands against the limits. Warnings are hidden from a compaction to the next report. */
  warningState(options: WarningOptions): WarningState {
    const { maxTokens, maxOutputTokens } = this.model;
    const { usedTokens = this.usage.tokens, ...settings } = options;
    return warningState({ ...settings, maxTokens, maxOutputTokens, usedTokens, suppressWarning: this.#state.isWarningSuppressed });
  }

  /** Estimates messages with the window's counter; the parts that `overhead` does not tell stay unknown. */
  estimate(messages: readonly Message[], overhead?: RequestOverhead): TokenEstimate {
    return estimateConversation(messages, this.counter, overhead);
  }

  /** What `restore` brings back: usage, estimate, warnings and failures. */
  checkpoint(): WindowCheckpoint {
    const checkpoint: WindowCheckpoint = Object.freeze({ kind: 'windowCheckpoint' });
    this.#checkpoints.set(checkpoint, this.#state);
    return checkpoint;
  }

  /** Goes back to a checkpoint, as often as wanted. Throws for one that this window has not given out. */
  restore(checkpoint: WindowCheckpoint): void {
    const state = this.#checkpoints.get(checkpoint);
    if (state === undefined) throw new Error('a checkpoint belongs to the window that gave it out');
    this.#state = state;
  }
}
