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
  /** Present where the long texts of a file's lines may stay in the file. */
  readonly stored?: StoredTexts;
}

/**
 * How a format leaves long texts in the file. Its records then come with `SourceRecord.stored`, which the collector hands on to `messageOf` for
 * each message that it makes of the line, once and always in the same order; long strings of their values may be cut.
 */
export interface StoredTexts {
  /** True for a line on whose texts more depends than the content of its messages: its value comes whole. Given the line without its long texts. */
  needsWhole(outline: unknown): boolean;
  /** Contents of the messages that a whole line gives, one behind the other: as many blocks of the same types as its record gave. */
  contentOf(value: unknown): readonly ContentBlock[];
}
