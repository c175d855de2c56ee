// Plain data that the page draws and the host's own views show. Made only by core/view; holds no HTML, no paths to act on, no commands.
// Text of a transcript in here is data: draw it with textContent.
import type { Category } from '../model/category';

export type { Category } from '../model/category';

export type ViewMeasurement = 'reported' | 'estimate' | 'lowerBound' | 'derived' | 'unknown';

/** normal "OK", warning "Filling up", error "Nearly full", autoCompact "Compacts next", blocked "Blocked", unknown "Unknown window". */
export type WindowState = 'normal' | 'warning' | 'error' | 'autoCompact' | 'blocked' | 'unknown';

export interface CategoryView {
  readonly category: Category;
  readonly tokens: number;
  readonly measurement: ViewMeasurement;
}

export type LimitKind = 'warning' | 'error' | 'autoCompact' | 'blocked';

export interface LimitView {
  readonly kind: LimitKind;
  /** Tokens at which it begins. */
  readonly at: number;
}

/** The rule by which the agent itself compacts, beside the limits. */
export interface AgentLimitView {
  /** Name of the agent. */
  readonly agent: string;
  readonly at: number;
  /** It compacts before its next request. */
  readonly due: boolean;
  /** It was chosen by setting, so it is also the automatic limit of the gauge. */
  readonly chosen: boolean;
}

/** percent of the window; of what a prompt may take; until auto-compact; what the agent shows; what it decides by. */
export type CounterKind = 'window' | 'usable' | 'untilCompact' | 'agentShows' | 'agentDecides';

export interface CounterView {
  readonly kind: CounterKind;
  readonly usedTokens: number;
  readonly ofTokens: number;
  readonly percent: number;
  /** The percent is of what is left. */
  readonly left: boolean;
}

export interface GaugeView {
  readonly state: WindowState;
  readonly usedTokens: number;
  readonly measurement: ViewMeasurement;
  /** The reported part of `usedTokens`, null when nothing is reported since the last boundary. */
  readonly reportedTokens: number | null;
  readonly estimatedTailTokens: number;
  /** Half width of the band that nine of ten estimates of `usedTokens` stay in; 0 when all of it is reported. */
  readonly errorTokens: number;
  /** Null when the window is unknown: then there is no percent and no limit. */
  readonly windowTokens: number | null;
  readonly windowSource: 'transcript' | 'setting' | 'catalogue' | 'assumed' | null;
  readonly effectiveInputWindowTokens: number | null;
  readonly outputReserveTokens: number | null;
  /** Share of the whole window, 0 … 100 and above when over-full; null when unknown. */
  readonly percentUsed: number | null;
  /** Share left until the threshold, 0 … 100. */
  readonly percentLeft: number | null;
  readonly limits: readonly LimitView[];
  readonly agentLimit: AgentLimitView | null;
  readonly counters: readonly CounterView[];
  /** The next limit above the usage and how far it is, in tokens and in turns at the present pace. */
  readonly next: { readonly kind: LimitKind; readonly tokens: number; readonly turns: number | null } | null;
  /** True where the reserve leaves no room to work in: automatic compaction is off. */
  readonly tooSmall: boolean;
}

export interface PreservedSegmentView {
  readonly startIndex: number | null;
  readonly count: number;
  readonly anchor: string | null;
  readonly direction: 'from' | 'upTo' | null;
  readonly ids: readonly string[];
}

export interface BoundaryView {
  /** Ordinal of the boundary, 0 first. */
  readonly index: number;
  /** Row that it stands at. */
  readonly rowIndex: number;
  readonly id: string;
  readonly timestamp: string | null;
  readonly trigger: string;
  readonly preTokens: number | null;
  readonly postTokens: number | null;
  readonly durationMs: number | null;
  readonly summaryId: string | null;
  /** Text of the summary, cut at 4,000 characters. */
  readonly summary: string | null;
  readonly summaryTokens: number | null;
  readonly preserved: PreservedSegmentView | null;
  /** Messages before it that are no longer in the context. */
  readonly summarizedCount: number;
  readonly valid: boolean;
}

export type RowKind =
  'user' | 'assistant' | 'toolUse' | 'toolResult' | 'summary' | 'boundary' | 'microBoundary' | 'attachment' | 'meta' | 'error' | 'system';

