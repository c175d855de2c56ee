// The talk between whoever shows sessions (extension host, command line, tests) and the engine, which reads, counts, plans and writes.
// The engine runs in a worker thread of the extension host, or in the caller's own thread.
import type { BoundaryReportView, ProjectionAnswer } from '../../core/protocol/boundaryReportView';
import type { RowView, SessionPatch, SessionView } from '../../core/protocol/viewModel';
import type {
  HistoryEntryView,
  PlanRequestView,
  PlanView,
  ProgressView,
  RunView,
  PutBackView,
  SummaryDetail,
} from '../../core/protocol/planView';
import type { ModelAnswer, ModelQuestion } from './hostModels';
import type { LimitsProfile } from '../../core/window/agentLimits';
import type { PriceOverride } from '../../core/window/prices';
import type { InspectReport } from '../../core/view/inspectReport';

/** What a reader of numbers may choose. Absent means: decide by the transcript. */
export interface InspectOptions {
  /** Window in tokens; wins over everything. */
  readonly windowTokens?: number;
  /** Model to take the window from, in place of the transcript's. */
  readonly model?: string;
  /** Model glob → window tokens (setting `window.overrides`). */
  readonly windowOverrides?: Readonly<Record<string, number>>;
  readonly autoCompactEnabled?: boolean;
  /** Whose limits count (setting `limits.profile`); `auto` when absent. */
  readonly limitsProfile?: LimitsProfile;
  /** Estimate of a picture of unknown size, in tokens. */
  readonly imageTokens?: number;
  /** `auto` counts with o200k_base; `chars` uses the bytes/3.5 heuristic and loads no tokenizer. */
  readonly tokenizer?: 'auto' | 'o200k_base' | 'cl100k_base' | 'chars';
  /** Model glob → dollars for a million tokens (setting `pricing.overrides`); previews and runs look at it, previews alone at the two below. */
  readonly pricing?: Readonly<Record<string, PriceOverride>>;
  /** Earlier summaries are summarized themselves (setting `compaction.ofSummary`). */
  readonly ofSummary?: boolean;
  /** Model of the server that summarizes, for what it costs. */
  readonly summarizerModel?: string;
  /** Most tokens of its answer (setting `summarizer.maxOutputTokens`). */
  readonly maxOutputTokens?: number;
}

export type SummarizerSpec =
  | { readonly kind: 'offline' }
  | {
      readonly kind: 'openai';
      readonly baseUrl: string;
      readonly model: string;
      readonly apiKey: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
      readonly timeoutMs: number;
    }
  /** A language model of the editor, which only the host can ask; `label` is what people know it as. */
  | { readonly kind: 'vscode'; readonly label: string };

export interface SessionEntry {
  /** A file, a folder, or `DATABASE#SESSION`. */
  readonly path: string;
  readonly fileName: string;
  readonly format: string;
  readonly agent: string;
  readonly sessionId: string | null;
  readonly title: string;
  readonly model: string | null;
  readonly usedTokens: number | null;
  readonly measurement: string;
  readonly windowTokens: number | null;
  readonly percentUsed: number | null;
  readonly state: string;
  readonly lastActivityMs: number;
  readonly bytes: number;
  /** Sessions of its sub-agents, newest first; absent where there are none. */
  readonly subagents?: readonly SessionEntry[];
  /** Path of the session that this one is a sub-agent of. */
  readonly parentPath?: string;
}

export interface DiscoverOptions {
  /** Absolute folders of the workspace. */
  readonly folders: readonly string[];
  /** Sessions of the whole machine and not of these folders alone. */
  readonly all: boolean;
  /** Agent id → more folders to look in. */
  readonly extraPaths: Readonly<Record<string, readonly string[]>>;
  /** At most this many, newest first. */
  readonly limit: number;
}

/** A compaction of the history. Paths stay on the host's side of the page. */
export interface HistoryItem {
  readonly view: HistoryEntryView;
  readonly copyPath: string;
  readonly sourcePath: string;
  /** Working folder that the open session states. */
  readonly cwd: string | null;
  /** The request by which the original is compacted in the same way. */
  readonly again: PlanRequestView;
}

