import type { CompactErrorCode } from '../errors/compactError';
import type { PartialDirection } from '../model/boundary';

export type CompactionKind = 'full' | 'partialUpTo' | 'partialFrom';

/** Where a person cuts: at a message, or at a position in the context, 0 … its length. An id names an entry's id or index, or the provider's message id (its first fragment). */
export type Place = { readonly pivotId: string } | { readonly position: number };

/** How many of the newest turns, or tokens, stay at least. */
export type KeptEnd = { readonly keepTurns: number } | { readonly keepTokens: number };

/** Any way to say where to cut. */
export type PivotChoice = Place | KeptEnd;

/** What the user asked for. */
export type PlanRequest = Pins &
  (
    | { readonly kind: 'full'; readonly keepMessages: number }
    | ({ readonly kind: 'partialUpTo' | 'partialFrom' } & Place)
    | ({ readonly kind: 'partialUpTo' } & KeptEnd)
  );

/** What must survive whatever the cut is. */
export interface Pins {
  /** Ids of messages, or of calls, that stay word for word with all that belongs to them. */
  readonly pinned?: readonly string[];
}

/**
 * A compaction that could be run, as a plain value: it can be shown, tested and logged, and exactly this value is what runs later.
 * `summarized` and `kept` hold indexes into `Transcript.messages`, in the order in which the model sees them; every message of the context
 * is in exactly one of them (P02).
 */
export interface CompactionPlan {
  readonly outcome: 'plan';
  readonly kind: CompactionKind;
  readonly direction: PartialDirection | undefined;
  /** Revision of the transcript it was made for; another revision needs a new plan. */
  readonly revision: number;
  readonly summarized: readonly number[];
  readonly kept: readonly number[];
  /** Where the summary stands in the new view. */
  readonly order: 'summaryFirst' | 'keptFirst';
  /** Positions in `Transcript.context`: of the requested pivot, and of the cut that keeps pairs and fragments together. */
  readonly requestedCut: number;
  readonly cut: number;
  /** Estimates in tokens by one estimator: all of the context, its kept part, and the summarized part. */
  readonly tokensBefore: number;
  readonly tokensKept: number;
  readonly tokensSummarized: number;
  /** Reported context minus the estimate of the visible messages: system prompt, tool definitions and what the file does not hold. */
  readonly unattributedTokens: number;
}

/** Why no plan was made. An expected outcome: a value, shown to the user, nothing else happens. */
export interface PlanRefusal {
  readonly outcome: 'refusal';
  readonly code: CompactErrorCode;
  readonly detail?: string;
}
