// The whole talk between host and page, and between host and engine. Ids go out, ids come back: no path, command name or markup from the
// page is ever acted upon (R57).
import type { BoundaryReportView, ProjectionAnswer } from './boundaryReportView';
import type { RowView, SessionPatch, SessionView, SummarizerChoice, UiSettings } from './viewModel';
import type { HistoryEntryView, PlanRequestView, PlanView, ProgressView, RunView, PutBackView, SummaryDetail } from './planView';

export interface RequestMap {
  readonly [name: string]: { readonly params: unknown; readonly result: unknown };
}

/** What the page asks of the host. */
export interface PageRequests {
  /** Sent when the page is ready and whenever it lost track: answers the whole view. */
  'session/open': { params: Record<string, never>; result: { session: SessionView; settings: UiSettings; pinned: readonly string[] } };
  /** Rows [from, to); fewer when the list is shorter. At most 500 at once. */
  'rows/read': { params: { handle: string; from: number; to: number }; result: { revision: number; rows: readonly RowView[] } };
  'compaction/preview': { params: { handle: string; request: PlanRequestView }; result: PlanView };
  'compaction/run': {
    params: {
      handle: string;
      planId: string;
      summarizer: SummarizerChoice;
      instructions: string;
      detail?: SummaryDetail;
      putBack?: readonly PutBackView[];
    };
    result: RunView;
  };
  /** Writes another copy of a run of this page, with what that one lost quoted at the end of its summary. No model is asked. */
  'compaction/putBack': { params: { handle: string; newSessionId: string; items: readonly PutBackView[] }; result: RunView };
  /** The focused row, so that commands from the palette and the keyboard know their target; null when none. */
  'selection/changed': { params: { handle: string; messageId: string | null }; result: null };
  'transcript/reveal': { params: { handle: string; messageId: string }; result: null };
  'message/copy': { params: { handle: string; messageId: string }; result: null };
  /** Opens what a model would be sent for a plan as a document. Sends nothing. */
  'compaction/request': { params: { handle: string; planId: string; instructions: string }; result: null };
  /** Puts the new context of a plan on the clipboard, as a text that any agent can go on from. A model is asked as for a run. */
  'compaction/prompt': {
    params: {
      handle: string;
      planId: string;
      summarizer: SummarizerChoice;
      instructions: string;
      detail?: SummaryDetail;
      putBack?: readonly PutBackView[];
    };
    result: { readonly copied: boolean; readonly message: string };
  };
  /** Opens a copy, copies the command that continues the agent from it, or runs that command in a terminal. Of this page's runs and of the history. */
  'copy/open': { params: { handle: string; newSessionId: string }; result: null };
  'copy/resume': { params: { handle: string; newSessionId: string }; result: null };
  'copy/run': { params: { handle: string; newSessionId: string }; result: null };
  /** Compactions that the open session is the copy or the original of, newest first. */
  'history/list': { params: { handle: string }; result: readonly HistoryEntryView[] };
  /** Removes a copy after the host has asked. `message` tells why it was kept; null when the user said no. */
  'history/undo': {
    params: { handle: string; id: string };
    result: { readonly outcome: 'undone' | 'kept'; readonly message: string | null };
  };
  /** Shows the texts of original and copy side by side. */
  'history/compare': { params: { handle: string; id: string }; result: null };
  /** Opens the original with a preview of the same compaction. */
  'history/again': { params: { handle: string; id: string }; result: null };
  /** What a compaction of the past did, by the ordinal of its boundary. */
  'boundary/report': { params: { handle: string; index: number }; result: BoundaryReportView };
  /** What progressive projection would do to the results of the present context. Changes nothing. */
  'projection/preview': { params: { handle: string }; result: ProjectionAnswer };
  'session/pick': { params: Record<string, never>; result: null };
  'window/set': { params: { handle: string }; result: null };
  'summarizer/select': { params: Record<string, never>; result: null };
}

export interface PageEvents {
  'session/patched': SessionPatch;
  /** The panel shows another session (or the same one read anew). */
  'session/replaced': SessionView;
  'compaction/progress': ProgressView;
  'settings/changed': UiSettings;
  /** Ids of the messages of the shown session that the user has pinned, all of them. */
  'pins/changed': { readonly messageIds: readonly string[] };
  /** A menu command asks the page to show a preview at a row. */
  'preview/show': { readonly request: PlanRequestView };
  /** Shows and selects a row. With `index` at once; without it the page looks for the id, newest rows first. */
  'row/reveal': { readonly messageId: string; readonly index?: number };
}

export type Handlers<Requests extends object> = {
  readonly [Name in keyof Requests]: Requests[Name] extends { params: infer P; result: infer R }
    ? (params: P, signal: AbortSignal) => Promise<R>
    : never;
};