export interface EngineRequests {
  /** Opens a transcript, starts to watch it, and answers the whole view. Rejects with a ReadError's code as `inner`. */
  'session/open': { params: { path: string; options: InspectOptions; watch: boolean; pollMs: number }; result: SessionView };
  'session/close': { params: { handle: string }; result: null };
  'session/options': { params: { handle: string; options: InspectOptions }; result: SessionView };
  /** The present view again, at its present revision. */
  'session/snapshot': { params: { handle: string }; result: SessionView };
  'rows/read': { params: { handle: string; from: number; to: number }; result: { revision: number; rows: readonly RowView[] } };
  'compaction/preview': { params: { handle: string; request: PlanRequestView }; result: PlanView };
  /** The two messages that a model would be sent for a plan, as one text, and the number of likely secrets that were masked. Sends nothing. */
  'compaction/request': {
    params: { handle: string; planId: string; instructions: string; detail?: SummaryDetail };
    result: { text: string; masked: number };
  };
  'compaction/run': {
    params: {
      handle: string;
      planId: string;
      summarizer: SummarizerSpec;
      instructions: string;
      detail?: SummaryDetail;
      putBack?: readonly PutBackView[];
      /** Most tokens of a model's answer (setting `summarizer.maxOutputTokens`); 8,000 when absent. */
      maxOutputTokens?: number;
    };
    /** `path` of the written copy stays on the host's side of the page. */
    result: { view: RunView; path: string | null };
  };
  /**
   * Writes another copy with the summary of a copy of this session, and with what that one lost quoted at its end. No model is asked, and the
   * first copy stays. Progress comes with the id of the first copy in the place of a plan's.
   */
  'compaction/putBack': {
    params: { handle: string; newSessionId: string; items: readonly PutBackView[] };
    result: { view: RunView; path: string | null };
  };
  /** What a compaction of the past did, by the ordinal of its boundary. Rejects with CompactError `unknownMessage` where there is no such one. */
  'boundary/report': { params: { handle: string; index: number }; result: BoundaryReportView };
  /** What progressive projection would do to the results of the present context. Changes nothing. */
  'projection/preview': { params: { handle: string }; result: ProjectionAnswer };
  /** The new context of a plan as a text that any agent can go on from. Writes nothing. */
  'compaction/prompt': {
    params: EngineRequests['compaction/run']['params'];
    result: { readonly outcome: 'prompt'; readonly prompt: string } | Exclude<RunView, { readonly outcome: 'written' }>;
  };
  /** Compactions that a session is the copy or the original of, newest first. */
  'history/list': { params: { handle: string }; result: readonly HistoryItem[] };
  /** Removes a copy and its note, if the copy is in the state of the hash: null means as it was written. */
  'history/undo': {
    params: { handle: string; id: string; sha256: string | null };
    result: { readonly outcome: 'removed'; readonly sha256: null } | { readonly outcome: 'changed'; readonly sha256: string };
  };
  /** What a model sees of original and copy, for reading. Rejects with ReadError where one of them cannot be read. */
  'history/texts': { params: { handle: string; id: string }; result: { readonly source: string; readonly copy: string } };
  /** What came of a question to a model of the host (`model/asked`). */
  'model/answer': { params: { callId: string; answer: ModelAnswer }; result: null };
  'message/read': { params: { handle: string; messageId: string }; result: { text: string; line: number; index: number } };
  /** Row that a 1-based line of the file belongs to, or the nearest one before it; null when there is none. */
  'line/message': { params: { handle: string; line: number }; result: { messageId: string; index: number } | null };
  inspect: { params: { path: string; options: InspectOptions; messages: boolean }; result: InspectReport };
  'sessions/list': { params: DiscoverOptions; result: { sessions: readonly SessionEntry[]; lookedIn: readonly string[] } };
}

export interface EngineEvents {
  'session/patched': SessionPatch;
  'compaction/progress': ProgressView & { readonly handle: string };
  /** The host is to ask the model that is chosen there. */
  'model/asked': ModelQuestion;
  /** The answer to a question is not wanted any more. */
  'model/stopped': { readonly callId: string };
  /** A watched file cannot be read any more, or can again (`problem` null comes as an ordinary patch). */
  'session/problem': { readonly handle: string; readonly code: string; readonly message: string };
}
