import { messagesAfterBoundary } from '../boundary/activeSlice';
import { EMPTY_CACHE_EDITS, type CacheEditState } from '../micro/cacheEditState';
import { planCacheEdits } from '../micro/cacheEdits';
import type { MicrocompactOptions } from '../micro/config';
import { clearIdleToolResults } from '../micro/timeBased';
import type { Message } from '../model/message';
import { stripProviderPrivate, stripReplacementRecords } from '../prepare/stripRuntime';
import { projectToolResults } from '../projection/apply';
import { isProjectionHalted, settleProjection } from '../projection/settle';
import type { Admission, Decision } from '../projection/types';
import type { TokenEstimate } from '../tokens/estimateTypes';
import { applyToolResultBudget, type BudgetFailure, type BudgetOptions, type ReplacementStore } from '../toolResults/applyBudget';
import { EMPTY_REPLACEMENTS, type ReplacementRecord, type ReplacementState } from '../toolResults/replacementState';
import { truncateToolResults } from '../toolResults/truncate';

/** The steps before a request, in their order (seed 2, 2.13). */
export const VIEW_STEPS = ['afterBoundary', 'stripPrivate', 'resultBudget', 'projection', 'truncate', 'microcompact'] as const;

export type ViewStep = (typeof VIEW_STEPS)[number];

/** What a conversation carries from one request to the next. */
export interface ViewState {
  readonly replacements: ReplacementState;
  readonly cacheEdits: CacheEditState;
  /** Projections in a row that had to be taken back. */
  readonly anomalies: number;
}

export const EMPTY_VIEW_STATE: ViewState = { replacements: EMPTY_REPLACEMENTS, cacheEdits: EMPTY_CACHE_EDITS, anomalies: 0 };

/** Which steps are taken, and how; a step whose part is absent is off. The first two are always taken. */
export interface ViewPolicy {
  /** Size of the request that would carry these messages. */
  readonly estimate: (messages: readonly Message[]) => TokenEstimate;
  /** By default a boundary is what its record says. */
  readonly isBoundary?: (message: Message) => boolean;
  readonly resultBudget?: BudgetOptions & { readonly store: ReplacementStore | undefined };
  readonly projection?: { readonly admission: Omit<Admission, 'rawRequestTokens'>; readonly maxConsecutiveAnomalies: number };
  /** UTF-16 units per result. */
  readonly truncate?: { readonly maxCharsPerResult?: number };
  /** `now` is in ms since 1970. Orders to a cache are made only where one is warm. */
  readonly microcompact?: { readonly options: MicrocompactOptions; readonly now: number; readonly isCacheWarm: boolean };
}

/** What one step did. */
export interface StepAccount {
  readonly step: ViewStep;
  readonly outcome: 'off' | 'unchanged' | 'changed';
  /** Messages that the step left out or changed. */
  readonly messages: number;
  /** Estimate before the step minus estimate after it; below 0 where it added something. */
  readonly savedTokens: number;
  /** Why a projection was admitted or not; of that step alone, and only when something could be projected. */
  readonly decision?: Decision;
}

export interface ProviderView {
  readonly messages: readonly Message[];
  readonly state: ViewState;
  /** Decisions made now, to be kept with the conversation. */
  readonly records: readonly ReplacementRecord[];
  /** Results that the store did not take; they stay whole. */
  readonly failures: readonly BudgetFailure[];
  readonly estimate: TokenEstimate;
  /** One account per step, in order. */
  readonly steps: readonly StepAccount[];
}

/**
 * Makes the view that a provider gets of a conversation. The conversation stays as it is; `state` is the one that the last call gave back. The
 * next step, an automatic compaction, is the caller's: it decides by `estimate` and installs what it makes. Rejects only when the result
 * budget's signal aborts (seed 2, order of steps before a request).
 */
export async function providerView(history: readonly Message[], state: ViewState, policy: ViewPolicy): Promise<ProviderView> {
  const draft = new Draft(history, state, policy);
  draft.take('afterBoundary', messagesAfterBoundary(history, policy.isBoundary));
  draft.take('stripPrivate', stripReplacementRecords(stripProviderPrivate(draft.messages)));
  await holdToBudget(draft);
  project(draft);
  truncate(draft);
  microcompact(draft);
  return draft.view();
}

