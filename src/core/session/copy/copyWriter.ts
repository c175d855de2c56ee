import type { CompactionPlan } from '../../compaction/plan';
import type { ClearedBlocks } from '../../compaction/microPlan';
import type { Message } from '../../model/message';
import type { FormatId, Transcript } from '../../model/transcript';
import type { IdSource } from '../../ports/clock';
import { CompactError } from '../../errors/compactError';
import { writeClaudeCodeCopy } from './claudeCode';
import { writeCodexCopy } from './codex';
import { writeDockerAgentCopy } from './dockerAgent';
import { withoutRepeatedResults, writeGeminiCopy } from './gemini';
import { writeMessagesCopy } from './messages';
import { withoutEmpty, writeOpencodeCopy } from './opencode';
import { writePiCopy } from './pi';
import { writeQwenCopy } from './qwen';
import { snapshotText, THANKS } from './snapshot';

/** All that a compacted copy is made of. The same input gives the same records (P72). */
export interface CopyInput {
  readonly transcript: Transcript;
  readonly plan: CopyPlan;
  /** Text of a 1-based line of the source without its line end; undefined past the end. */
  readonly lines: (line: number) => string | undefined;
  readonly lineCount: number;
  /** Text of the whole source, where it is one JSON document and has no lines. */
  readonly document?: string;
  /** Values of the source's records, where it is a database or a folder and has neither lines nor a document. */
  readonly parts?: readonly unknown[];
  /** The summary as it shall stand in the summary message; undefined where nothing is summarized. */
  readonly summary: string | undefined;
  /** Index into `transcript.messages` → tool results that lose their text. */
  readonly cleared?: ReadonlyMap<number, ClearedBlocks>;
  readonly newSessionId: string;
  readonly ids: IdSource;
  /** ISO 8601, UTC. */
  readonly now: string;
  /** Estimated size of the context before and after. */
  readonly tokens: { readonly before: number; readonly after: number };
}

/** What a copy follows of a plan. */
export type CopyPlan = Pick<CompactionPlan, 'kept' | 'summarized' | 'order'>;

export interface Copy {
  /** Lines of the new file, without line ends. */
  readonly records: readonly string[];
  readonly boundary: {
    readonly id: string | undefined;
    readonly summaryId: string | undefined;
    /** Ids of the kept messages as they stand in the copy, in order. */
    readonly preservedIds: readonly string[];
  };
}

export type CopyWriter = (input: CopyInput) => Copy;

/** How copies of a format are written, and where they read back otherwise than as summary and kept messages. */
interface CopyForm {
  readonly write: CopyWriter;
  /** The summary as its message says it; absent: word for word. */
  readonly summaryText?: (summary: string) => string;
  /** What stands behind the summary in the model's name. */
  readonly thanks?: string;
  /** The messages that are copied of those that a plan keeps. */
  readonly copied?: (kept: readonly Message[]) => readonly Message[];
}

const COPY_FORMS: Partial<Record<FormatId, CopyForm>> = {
  'claude-code': { write: writeClaudeCodeCopy },
  codex: { write: writeCodexCopy },
  gemini: { write: writeGeminiCopy, summaryText: snapshotText, thanks: THANKS, copied: withoutRepeatedResults },
  qwen: { write: writeQwenCopy, summaryText: snapshotText, thanks: THANKS },
  'docker-agent': { write: writeDockerAgentCopy },
  opencode: { write: writeOpencodeCopy, copied: withoutEmpty },
  pi: { write: writePiCopy },
  'anthropic-messages': { write: writeMessagesCopy },
  'openai-chat': { write: writeMessagesCopy },
};

/**
 * Makes the records of a new session in the source's own format: summary and kept messages, in the order of the plan. Throws CompactError
 * `staleSource` when a kept message is no longer where the transcript says, and `notSupported` for a format that no copy can be written in.
 */
export function buildCopy(input: CopyInput): Copy {
  const form = COPY_FORMS[input.transcript.format];
  if (form === undefined) throw new CompactError('notSupported', `no copy is written in the format ${input.transcript.format}`);
  return form.write(input);
}

/** True for a format that compacted copies can be written in. Each of them can say every kind: full, up to, from and micro. */
export function canWriteCopy(format: FormatId): boolean {
  return COPY_FORMS[format] !== undefined;
}

/** How a summary reads back from a copy of a format: its message's text, and what stands behind it in the model's name. */
export function copiedSummary(format: FormatId, summary: string): { readonly text: string; readonly thanks: string | undefined } {
  const form = COPY_FORMS[format];
  return { text: form?.summaryText?.(summary) ?? summary, thanks: form?.thanks };
}

/** The messages that a plan keeps, in their order, without marks of earlier compactions (a copy has one boundary, its own). */
export function keptMessages({ transcript, plan }: Pick<CopyInput, 'transcript' | 'plan'>): readonly Message[] {
  return messagesAt(transcript, plan.kept).filter((message) => message.kind !== 'boundary');
}

/** The kept messages that stand in the copy. */
export function copiedMessages(input: Pick<CopyInput, 'transcript' | 'plan'>): readonly Message[] {
  const kept = keptMessages(input);
  return COPY_FORMS[input.transcript.format]?.copied?.(kept) ?? kept;
}

export function messagesAt(transcript: Transcript, indexes: readonly number[]): readonly Message[] {
  return indexes.flatMap((index) => transcript.messages[index] ?? []);
}

/** The error for a source that does not hold what was read from it. */
export function sourceChanged(line: number): CompactError {
  return new CompactError('staleSource', `line ${line} of the source is not the record that was read from it`);
}
