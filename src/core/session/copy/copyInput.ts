// What copies are made of, and what they become, whatever their format.
import type { CompactionPlan } from '../../compaction/plan';
import type { ClearedBlocks } from '../../compaction/microPlan';
import type { Message } from '../../model/message';
import type { Transcript } from '../../model/transcript';
import type { IdSource } from '../../ports/clock';
import { CompactError } from '../../errors/compactError';

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

/** The messages that a plan keeps, in their order, without marks of earlier compactions (a copy has one boundary, its own). */
export function keptMessages({ transcript, plan }: Pick<CopyInput, 'transcript' | 'plan'>): readonly Message[] {
  return messagesAt(transcript, plan.kept).filter((message) => message.kind !== 'boundary');
}

export function messagesAt(transcript: Transcript, indexes: readonly number[]): readonly Message[] {
  return indexes.flatMap((index) => transcript.messages[index] ?? []);
}

/** The error for a source that does not hold what was read from it. */
export function sourceChanged(line: number): CompactError {
  return new CompactError('staleSource', `line ${line} of the source is not the record that was read from it`);
}
