// Plain data of a compaction as the page shows it: what is asked for, what it would do, what came of it. The rules of viewModel.ts hold here too.
import type { Category } from '../model/category';
import type { SummarizerChoice, WindowState } from './viewModel';

export type CompactionKindView = 'full' | 'partialUpTo' | 'partialFrom' | 'micro';

/** How much a summary may tell: fewer, as many, or more tokens than by default. */
export type SummaryDetail = 'brief' | 'normal' | 'full';

/** What the page asks for. Of the ways to name a pivot the first that is there counts: `pivotId`, `position`, `keepTurns`, `keepTokens`. */
export interface PlanRequestView {
  readonly kind: CompactionKindView;
  /** Id of the row; ignored for `full` and `micro`. */
  readonly pivotId?: string;
  /** Pivot as a place in the context, 0 … `contextCount`: where a person drags it to. */
  readonly position?: number;
  /** For `partialUpTo`: newest turns, or tokens, that stay at least. */
  readonly keepTurns?: number;
  readonly keepTokens?: number;
  /** For `full`: newest messages to keep. */
  readonly keepMessages?: number;
  /** For `micro`: the results to clear; absent: those that nothing protects. */
  readonly clear?: readonly string[];
  /** Who is to summarize, so that the cost is that one's. Offline when absent. */
  readonly summarizer?: SummarizerChoice;
  /** Absent: `normal`. */
  readonly detail?: SummaryDetail;
  /**
   * True while a person drags: the figures alone, which are there at once. The summary and what it loses take longer; the same request without
   * this brings them when the hand rests, and may be cancelled.
   */
  readonly figuresOnly?: boolean;
  /** Ids of messages that stay word for word; the host puts them in. Those that are not in the context count for nothing. */
  readonly pinned?: readonly string[];
}

export interface PlanPartView {
  readonly category: Category;
  readonly tokens: number;
}

export type LostKindView = 'constraint' | 'request' | 'file' | 'command' | 'error' | 'url' | 'identifier' | 'number';

export interface LostItemView {
  /** As it stands in the message, on one line, at most 300 characters. */
  readonly value: string;
  /** Message in which it stood, and its row; null when the message has none. */
  readonly messageId: string;
  readonly index: number | null;
}

/** What neither the summary nor the kept messages state any more: what matters most first. At most 200 items, the rest is only counted. */
export interface LostView {
  readonly count: number;
  readonly groups: readonly { readonly kind: LostKindView; readonly count: number; readonly items: readonly LostItemView[] }[];
}

/** Something lost that is to be quoted in the summary after all. The host looks it up among the lost items; it takes no text from the page. */
export interface PutBackView {
  readonly kind: LostKindView;
  readonly messageId: string;
  readonly value: string;
}

/** In tokens, and in dollars where the prices are known; null is unknown. */
export interface CostView {
  readonly summaryInputTokens: number;
  readonly summaryOutputTokens: number;
  /** Of the next request: what the cache still holds, and what must be written to it again. */
  readonly cacheKeptTokens: number;
  readonly cacheRewriteTokens: number;
  readonly savedTokensPerTurn: number;
  readonly summaryUsd: number | null;
  readonly rewriteUsd: number | null;
  readonly savedUsdPerTurn: number | null;
  /** Summary and rewriting. */
  readonly usd: number | null;
  /** Null: unknown, or never. */
  readonly paysBackAfterTurns: number | null;
  readonly priceSource: 'catalogue' | 'setting' | null;
  /** Model that the prices are of. */
  readonly priceModel: string | null;
}

/** What people would miss most: calls without a result, the last request, stated constraints. */
export interface SafetyView {
  readonly kind: 'openCall' | 'lastRequest' | 'constraint';
  /** First 200 characters, on one line. */
  readonly text: string;
  readonly messageId: string;
  readonly index: number | null;
  /** It stays in its message; the summary quotes it; neither. */
  readonly fate: 'kept' | 'quoted' | 'atRisk';
}

/** What holds for every plan, of whatever kind. */
interface PlanBase {
  readonly planId: string;
  readonly revision: number;
  /** Messages in the context. */
  readonly contextCount: number;
  readonly tokensBefore: number;
  readonly unattributedTokens: number;
  readonly tokensAfter: number;
  readonly before: readonly PlanPartView[];
  readonly after: readonly PlanPartView[];
  readonly stateAfter: WindowState;
  /** Turns at the present pace until the window fills again up to the automatic limit; null when unknown. */
  readonly refillTurns: number | null;
  /** Null where it cannot be told. */
  readonly cost: CostView | null;
}

