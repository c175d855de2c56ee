import type { ControlAuthority } from '../boundary/authority';
import { createBoundaryMessage, isBoundaryMessage, parseBoundaryMessage } from '../boundary/boundaryMessage';
import { summaryMessage } from '../boundary/summaryMessage';
import type { CompactErrorCode } from '../errors/compactError';
import type { CompactionResult } from '../model/compactionResult';
import type { Message } from '../model/message';
import { continuationText } from '../prompts/continuation';
import type { SummaryNote } from '../ports/summarizer';
import type { CompactionPlan, PlanRefusal } from './plan';
import type { PlanInput } from './planInput';

/** A compaction that was run: the summary exists and was checked. Nothing has been written yet. */
export interface CompactionRun {
  readonly outcome: 'summarized';
  /** Markdown of the summary alone. */
  readonly summary: string;
  /** The summary with the fixed wording around it, as it stands in the new session's summary message. */
  readonly continuation: string;
  /** Estimate of that summary message. */
  readonly summaryTokens: number;
  /** Both views by the same estimator, each plus the same unattributed residual. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens that the summarizer's call cost; undefined when nothing was reported. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  /** What a reader of the summary should know; absent when there is nothing. */
  readonly notes?: readonly SummaryNote[];
}

export type RunOutcome = CompactionRun | PlanRefusal;

/** One place of the new view. `index` counts in the transcript's messages. */
export type ViewItem = { readonly kind: 'boundary' } | { readonly kind: 'summary' } | { readonly kind: 'kept'; readonly index: number };

/**
 * Order of the new view: the boundary first, then summary and kept messages. The summary stands where the messages stood that it replaces
 * (P04): before the kept ones for a full compaction and `upTo`, after them for `from`.
 */
export function viewOrder(plan: Pick<CompactionPlan, 'kept' | 'order'>): readonly ViewItem[] {
  const kept = plan.kept.map((index): ViewItem => ({ kind: 'kept', index }));
  return plan.order === 'summaryFirst'
    ? [{ kind: 'boundary' }, { kind: 'summary' }, ...kept]
    : [{ kind: 'boundary' }, ...kept, { kind: 'summary' }];
}

/** What the model sees after the compaction: the summary message and the kept messages, these unchanged (P04). */
export function messagesAfter(input: PlanInput, plan: Pick<CompactionPlan, 'kept' | 'order'>, continuation: string): readonly Message[] {
  const summary = summaryMessage(continuation);
  return viewOrder(plan).flatMap((item) => {
    if (item.kind === 'boundary') return [];
    return item.kind === 'summary' ? summary : (input.messages[item.index] ?? []);
  });
}

/** The text that carries a summary into the new session, for a plan's order (seed 2, continuation messages). */
export function continuationFor(plan: Pick<CompactionPlan, 'order'>, summary: string, original: string | undefined): string {
  const kept = plan.order === 'summaryFirst' ? 'after' : 'before';
  return continuationText({ summary, kept, ...(original === undefined ? {} : { original }) });
}

/** Nothing was done, and why: an expected outcome. The history stays as it is, and no counter is reset (R16). */
export interface UnchangedHistory {
  readonly outcome: 'unchanged';
  readonly reason: CompactErrorCode;
  readonly detail: string | undefined;
  /** The messages of the context, as they were. */
  readonly kept: readonly Message[];
}

/** What a compaction of a running session answers; failures are CompactErrors. */
export type CompactionOutcome = CompactionResult | UnchangedHistory;

/**
 * The messages after a compaction in canonical order: boundary, summary, kept messages, attachments, hook results, or the prepared list in
 * their place (seed 2, BuildPostCompactMessages). The first boundary gets the sizes that are known by now; a sealed one is sealed again by
 * its authority, for the same scope.
 */
export function postCompactMessages(outcome: CompactionOutcome, authority?: ControlAuthority): readonly Message[] {
  if (outcome.outcome === 'unchanged') return outcome.kept;
  const { boundary, summaries, kept, attachments, hookResults, prepared } = outcome;
  const view = prepared ?? [boundary, ...summaries, ...kept, ...attachments, ...hookResults];
  const at = view.findIndex(isBoundaryMessage);
  const first = view[at];
  return first === undefined ? view : view.with(at, withSizes(first, outcome, authority));
}

/** Sizes of 0 say nothing and leave what stands there. */
function withSizes(boundary: Message, result: CompactionResult, authority: ControlAuthority | undefined): Message {
  const metadata = parseBoundaryMessage(boundary);
  if (metadata === undefined) return boundary;
  const { content } = createBoundaryMessage({
    ...metadata,
    preTokens: result.preTokens > 0 ? result.preTokens : metadata.preTokens,
    postTokens: result.postTokens > 0 ? result.postTokens : metadata.postTokens,
    truePostTokens: result.postTokens > 0 ? result.postTokens : metadata.truePostTokens,
    usage: result.usage ?? metadata.usage,
  });
  return authority === undefined ? { ...boundary, content } : authority.copy(boundary, { content });
}
