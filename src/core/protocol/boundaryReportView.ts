// Plain data about a compaction that an agent made itself. The rules of viewModel.ts hold here too.
import type { LostView, PlanPartView } from './planView';

/** A fault in the chain of records around a boundary. */
export interface ChainFaultView {
  readonly kind: 'missingParent' | 'missingSummary' | 'missingPreserved' | 'stalePreserved' | 'duplicateId' | 'wrongOrder';
  /** Ids that it is about, at most 20. */
  readonly ids: readonly string[];
}

/** Content that came back after a compaction. */
export interface RefillItemView {
  readonly cause: 'repeatedCall' | 'reread' | 'largeResult' | 'reinjected' | 'newWork';
  /** File, command or tool; at most 200 characters on one line. */
  readonly about: string;
  readonly tokens: number;
  readonly messageId: string;
  readonly index: number;
  /** Row before the boundary that held the same; null when there is none. */
  readonly sameAsIndex: number | null;
}

export interface BoundaryReportView {
  /** Ordinal of the boundary. */
  readonly index: number;
  readonly before: readonly PlanPartView[];
  readonly after: readonly PlanPartView[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Messages that were summarized, kept word for word, and cleared of their results. */
  readonly summarizedCount: number;
  readonly keptCount: number;
  readonly clearedCount: number;
  /** Rows of those that were cleared, at most 50. */
  readonly clearedRows: readonly number[];
  /** What neither the summary nor the kept messages state; null where the file hides the summary. */
  readonly lost: LostView | null;
  readonly faults: readonly ChainFaultView[];
  /** An earlier summary was summarized again. */
  readonly ofSummary: boolean;
  /** What filled the context again in the turns after it, largest first, at most 50; null where nothing came. */
  readonly refill: { readonly turns: number; readonly tokens: number; readonly items: readonly RefillItemView[] } | null;
}

/** What progressive projection would do to one tool result. */
export interface ProjectionItemView {
  readonly toolUseId: string;
  readonly messageId: string;
  readonly index: number;
  readonly tool: string;
  readonly about: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** What would stand in its place: short pieces of it, only where it looked, or all of it as it is. */
  readonly form: 'rewrite' | 'index' | 'whole';
  /** Why it stays whole; null when it would not. */
  readonly keptBecause: ProjectionKeptReason | null;
}

/**
 * Why a result stays whole: its tool has no shorter form, it failed, holds a picture, is not shorter otherwise, nothing has answered it yet, it
 * is newer than the last change of a file, it is among the newest of its tool, the limits of a session are used up, or enough is saved without it.
 */
export type ProjectionKeptReason =
  'otherTool' | 'failed' | 'media' | 'notShorter' | 'notAnswered' | 'inUse' | 'newest' | 'limit' | 'notNeeded';

/**
 * Why it is done or not. As the projection itself decides: `avoidsCompact`, `netSavings`; `incompleteEstimate`, `unknownPricing`, `tokenSavings`,
 * `compactThreshold`, `cost`, `sessionBudget`, `anomaly`, `shadow`, `disabled`. Before it came to that: `tooEarly` (no file was changed and the limit is
 * far), `patchFailed` (the newest change failed), `notAnswered` (no answer has seen a result yet), `nothingSuitable`.
 */
export type ProjectionReasonView =
  | 'avoidsCompact'
  | 'netSavings'
  | 'disabled'
  | 'incompleteEstimate'
  | 'unknownPricing'
  | 'tokenSavings'
  | 'compactThreshold'
  | 'cost'
  | 'sessionBudget'
  | 'anomaly'
  | 'shadow'
  | 'tooEarly'
  | 'patchFailed'
  | 'notAnswered'
  | 'nothingSuitable';

/** Progressive projection as a what-if: nothing is written. Sizes are of the whole context. */
export interface ProjectionView {
  readonly admitted: boolean;
  readonly reason: ProjectionReasonView;
  readonly tokensBefore: number;
  /** With the items below, also where that is not admitted. */
  readonly tokensAfter: number;
  /** Null where prices are unknown, or it did not come to that. */
  readonly netSavingsUsd: number | null;
  /** Results of the context, all of them. */
  readonly resultCount: number;
  /** Largest saving first, then the largest; at most 200. */
  readonly items: readonly ProjectionItemView[];
}

export type ProjectionAnswer = ProjectionView | { readonly outcome: 'refusal'; readonly code: string; readonly message: string };