/** One message of the list. */
export interface RowView {
  readonly index: number;
  readonly id: string;
  readonly kind: RowKind;
  /** In the context now. */
  readonly active: boolean;
  /** Carried over by the latest compaction from before its boundary. */
  readonly preserved: boolean;
  /** First 200 characters of the text, on one line. */
  readonly preview: string;
  /** Tool name or similar, shown before the preview; '' when there is none. */
  readonly label: string;
  readonly tokens: number;
  readonly measurement: ViewMeasurement;
  readonly category: Category;
  readonly timestamp: string | null;
  readonly isError: boolean;
  readonly hasMedia: boolean;
  /** A partial compaction may be asked for at this row. */
  readonly canCompact: boolean;
}

export interface DiagnosticView {
  readonly line: number;
  readonly code: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly detail: string;
}

export interface SidechainView {
  readonly id: string;
  readonly messages: number;
  readonly usedTokens: number;
}

/** A reported context. */
export interface TimelinePointView {
  /** Row that the report stands at. */
  readonly index: number;
  /** Prompt and reply. */
  readonly tokens: number;
  /** Ordinal of the part between two compactions. */
  readonly stretch: number;
}

export type TimelineMarkView =
  | {
      readonly kind: 'jump';
      readonly index: number;
      readonly tokens: number;
      readonly cause: 'otherModel' | 'pictures' | 'pause' | 'reminders' | 'hidden';
    }
  | {
      readonly kind: 'drop';
      readonly index: number;
      readonly tokens: number;
      readonly cause: 'clearedResults' | 'otherModel' | 'thinkingLeftOut' | 'silent';
    }
  | {
      readonly kind: 'refill';
      readonly index: number;
      readonly tokens: number;
      readonly cause: 'repeatedCalls' | 'largeResults' | 'reinjected' | 'newWork';
    };

/** The size of the context over the session, as far as it was reported, and what the messages do not explain of it. */
export interface TimelineView {
  readonly points: readonly TimelinePointView[];
  /** In the order of their rows. */
  readonly marks: readonly TimelineMarkView[];
  readonly peakTokens: number;
  /** Number of reports that the points were chosen from. */
  readonly reports: number;
  /** It begins with the session; else with its newest messages. */
  readonly whole: boolean;
}

/** The list as a whole; rows themselves are asked for by range. */
export interface RowsView {
  readonly count: number;
  readonly activeCount: number;
  /** Largest row, which the bars are scaled to. */
  readonly maxTokens: number;
}

export interface SessionView {
  readonly revision: number;
  /** Handle of the open session, for requests; no path. */
  readonly handle: string;
  readonly title: string;
  readonly fileName: string;
  readonly format: string;
  /** `Claude Code`, `Codex` … */
  readonly agent: string;
  readonly agentVersion: string | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly turns: number;
  /** Written to within the last minutes, or watched and growing. */
  readonly live: boolean;
  /** Only the last part of the file was read so far: the gauge stands, and the rest comes with a later revision. */
  readonly partial: boolean;
  readonly gauge: GaugeView;
  readonly categories: readonly CategoryView[];
  readonly boundaries: readonly BoundaryView[];
  /** Null where fewer than two contexts were reported. */
  readonly timeline: TimelineView | null;
  readonly rows: RowsView;
  readonly sidechains: readonly SidechainView[];
  readonly diagnostics: readonly DiagnosticView[];
  /** Refusal shown in the place of the list when the file could not be read (any more). */
  readonly problem: string | null;
  readonly canCompact: boolean;
}

/**
 * What changed from revision `from` to revision `to` (= from + 1). Parts that are absent are unchanged. Rows from `rowsFrom` on may differ
 * from what the page has; null when no row changed.
 */
export interface SessionPatch {
  readonly handle: string;
  readonly from: number;
  readonly to: number;
  readonly changes: Partial<Omit<SessionView, 'revision' | 'handle'>>;
  readonly rowsFrom: number | null;
}

/** Who writes a summary: this machine, a language model of the editor, or a server. */
export type SummarizerChoice = 'offline' | 'vscode' | 'openai';

export interface UiSettings {
  readonly locale: string;
  readonly summarizer: SummarizerChoice;
  /** Name of the model and host behind `openai`, for the label; '' when not set up. */
  readonly openaiLabel: string;
  /** Name of the editor's language model; '' when none is chosen. */
  readonly vscodeLabel: string;
  readonly keepMessages: number;
  /** The workspace is trusted, so sending and writing are allowed. */
  readonly canAct: boolean;
  /** Translations of the page's texts by key (uiStrings.ts); absent or missing keys are shown in English. */
  readonly strings?: Readonly<Record<string, string>>;
}
