import type { Diagnostic, DiagnosticCode, Severity } from '../model/transcript';
import { nestsDeeperThan, parseJson, parseSequence, recoverLastRecord } from './jsonText';
import type { LinePlace } from './lineIndex';
import { decodeLine, withoutPadding } from './lineText';
import { Skimmer } from './skeleton';
import type { LineContents, StoredLines } from './storedLines';

/** One JSON value of a line. The same object is handed out again when an unfinished last line turns out to be complete. */
export interface SourceRecord {
  readonly value: unknown;
  /** 1-based. */
  readonly line: number;
  /** Position among the values of that line; 0 but for fused records. */
  readonly part: number;
  /** Length of the line in bytes, without its line end. */
  readonly bytes: number;
  /** Present where long texts of the line stay in the file: takes the content of each message that the line gives. Long strings of `value` may be cut. */
  readonly stored?: LineContents;
}

export interface LineBatch {
  readonly records: readonly SourceRecord[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface LineLimits {
  /** Longer lines are skipped in bounded memory (lines of 516 MiB were seen in the field). */
  readonly maxLineBytes: number;
  /** Lines that nest deeper are skipped before they are parsed, so that no walk over a value can overflow the stack. */
  readonly maxDepth: number;
  /** Shorter lines are kept whole where the long texts of others stay in the file. */
  readonly skimBytes: number;
}

/** How lines are read whose long texts stay in the file. */
export interface Skim {
  readonly lines: StoredLines;
  /** True for the outline of a line on whose texts more depends than the content of its messages. */
  readonly needsWhole: (outline: unknown) => boolean;
}

export const DEFAULT_LINE_LIMITS: LineLimits = { maxLineBytes: 32 * 1024 * 1024, maxDepth: 200, skimBytes: 512 };

/** A file of nothing but bad lines must not fill the memory with reports about them. */
const MAX_DIAGNOSTICS = 10_000;
const SMALL_BUFFER = 64 * 1024;
const KEPT_BUFFER = 4 * 1024 * 1024;
const EMPTY: LineBatch = { records: [], diagnostics: [] };

/**
 * Cuts appended bytes into lines at `\n` alone and parses each line as JSON (R32, R33, R36, R37). Damage costs at most its own line and
 * is reported with the line's number; nothing here throws.
 */
export class LineReader {
  readonly #limits: LineLimits;
  readonly #diagnostics: Diagnostic[] = [];
  #buffer = new Uint8Array(SMALL_BUFFER);
  #length = 0;
  /** Bytes of the unfinished line; larger than `#length` while an over-long line is being skipped. */
  #lineBytes = 0;
  #line: number;
  /** Place in the file of the next byte, and of the first byte of the unfinished line. */
  #position: number;
  #lineStart: number;
  readonly #skimmer: Skimmer;
  #skim: Skim | undefined;
  /** What the pending line gave when it had that many bytes; it only grows, so the same length is the same text. */
  #tail: { readonly bytes: number; readonly batch: LineBatch } | undefined;

  /** `start` is the line that the first bytes belong to. */
  constructor(limits: Partial<LineLimits> = {}, start: LinePlace = { line: 1, at: 0 }) {
    this.#limits = { ...DEFAULT_LINE_LIMITS, ...limits };
    this.#skimmer = new Skimmer(this.#limits.maxDepth);
    this.#line = start.line;
    this.#position = start.at;
    this.#lineStart = start.at;
  }

  /** From the next line on, long texts stay in the file. */
  skim(skim: Skim): void {
    this.#skim = skim;
  }

  /** Damage of all complete lines so far. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** Takes the next bytes of the file and answers the records of the lines that they complete. The bytes are not kept. */
  push(bytes: Uint8Array): readonly SourceRecord[] {
    const records: SourceRecord[] = [];
    let start = 0;
    let end = bytes.indexOf(0x0a);
    while (end >= 0) {
      const batch = this.#lineBytes === 0 ? this.#wholeLine(bytes, start, end) : this.#restOfLine(bytes.subarray(start, end));
      for (const record of batch.records) records.push(record);
      for (const diagnostic of batch.diagnostics) if (this.#diagnostics.length < MAX_DIAGNOSTICS) this.#diagnostics.push(diagnostic);
      start = end + 1;
      this.#lineStart = this.#position + start;
      this.#line++;
      end = bytes.indexOf(0x0a, start);
    }
    this.#append(bytes.subarray(start));
    this.#position += bytes.length;
    return records;
  }

  /** What the unfinished last line holds now: its records when it is whole, else `truncated_tail`. It stays pending in both cases. */
  tail(): LineBatch {
    if (this.#lineBytes === 0) return EMPTY;
    const bytes = this.#pendingBytes();
    if (this.#tail?.bytes !== bytes) this.#tail = { bytes, batch: asTail(this.#parsePending(false), this.#line) };
    return this.#tail.batch;
  }

  #append(bytes: Uint8Array): void {
    this.#lineBytes += bytes.length;
    if (this.#lineBytes > this.#limits.maxLineBytes) {
      this.#length = 0;
      return;
    }
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, Math.min(this.#buffer.length * 2, this.#limits.maxLineBytes)));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = needed;
  }

  /** A line that stands whole in the bytes, which most do; it is read where it stands. */
  #wholeLine(bytes: Uint8Array, start: number, end: number): LineBatch {
    if (end - start > this.#limits.maxLineBytes) return tooLong(this.#line, end - start);
    return this.#parse(bytes.subarray(start, end > start && bytes[end - 1] === 0x0d ? end - 1 : end), true);
  }

  #restOfLine(bytes: Uint8Array): LineBatch {
    this.#append(bytes);
    const known = this.#tail?.bytes === this.#pendingBytes() && this.#tail.batch.records.length > 0 ? this.#tail.batch : undefined;
    const batch = known ?? this.#parsePending(true);
    this.#tail = undefined;
    this.#length = 0;
    this.#lineBytes = 0;
    if (this.#buffer.length > KEPT_BUFFER) this.#buffer = new Uint8Array(SMALL_BUFFER);
    return batch;
  }

  #parsePending(isComplete: boolean): LineBatch {
    if (this.#lineBytes > this.#limits.maxLineBytes) return tooLong(this.#line, this.#lineBytes);
    return this.#parse(this.#buffer.subarray(0, this.#pendingBytes()), isComplete);
  }

  #parse(source: Uint8Array, isComplete: boolean): LineBatch {
    const diagnostics: Diagnostic[] = [];
    const bytes = withoutPadding(source, this.#line === 1);
    // A crash leaves runs of zero bytes; JSON text never holds one.
    const padding = source.length - bytes.length - (this.#line === 1 && source[0] === 0xef ? 3 : 0);
    if (padding > 0) diagnostics.push(diagnosticOf(this.#line, 'nul_padding', 'warning', `${padding} bytes`));
    if (isBlank(bytes)) return { records: [], diagnostics };
    const skim = isComplete && bytes.length > this.#limits.skimBytes ? this.#skim : undefined;
    const outline = skim === undefined ? undefined : this.#outline(bytes);
    if (skim !== undefined && outline !== undefined && !skim.needsWhole(outline)) {
      if (!skim.lines.isUtf8(bytes)) diagnostics.push(diagnosticOf(this.#line, 'invalid_utf8', 'warning'));
      const stored = skim.lines.line(this.#lineStart, source.length, false);
      return { records: [{ value: outline, line: this.#line, part: 0, bytes: source.length, stored }], diagnostics };
    }
    const batch = parseLine(bytes, this.#line, source.length, this.#limits.maxDepth, diagnostics);
    const [only, ...others] = batch.records;
    // What was saved of a damaged line is not what the line says when it is read again.
    const isPlain = others.length === 0 && !diagnostics.some(({ code }) => code === 'bad_json');
    if (skim === undefined || outline === undefined || only === undefined || !isPlain) return batch;
    return { records: [{ ...only, stored: skim.lines.line(this.#lineStart, source.length, true) }], diagnostics };
  }

  /** Value of the line without its long texts; undefined when nothing in it is long, and when something is wrong that the whole line tells. */
  #outline(bytes: Uint8Array): unknown {
    const skeleton = this.#skimmer.skim(bytes, 0, bytes.length);
    return skeleton === undefined ? undefined : parseJson(decodeLine(skeleton).value);
  }

  /** Length of the pending line without a `\r` at its end, which belongs to the line end. */
  #pendingBytes(): number {
    const endsInReturn = this.#length > 0 && this.#buffer[this.#length - 1] === 0x0d;
    return endsInReturn ? this.#length - 1 : this.#length;
  }
}

/** A line that broke off is no damage yet: its rest may still arrive. */
function asTail(batch: LineBatch, line: number): LineBatch {
  if (!batch.diagnostics.some((diagnostic) => diagnostic.code === 'bad_json')) return batch;
  return { records: [], diagnostics: [diagnosticOf(line, 'truncated_tail', 'warning')] };
}

function parseLine(bytes: Uint8Array, line: number, length: number, maxDepth: number, diagnostics: Diagnostic[]): LineBatch {
  const text = decodeLine(bytes);
  if (text.replaced) diagnostics.push(diagnosticOf(line, 'invalid_utf8', 'warning'));
  if (nestsDeeperThan(text.value, maxDepth)) {
    diagnostics.push(diagnosticOf(line, 'too_deep', 'error'));
    return { records: [], diagnostics };
  }
  const values = valuesOf(text.value, line, maxDepth, diagnostics);
  return { records: values.map((value, part) => ({ value, line, part, bytes: length })), diagnostics };
}

function valuesOf(text: string, line: number, maxDepth: number, diagnostics: Diagnostic[]): readonly unknown[] {
  const value = parseJson(text);
  if (value !== undefined) return [value];
  const sequence = parseSequence(text);
  if (sequence.readTo === text.length && sequence.values.length > 0) {
    diagnostics.push(diagnosticOf(line, 'fused_records', 'warning', `${sequence.values.length} records`));
    return sequence.values;
  }
  diagnostics.push(diagnosticOf(line, 'bad_json', 'error'));
  const last = recoverLastRecord(text.slice(sequence.readTo), maxDepth);
  return last === undefined ? sequence.values : [...sequence.values, last];
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function tooLong(line: number, bytes: number): LineBatch {
  return { records: [], diagnostics: [diagnosticOf(line, 'line_too_long', 'error', `${bytes} bytes`)] };
}

function diagnosticOf(line: number, code: DiagnosticCode, severity: Severity, detail?: string): Diagnostic {
  return detail === undefined ? { line, code, severity } : { line, code, severity, detail };
}