/** The view while it is being made. */
class Draft {
  readonly records: ReplacementRecord[] = [];
  readonly failures: BudgetFailure[] = [];
  readonly #steps: StepAccount[] = [];
  #estimate: TokenEstimate;

  constructor(
    public messages: readonly Message[],
    public state: ViewState,
    readonly policy: ViewPolicy,
  ) {
    this.#estimate = policy.estimate(messages);
  }

  get estimate(): TokenEstimate {
    return this.#estimate;
  }

  take(step: ViewStep, messages: readonly Message[], decision?: Decision): void {
    const kept = new Set(messages);
    const touched = messages === this.messages ? 0 : this.messages.filter((message) => !kept.has(message)).length;
    const before = this.#estimate.knownTotal;
    if (touched > 0) this.#estimate = this.policy.estimate(messages);
    this.messages = messages;
    const savedTokens = before - this.#estimate.knownTotal;
    const outcome = touched > 0 ? 'changed' : 'unchanged';
    this.#steps.push({ step, outcome, messages: touched, savedTokens, ...(decision === undefined ? {} : { decision }) });
  }

  skip(step: ViewStep): void {
    this.#steps.push({ step, outcome: 'off', messages: 0, savedTokens: 0 });
  }

  view(): ProviderView {
    const { messages, state, records, failures, estimate } = this;
    return { messages, state, records, failures, estimate, steps: this.#steps };
  }
}

async function holdToBudget(draft: Draft): Promise<void> {
  const { resultBudget } = draft.policy;
  if (resultBudget === undefined) {
    draft.skip('resultBudget');
    return;
  }
  const outcome = await applyToolResultBudget(draft.messages, draft.state.replacements, resultBudget.store, resultBudget);
  draft.state = { ...draft.state, replacements: outcome.state };
  draft.records.push(...outcome.records);
  draft.failures.push(...outcome.failures);
  draft.take('resultBudget', outcome.messages);
}

function project(draft: Draft): void {
  const { projection } = draft.policy;
  const { replacements, anomalies } = draft.state;
  if (projection === undefined || isProjectionHalted(anomalies, projection.maxConsecutiveAnomalies)) {
    draft.skip('projection');
    return;
  }
  const { estimate, messages } = draft;
  const rawRequestTokens = estimate.complete ? estimate.knownTotal : undefined;
  const proposed = projectToolResults(messages, replacements, { ...projection.admission, rawRequestTokens });
  const before = { messages, state: replacements, rawRequestTokens: estimate.knownTotal };
  const { result, anomalies: next } = settleProjection(proposed, before, draft.policy.estimate(proposed.messages), anomalies);
  draft.state = { ...draft.state, replacements: result.state, anomalies: next };
  draft.records.push(...result.records);
  draft.take('projection', result.messages, proposed.trigger === undefined ? undefined : result.decision);
}

function truncate(draft: Draft): void {
  const { truncate: limits } = draft.policy;
  if (limits === undefined) {
    draft.skip('truncate');
    return;
  }
  draft.take('truncate', truncateToolResults(draft.messages, limits.maxCharsPerResult));
}

/** After an idle time the cache is cold, so results are cleared in the text and earlier orders to the cache mean nothing any more. */
function microcompact(draft: Draft): void {
  const { microcompact: policy } = draft.policy;
  if (policy === undefined) {
    draft.skip('microcompact');
    return;
  }
  const idle = clearIdleToolResults(draft.messages, policy.options, policy.now);
  if (idle.changed) {
    draft.state = { ...draft.state, cacheEdits: EMPTY_CACHE_EDITS };
    draft.take('microcompact', idle.messages);
    return;
  }
  if (!policy.isCacheWarm) {
    draft.take('microcompact', draft.messages);
    return;
  }
  const { result, state } = planCacheEdits(draft.messages, policy.options, draft.state.cacheEdits);
  draft.state = { ...draft.state, cacheEdits: state };
  draft.take('microcompact', result.messages);
}
