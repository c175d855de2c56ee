import { ReadError } from '../errors/readError';
import type { FormatId, Transcript } from '../model/transcript';
import { FORMATS } from './formats';
import type { RecordCollector, TranscriptFormat } from './formats/format';
import { LineReader, type LineLimits, type SourceRecord } from './lineReader';

export interface ReaderOptions {
  /** Reads the bytes as this format, whatever they look like; an empty file then is an empty session. */
  readonly format?: FormatId;
  readonly limits?: Partial<LineLimits>;
}

/** Records that are looked at before a file counts as recognised for good. */
const SAMPLE_RECORDS = 200;
const SURE = 0.9;

/**
 * Makes transcripts of a file that grows. How the bytes are cut into pushes makes no difference (P46), and a message whose record did not
 * change is the same object in every snapshot.
 */
export class TranscriptReader {
  readonly #options: ReaderOptions;
  #lines: LineReader;
  /** Records that no format has taken for good yet. */
  #waiting: SourceRecord[] = [];
  #choice: { readonly format: TranscriptFormat; readonly collector: RecordCollector; given: number; isFinal: boolean } | undefined;
  #snapshot: Transcript | undefined;

  constructor(options: ReaderOptions = {}) {
    this.#options = options;
    this.#lines = new LineReader(options.limits);
  }

  /** Takes the next bytes of the file. They are not kept. */
  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#snapshot = undefined;
    for (const record of this.#lines.push(bytes)) {
      if (this.#choice?.isFinal === true) this.#choice.collector.add(record);
      else this.#waiting.push(record);
    }
    if (this.#waiting.length >= SAMPLE_RECORDS) this.#recogniseWith([]);
  }

  /** The transcript of all bytes so far. Throws ReadError `unknownFormat` when no record of a known format is among them. */
  snapshot(): Transcript {
    if (this.#snapshot !== undefined) return this.#snapshot;
    const tail = this.#lines.tail();
    const collector = this.#recogniseWith(tail.records);
    if (collector === undefined) throw new ReadError('unknownFormat');
    this.#snapshot = collector.assemble(tail.records, [...this.#lines.diagnostics, ...tail.diagnostics]);
    return this.#snapshot;
  }

  /** Forgets everything: the file was truncated or replaced. */
  reset(): void {
    this.#lines = new LineReader(this.#options.limits);
    this.#waiting = [];
    this.#choice = undefined;
    this.#snapshot = undefined;
  }

  /** Collector of the format that fits best, holding all records so far; undefined when none fits. */
  #recogniseWith(tail: readonly SourceRecord[]): RecordCollector | undefined {
    if (this.#choice?.isFinal === true) return this.#choice.collector;
    const best = this.#bestFormat(tail);
    if (best === undefined) return undefined;
    const fresh = this.#choice?.format === best.format ? this.#choice : undefined;
    const choice = fresh ?? { format: best.format, collector: best.format.collect(), given: 0, isFinal: false };
    for (const record of this.#waiting.slice(choice.given)) choice.collector.add(record);
    choice.given = this.#waiting.length;
    choice.isFinal = best.sureness >= SURE || this.#waiting.length >= SAMPLE_RECORDS;
    if (choice.isFinal) this.#waiting = [];
    this.#choice = choice;
    return choice.collector;
  }

  #bestFormat(tail: readonly SourceRecord[]): { readonly format: TranscriptFormat; readonly sureness: number } | undefined {
    const forced = FORMATS.find((format) => format.id === this.#options.format);
    if (forced !== undefined) return { format: forced, sureness: 1 };
    const sample = [...this.#waiting.slice(0, SAMPLE_RECORDS), ...tail].map((record) => record.value);
    const scores = FORMATS.map((format) => ({ format, sureness: format.recognise(sample) }));
    const best = scores.reduce((a, b) => (b.sureness > a.sureness ? b : a));
    return best.sureness === 0 ? undefined : best;
  }
}
