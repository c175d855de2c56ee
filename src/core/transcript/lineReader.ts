import type { Diagnostic, DiagnosticCode, Severity } from '../model/transcript';
import { nestsDeeperThan, parseJson, parseSequence, recoverLastRecord } from './jsonText';

/** One JSON value of a line. The same object is handed out again when an unfinished last line turns out to be complete. */
export interface SourceRecord {
  readonly value: unknown;
  /** 1-based. */
  readonly line: number;
  /** Position among the values of that line; 0 but for fused records. */
  readonly part: number;
  /** Length of the line in bytes, without its line end. */
  readonly bytes: number;
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
}

export const DEFAULT_LINE_LIMITS: LineLimits = { maxLineBytes: 32 * 1024 * 1024, maxDepth: 200 };

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
  #line = 1;
  /** What the pending line gave when it had that many bytes; it only grows, so the same length is the same text. */
  #tail: { readonly bytes: number; readonly batch: LineBatch } | undefined;

  constructor(limits: Partial<LineLimits> = {}) {
    this.#limits = { ...DEFAULT_LINE_LIMITS, ...limits };
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
      this.#append(bytes.subarray(start, end));
      const batch = this.#completeLine();
      for (const record of batch.records) records.push(record);
      for (const diagnostic of batch.diagnostics) if (this.#diagnostics.length < MAX_DIAGNOSTICS) this.#diagnostics.push(diagnostic);
      start = end + 1;
      end = bytes.indexOf(0x0a, start);
    }
    this.#append(bytes.subarray(start));
    return records;
  }

  /** What the unfinished last line holds now: its records when it is whole, else `truncated_tail`. It stays pending in both cases. */
  tail(): LineBatch {
    if (this.#lineBytes === 0) return EMPTY;
    const bytes = this.#pendingBytes();
    if (this.#tail?.bytes !== bytes) this.#tail = { bytes, batch: asTail(this.#parsePending(), this.#line) };
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

  #completeLine(): LineBatch {
    const known = this.#tail?.bytes === this.#pendingBytes() && this.#tail.batch.records.length > 0 ? this.#tail.batch : undefined;
    const batch = known ?? this.#parsePending();
    this.#tail = undefined;
    this.#length = 0;
    this.#lineBytes = 0;
    this.#line++;
    if (this.#buffer.length > KEPT_BUFFER) this.#buffer = new Uint8Array(SMALL_BUFFER);
    return batch;
  }

  #parsePending(): LineBatch {
    if (this.#lineBytes > this.#limits.maxLineBytes) {
      return { records: [], diagnostics: [diagnosticOf(this.#line, 'line_too_long', 'error', `${this.#lineBytes} bytes`)] };
    }
    return parseLine(this.#buffer.subarray(0, this.#pendingBytes()), this.#line, this.#limits.maxDepth);
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

function parseLine(source: Uint8Array, line: number, maxDepth: number): LineBatch {
  const diagnostics: Diagnostic[] = [];
  let bytes = line === 1 ? withoutByteOrderMark(source) : source;
  if (bytes.includes(0)) {
    // A crash leaves runs of zero bytes; JSON text never holds one.
    const kept = bytes.filter((byte) => byte !== 0);
    diagnostics.push(diagnosticOf(line, 'nul_padding', 'warning', `${bytes.length - kept.length} bytes`));
    bytes = kept;
  }
  if (isBlank(bytes)) return { records: [], diagnostics };
  const text = decode(bytes);
  if (text.replaced) diagnostics.push(diagnosticOf(line, 'invalid_utf8', 'warning'));
  if (nestsDeeperThan(text.value, maxDepth)) {
    diagnostics.push(diagnosticOf(line, 'too_deep', 'error'));
    return { records: [], diagnostics };
  }
  const values = valuesOf(text.value, line, maxDepth, diagnostics);
  return { records: values.map((value, part) => ({ value, line, part, bytes: source.length })), diagnostics };
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

function decode(bytes: Uint8Array): { readonly value: string; readonly replaced: boolean } {
  try {
    return { value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), replaced: false };
  } catch {
    return { value: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), replaced: true };
  }
}

function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function diagnosticOf(line: number, code: DiagnosticCode, severity: Severity, detail?: string): Diagnostic {
  return detail === undefined ? { line, code, severity } : { line, code, severity, detail };
}
