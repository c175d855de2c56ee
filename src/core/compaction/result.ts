import { summaryMessage } from '../boundary/summaryMessage';
import type { Message } from '../model/message';
import { continuationText } from '../prompts/continuation';
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

/** What the model sees after the compaction: the summary message and the kept messages, these unchanged. */
export function messagesAfter(input: PlanInput, plan: Pick<CompactionPlan, 'kept' | 'order'>, continuation: string): readonly Message[] {
  const summary = summaryMessage(continuation);
  return viewOrder(plan).flatMap((item) => {
    if (item.kind === 'boundary') return [];
    return item.kind === 'summary' ? summary : (input.messages[item.index] ?? []);
  });
}

/** The text that carries a summary into the new session, for a plan's order. */
export function continuationFor(plan: Pick<CompactionPlan, 'order'>, summary: string, original: string | undefined): string {
  const kept = plan.order === 'summaryFirst' ? 'after' : 'before';
  return continuationText({ summary, kept, ...(original === undefined ? {} : { original }) });
}
