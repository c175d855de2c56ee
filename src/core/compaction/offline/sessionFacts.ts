// What the offline summarizer knows of a stretch of conversation. Every text is the transcript's own, word for word, unless a field says otherwise.

import type { Bearing } from './statements';

/** Where a fact comes from. */
export interface Source {
  /** Index of the message in the summarized messages. */
  readonly index: number;
  readonly id: string;
}

export interface UserRequest {
  readonly source: Source;
  /** The user's own words, one text for each block of the message, without what the agent's program added; a slash command as `/name arguments`. */
  readonly blocks: readonly string[];
  /** The agent's program answered it itself (a slash command with its own output), so it is never the request that is worked on. */
  readonly isHandled: boolean;
  /** The user stopped the agent while it worked on this. */
  readonly interrupted: boolean;
  /** `inWork`: the agent wrote something, but went on working after it. */
  readonly state: 'answered' | 'inWork' | 'unanswered';
}

/** A sentence in which the user states a rule, a limit or a decision. */
export interface UserStatement {
  readonly source: Source;
  readonly text: string;
  readonly bearing: Bearing;
  /** Stands only in the middle of a long pasted block. */
  readonly isPasted: boolean;
  readonly count: number;
}

/** An answer that the user gave in a question form of the agent, or the reason for refusing a call. */
export interface UserChoice {
  readonly source: Source;
  readonly kind: 'answer' | 'refusal';
  /** The agent's question, or the call that was refused. */
  readonly about: string;
  readonly text: string;
}

export type FileAction = 'created' | 'changed' | 'deleted' | 'read';

export interface FileFact {
  /** As the transcript writes it. */
  readonly path: string;
  /** Folder that a relative path is meant from, where a call states one that is not the session's usual folder. */
  readonly base: string | undefined;
  readonly actions: readonly FileAction[];
  readonly lastSource: Source;
}

export type CommandStatus = 'ok' | 'failed' | 'running' | 'refused' | 'unknown';

export interface CommandFact {
  readonly source: Source;
  /** The command without a leading `cd FOLDER &&` and without a trailing `| head` or `| tail`. */
  readonly command: string;
  /** Where it ran, when that is not the session's usual folder. */
  readonly folder: string | undefined;
  readonly runs: number;
  readonly failures: number;
  /** Of the last run. */
  readonly status: CommandStatus;
  /** Of the last run, as written in the result. */
  readonly exitCode: string | undefined;
  readonly seconds: string | undefined;
  /** Line of the last run's output that states how it went. */
  readonly line: string | undefined;
  /** Only reads, searches or lists. */
  readonly isLookUp: boolean;
  readonly inBackground: boolean;
}

export interface ProblemFact {
  readonly source: Source;
  /** The command, or the tool and its path. */
  readonly about: string;
  readonly isCommand: boolean;
  /** The telling line of the result. */
  readonly line: string;
  readonly count: number;
  /** The same command or the same tool on the same path succeeded later. */
  readonly fixed: boolean;
}

export type TodoStatus = 'open' | 'active' | 'done';

export interface TodoItem {
  readonly text: string;
  readonly status: TodoStatus;
}

/** One of the last things that the agent did. */
export interface LastCall {
  readonly name: string;
  readonly detail: string;
  readonly status: CommandStatus;
}

export interface OpenCall {
  readonly source: Source;
  readonly name: string;
  /** Its telling argument. */
  readonly detail: string;
}

export interface AnswerFact {
  readonly source: Source;
  /** No tool call follows it in its turn: the agent had finished. */
  readonly isFinal: boolean;
  readonly text: string;
}

/** What the agent wrote while it worked, before its last words of a turn. */
export interface NoteFact {
  readonly source: Source;
  readonly text: string;
}

/** What a sub-agent reported. */
export interface ReportFact {
  readonly source: Source;
  readonly task: string;
  readonly text: string;
}

export interface EarlierSummary {
  readonly source: Source;
  readonly text: string;
}

export interface SessionFacts {
  readonly messages: number;
  readonly toolCalls: number;
  readonly requests: readonly UserRequest[];
  readonly statements: readonly UserStatement[];
  readonly choices: readonly UserChoice[];
  readonly files: readonly FileFact[];
  readonly commands: readonly CommandFact[];
  readonly problems: readonly ProblemFact[];
  /** Oldest first; only the last answer of each turn. */
  readonly answers: readonly AnswerFact[];
  readonly notes: readonly NoteFact[];
  readonly reports: readonly ReportFact[];
  /** The newest list. */
  readonly todos: readonly TodoItem[];
  /** Items of older lists that were done and are not in the newest one. */
  readonly doneEarlier: readonly string[];
  readonly openCalls: readonly OpenCall[];
  /** Oldest first; only calls with a result. */
  readonly lastCalls: readonly LastCall[];
  /** Newest first. */
  readonly earlierSummaries: readonly EarlierSummary[];
  /** Folder in which most commands ran, where calls state it. */
  readonly folder: string | undefined;
  /** URLs, commit hashes, issue keys, versions and ports of user text and final answers, newest first. */
  readonly identifiers: readonly string[];
}
