import type { CompactBoundary } from './boundary';
import type { Message } from './message';

/** Ids of the formats; fixed by the command line's contract. */
export type FormatId =
  | 'claude-code'
  | 'codex'
  | 'gemini'
  | 'qwen'
  | 'docker-agent'
  | 'opencode'
  | 'cline'
  | 'roo'
  | 'kilo'
  | 'copilot-chat'
  | 'copilot-cli'
  | 'continue'
  | 'goose'
  | 'pi'
  | 'openhands'
  | 'swe-agent'
  | 'atif'
  | 'aider'
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'gemini-contents'
  | 'otel';

export type Severity = 'info' | 'warning' | 'error';

/**
 * Names of damage and oddities. A diagnostic never stops reading (R32).
 * Lost lines: bad_json, nul_padding, line_too_long, too_deep, truncated_tail. Repaired: invalid_utf8, fused_records, dangling_parent,
 * cycle, dup_uuid. For information: abandoned_branch, missing_preserved, no_messages, unknown_record, odd_content.
 */
export type DiagnosticCode =
  | 'bad_json'
  | 'nul_padding'
  | 'line_too_long'
  | 'too_deep'
  | 'truncated_tail'
  | 'invalid_utf8'
  | 'fused_records'
  | 'dangling_parent'
  | 'cycle'
  | 'dup_uuid'
  | 'abandoned_branch'
  | 'missing_preserved'
  | 'no_messages'
  | 'unknown_record'
  | 'odd_content';

export interface Diagnostic {
  /** 1-based line of the source; 0 when it is about the whole file. */
  readonly line: number;
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** A short fact for people (a count, an id); never text of the transcript. */
  readonly detail?: string;
}

/** One conversation of a sub-agent inside the file. */
export interface Sidechain {
  readonly id: string;
  readonly messages: readonly Message[];
}

/** A token count that the file states apart from any message (Codex `token_count`). */
export interface ContextReport {
  /** Messages before this index were in the context when it was made; the later ones were not. */
  readonly afterIndex: number;
  /** Size of the context including the reply, in tokens. */
  readonly contextTokens: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  /** Made up by the agent right after a compaction: its own estimate, no provider's number. */
  readonly isAgentEstimate: boolean;
  readonly line: number;
}

export interface SessionTotals {
  readonly responses: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
}

/**
 * A session as read from its file: the live branch in conversation order, including what lies before compaction boundaries. Abandoned
 * branches are left out with a diagnostic; side chains stand apart. Immutable; a longer file gives a new value.
 */
export interface Transcript {
  readonly format: FormatId;
  readonly agentVersion: string | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  readonly title: string | undefined;
  /** The model that will answer next. */
  readonly model: string | undefined;
  /** Window that the transcript itself states, in tokens. */
  readonly windowTokens: number | undefined;
  readonly messages: readonly Message[];
  /** Indexes into `messages` of what is in the context now, in the order in which the model sees it. */
  readonly context: readonly number[];
  readonly boundaries: readonly CompactBoundary[];
  readonly sidechains: readonly Sidechain[];
  /** Stated apart from messages, oldest first; undefined where usage stands on the messages. */
  readonly reports: readonly ContextReport[] | undefined;
  /** Usage of every response, side chains included, each counted once (R23). */
  readonly totals: SessionTotals;
  readonly diagnostics: readonly Diagnostic[];
  /** Only the last part of the file was read so far: what stands before it is neither among the messages nor in the totals. Absent: all was read. */
  readonly isLastPart?: true;
}
