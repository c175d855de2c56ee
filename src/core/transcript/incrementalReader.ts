import { ReadError } from '../errors/readError';
import type { FormatId, Transcript } from '../model/transcript';
import type { StoredBytes } from '../ports/storedBytes';
import { finish, type Steps } from '../util/steps';
import { DocumentBuffer } from './documentBuffer';
import { FORMATS } from './formats';
import type { RecordCollector, TranscriptFormat } from './formats/format';
import { DEFAULT_LINE_LIMITS, LineReader, type LineBatch, type LineLimits, type SourceRecord } from './lineReader';
import type { LinePlace } from './lineIndex';
import { StoredLines } from './storedLines';

export interface ReaderOptions {
  /** Reads the bytes as this format, whatever they look like; an empty file then is an empty session. */
  readonly format?: FormatId;
  readonly limits?: Partial<LineLimits>;
  /** The file that the bytes come from: where the format allows it, long texts stay there and are read when they are asked for. */
  readonly stored?: StoredBytes;
  /** Line that the first bytes belong to, where reading begins in the middle of a file; absent: the first line. */
  readonly start?: LinePlace;
}

/** Records that are looked at before a file counts as recognised for good. */
const SAMPLE_RECORDS = 200;
const SURE = 0.9;
/** A file that no format knows by then is not kept in memory any longer. */
const GIVE_UP_RECORDS = 20_000;
/** Bytes of a file that are taken at a time until its format is known for good. */
const FIRST_BYTES = 64 * 1024;

interface Choice {
  readonly format: TranscriptFormat;
  readonly collector: RecordCollector;
  /** How many of the waiting records the collector has. */
  given: number;
  isFinal: boolean;
}

/**
 * Makes transcripts of a file that grows. How the bytes are cut into pushes makes no difference (P46), and a message whose record did not
 * change is the same object in every snapshot.
 */
export class TranscriptReader {
  readonly #options: ReaderOptions;
  #lines: LineReader;
  #document: DocumentBuffer;
  /** Records that no format has taken for good yet. */
  #waiting: SourceRecord[] = [];
  #choice: Choice | undefined;
  #snapshot: Transcript | undefined;

  constructor(options: ReaderOptions = {}) {
    this.#options = options;
    this.#lines = new LineReader(options.limits, options.start);
    this.#document = new DocumentBuffer(options.limits?.maxDepth ?? DEFAULT_LINE_LIMITS.maxDepth);
  }

  /** Takes the next bytes of the file. They are not kept. */
  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#snapshot = undefined;
    let from = 0;
    // What comes before the format is known is kept whole, so little is taken at a time.
    while (this.#options.stored !== undefined && this.#choice?.isFinal !== true && bytes.length - from > FIRST_BYTES) {
      this.#pushPiece(bytes.subarray(from, from + FIRST_BYTES));
      this.#recognise([]);
      from += FIRST_BYTES;
    }
    this.#pushPiece(bytes.subarray(from));
  }

  #pushPiece(bytes: Uint8Array): void {
    if (this.#choice?.isFinal !== true) this.#document.push(bytes);
    for (const record of this.#lines.push(bytes)) {
      if (this.#choice?.isFinal === true) this.#choice.collector.add(record);
      else this.#waiting.push(record);
    }
    if (this.#waiting.length >= SAMPLE_RECORDS) this.#recognise([]);
    if (this.#waiting.length > GIVE_UP_RECORDS) this.#giveUp();
  }

  /** False while no record of a known format was seen; a document over many lines shows only when it is complete. */
  get isRecognised(): boolean {
    return this.#recognise([]) !== undefined || this.#document.isCandidate;
  }

  /** The transcript of all bytes so far. Throws ReadError `unknownFormat` when no record of a known format is among them. */
  snapshot(): Transcript {
    return finish(this.snapshotSteps());
  }

  /** The same in pieces, between which nothing must be pushed. */
  *snapshotSteps(): Steps<Transcript> {
    if (this.#snapshot !== undefined) return this.#snapshot;
    const snapshot = this.#fromDocument() ?? (yield* this.#fromLines(this.#lines.tail()));
    if (snapshot === undefined) throw new ReadError('unknownFormat');
    this.#snapshot = snapshot;
    return snapshot;
  }

  /** True while the next transcript costs by what was pushed since the last one, however long the session is. */
  get onlyGrows(): boolean {
    return this.#choice?.isFinal === true && this.#choice.collector.onlyGrows?.(this.#lines.tail().records) === true;
  }

  /** Forgets everything: the file was truncated or replaced. */
  reset(): void {
    this.#lines = new LineReader(this.#options.limits, this.#options.start);
    this.#document = new DocumentBuffer(this.#options.limits?.maxDepth ?? DEFAULT_LINE_LIMITS.maxDepth);
    this.#waiting = [];
    this.#choice = undefined;
    this.#snapshot = undefined;
  }

  #giveUp(): void {
    if (this.#choice !== undefined) return;
    this.#waiting = [];
    this.#document.clear();
  }

  /** One document over many lines is read anew each time: such files are written whole. */
  #fromDocument(): Transcript | undefined {
    if (this.#choice?.isFinal === true) return undefined;
    const value = this.#document.read();
    const best = value === undefined ? undefined : this.#bestFormat([value]);
    return best?.format.collect().assemble([{ value, line: 1, part: 0, bytes: 0 }], []);
  }

  *#fromLines(tail: LineBatch): Steps<Transcript | undefined> {
    const collector = this.#recognise(tail.records);
    const damage = [...this.#lines.diagnostics, ...tail.diagnostics];
    if (collector?.assembleSteps !== undefined) return yield* collector.assembleSteps(tail.records, damage);
    return collector?.assemble(tail.records, damage);
  }

  /** Collector of the format that fits the lines best, holding all records so far; undefined when none fits. */
  #recognise(tail: readonly SourceRecord[]): RecordCollector | undefined {
    if (this.#choice?.isFinal === true) return this.#choice.collector;
    const best = this.#bestFormat([...this.#waiting.slice(0, SAMPLE_RECORDS), ...tail].map((record) => record.value));
    if (best === undefined) return undefined;
    const known = this.#choice?.format === best.format ? this.#choice : undefined;
    const choice: Choice = known ?? { format: best.format, collector: best.format.collect(), given: 0, isFinal: false };
    for (const record of this.#waiting.slice(choice.given)) choice.collector.add(record);
    choice.given = this.#waiting.length;
    choice.isFinal = best.sureness >= SURE || (this.#waiting.length >= SAMPLE_RECORDS && !this.#document.isCandidate);
    if (choice.isFinal) {
      this.#waiting = [];
      this.#document.clear();
      this.#leaveTexts(best.format);
    }
    this.#choice = choice;
    return choice.collector;
  }

  #leaveTexts({ stored: format }: TranscriptFormat): void {
    const { stored } = this.#options;
    if (stored === undefined || format === undefined) return;
    this.#lines.skim({
      lines: new StoredLines(stored, (value) => format.contentOf(value)),
      needsWhole: (outline) => format.needsWhole(outline),
    });
  }

  #bestFormat(sample: readonly unknown[]): { readonly format: TranscriptFormat; readonly sureness: number } | undefined {
    const forced = FORMATS.find((format) => format.id === this.#options.format);
    if (forced !== undefined) return { format: forced, sureness: 1 };
    const scores = FORMATS.map((format) => ({ format, sureness: format.recognise(sample) }));
    const best = scores.reduce((a, b) => (b.sureness > a.sureness ? b : a));
    return best.sureness === 0 ? undefined : best;
  }
}
