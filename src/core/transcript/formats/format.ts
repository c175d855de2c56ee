import type { ContentBlock } from '../../model/message';
import type { Diagnostic, FormatId, Transcript } from '../../model/transcript';
import type { Steps } from '../../util/steps';
import type { SourceRecord } from '../lineReader';

/** Collects the records of one file and makes the transcript of them. Records are given once, in file order. */
export interface RecordCollector {
  add(record: SourceRecord): void;
  /**
   * The transcript of all records so far and of `tail`, the records of an unfinished last line, which may come again through `add` as the
   * same objects. A message whose record did not change is the same object in every answer.
   */
  assemble(tail: readonly SourceRecord[], damage: readonly Diagnostic[]): Transcript;
  /** The same in pieces, between which nothing is added. Absent where assembling is never long. */
  assembleSteps?(tail: readonly SourceRecord[], damage: readonly Diagnostic[]): Steps<Transcript>;
  /** True while assembling costs by what was added since the last time; absent where it never does. */
  onlyGrows?(tail: readonly SourceRecord[]): boolean;
}

/** How one agent stores its sessions. It only recognises and translates. */
export interface TranscriptFormat {
  readonly id: FormatId;
  readonly agent: string;
  /** How sure the first values of a file are of this format, from 0 (no sign of it) to 1. By structure, never by file name. */
  recognise(sample: readonly unknown[]): number;
  collect(): RecordCollector;
  /**
   * Present where each line gives one message at most, so that its long texts may stay in the file. Records then come with long strings cut
   * (`SourceRecord.stored`), and the collector hands `stored` on to `messageOf`.
   */
  readonly stored?: {
    /** True for a line on whose texts more depends than the content of its message: it comes whole. Given the line without its long texts. */
    needsWhole(outline: unknown): boolean;
    /** Content of the message that a whole line gives: the same number of blocks of the same types as its outline gave. */
    contentOf(value: unknown): readonly ContentBlock[];
  };
}
