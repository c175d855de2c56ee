// What is written down of each compaction, in a file of its own beside the copy: enough to undo it, to compare, and to start over from the
// original. It holds no key, no address and no wish of the user, and nothing of a transcript but the summary and ids.
import type { CompactionKind } from '../compaction/plan';
import type { FormatId } from '../model/transcript';

export const HISTORY_SCHEMA = 'context-inspector/history/v1';

export type HistoryKind = CompactionKind | 'micro';

/** A state of a source: of one file the hash of its bytes, the first of which stay when the agent appends; of a database or folder that of its stamp. */
export interface HistorySourceState {
  readonly kind: 'file' | 'parts';
  readonly sha256: string;
  readonly bytes: number;
}

/** The request that the plan was made for, so that it can be made again. */
export interface HistoryRequest {
  /** Message at the requested cut, for a partial compaction. */
  readonly pivotId: string | null;
  /** Newest messages that a full compaction kept. */
  readonly keepMessages: number | null;
}

export interface HistoryCost {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly usd: number | null;
}

export interface HistoryRecord {
  readonly schema: typeof HISTORY_SCHEMA;
  /** Version of this program. */
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Id of the new session; it names the record's file too. */
  readonly id: string;
  readonly format: FormatId;
  readonly kind: HistoryKind;
  readonly source: {
    /** From the record's folder; absolute where there is no way (another drive). */
    readonly path: string;
    readonly sessionId: string | null;
    readonly state: HistorySourceState;
  };
  readonly copy: { readonly name: string; readonly sha256: string; readonly bytes: number };
  readonly request: HistoryRequest;
  /** Ids of messages of the source. */
  readonly summarizedIds: readonly string[];
  readonly keptIds: readonly string[];
  /** Calls whose results were cleared. */
  readonly clearedIds: readonly string[];
  readonly order: 'summaryFirst' | 'keptFirst';
  /** Markdown of the summary alone; '' where nothing was summarized. */
  readonly summary: string;
  /** Id of the summary's message in the copy; null where nothing was summarized. */
  readonly summaryId: string | null;
  readonly summarizer: 'offline' | 'vscode' | 'openai';
  /** Model that wrote the summary; null for none. */
  readonly model: string | null;
  /** Null where nothing is known of it. */
  readonly cost: HistoryCost | null;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Name of the file of a record; hidden, and with an ending that no agent takes for a session. */
export function historyFileName(id: string): string {
  return `.context-inspector-${id}.history`;
}

/** True for the name of a record's file. */
export function isHistoryFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** True for an id as we make them: a UUID, or opencode's form of one. It may stand in a command line as it is. */
export function isCopyId(id: string): boolean {
  return ID.test(id);
}

/** The text of a record's file, without its last line end. */
export function historyText(record: HistoryRecord): string {
  return JSON.stringify(record, undefined, 1);
}

const ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|ses_[0-9a-f]{26})$/;
const FILE_NAME = /^\.context-inspector-(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|ses_[0-9a-f]{26})\.history$/;