export interface SummaryPlanView extends PlanBase {
  readonly outcome: 'plan';
  readonly kind: Exclude<CompactionKindView, 'micro'>;
  /** True: no summary was made. `summaryTokens` is about the most that it takes, and `summaryPreview`, `safety` and `lost` tell nothing yet. */
  readonly figuresOnly?: boolean;
  /** Row of the pivot that was asked for and of the cut that keeps pairs together; they differ when the cut had to move. */
  readonly pivotIndex: number | null;
  readonly cutIndex: number;
  /** Places in the context, 0 … `contextCount`: of the cut, and of the nearest cuts before and after it that differ; null at the ends. */
  readonly cutPosition: number;
  readonly previousPosition: number | null;
  readonly nextPosition: number | null;
  /** Turns that stay whole. */
  readonly keptTurns: number;
  readonly movedBecause: string | null;
  readonly summarizedIds: readonly string[];
  readonly keptIds: readonly string[];
  readonly summarizedCount: number;
  readonly keptCount: number;
  /** First and last row of the summarized range, for tinting. */
  readonly summarizedFrom: number;
  readonly summarizedTo: number;
  readonly tokensKept: number;
  readonly tokensSummarized: number;
  /** Size of the summary that is expected (exact for the offline summarizer, an upper bound for a model). */
  readonly summaryTokens: number;
  /** First 2,000 characters of the offline summary. */
  readonly summaryPreview: string;
  /** False: no agent has a command that goes on from a copy of this format; a prompt can still be given to any. */
  readonly resumable?: boolean;
  /** It would summarize an earlier summary whose originals are not to be had. */
  readonly ofSummary: boolean;
  readonly safety: readonly SafetyView[];
  /** What the offline summary would lose. */
  readonly lost: LostView;
}

export type ClearReasonView = 'superseded' | 'changed' | 'duplicate' | 'error' | 'old' | 'none';

/** A tool result that can be cleared. */
export interface ClearableView {
  readonly toolUseId: string;
  readonly messageId: string;
  readonly index: number;
  readonly tool: string;
  /** File, command or pattern, at most 200 characters on one line. */
  readonly about: string;
  readonly tokens: number;
  readonly turnsAgo: number;
  readonly reason: ClearReasonView;
  /** Why it is never chosen by itself; null: it may be. */
  readonly protection: 'person' | 'media' | 'newest' | 'pinned' | null;
  /** It is cleared by this plan. */
  readonly chosen: boolean;
}

export interface MicroPlanView extends PlanBase {
  readonly outcome: 'micro';
  readonly kind: 'micro';
  /** Largest first; at most 500. */
  readonly results: readonly ClearableView[];
  readonly resultCount: number;
  readonly clearedCount: number;
  readonly freedTokens: number;
  /** Why this choice cannot be written; null when it can. */
  readonly problem: string | null;
}

export interface PlanRefusalView {
  readonly outcome: 'refusal';
  readonly code: string;
  readonly message: string;
  /** No copy can be written, but 'compaction/prompt' takes this plan all the same. */
  readonly promptPlanId?: string;
}

export type PlanView = SummaryPlanView | MicroPlanView | PlanRefusalView;

export type RunView =
  | {
      readonly outcome: 'written';
      readonly kind: CompactionKindView;
      readonly fileName: string;
      readonly newSessionId: string;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly summary: string;
      readonly lost: LostView;
      /** Command that continues the agent from the copy; null where the agent has none. */
      readonly resume: string | null;
    }
  /** `offerOffline`: a model's summary did not pass; the offline one would. */
  | {
      readonly outcome: 'refused' | 'failed' | 'cancelled';
      readonly code: string;
      readonly message: string;
      readonly offerOffline?: boolean;
    };

export type ProgressStage = 'reading' | 'summarizing' | 'checking' | 'writing';

export interface ProgressView {
  readonly planId: string;
  readonly stage: ProgressStage;
  /** Characters received so far from a model; null where that says nothing. */
  readonly received: number | null;
}

/** A compaction of this or an earlier day, as the history tells it. */
export interface HistoryEntryView {
  /** Session id of the copy. */
  readonly id: string;
  readonly createdAt: string;
  readonly kind: CompactionKindView;
  readonly sourceName: string;
  readonly fileName: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly summarizer: SummarizerChoice;
  readonly model: string | null;
  readonly usd: number | null;
  /** The copy as it was written, changed since (an agent went on in it), or gone. */
  readonly copy: 'present' | 'changed' | 'missing';
  /** The original is as it was, has grown or changed, or is gone. */
  readonly source: 'present' | 'changed' | 'missing';
  /** The open session is the copy, or the original. */
  readonly role: 'copy' | 'original';
  readonly resume: string | null;
}
