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
}

/** Progressive projection as a what-if: nothing is written. */
export interface ProjectionView {
  readonly admitted: boolean;
  /** Key of the reason for the decision (projection/types). */
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly netSavingsUsd: number | null;
  /** Largest saving first, at most 200. */
  readonly items: readonly ProjectionItemView[];
}
