// What the formats share that are read as a whole: databases, folders, documents, and lists whose records need no state of those before.
import type { ContentBlock } from '../../model/message';
import type { Diagnostic, FormatId, Transcript } from '../../model/transcript';
import { isRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { nestsDeeperThan, parseJson } from '../jsonText';
import { DEFAULT_LINE_LIMITS, type SourceRecord } from '../lineReader';
import { transcriptOf, type TranscriptDraft } from '../transcriptDraft';
import type { RecordCollector } from './format';

/** Collects records and has them read as a whole each time. */
export class SessionCollector implements RecordCollector {
  readonly #format: FormatId;
  readonly #read: (records: readonly SourceRecord[]) => TranscriptDraft;
  readonly #records: SourceRecord[] = [];

  constructor(format: FormatId, read: (records: readonly SourceRecord[]) => TranscriptDraft) {
    this.#format = format;
    this.#read = read;
  }

  add(record: SourceRecord): void {
    this.#records.push(record);
  }

  assemble(tail: readonly SourceRecord[], damage: readonly Diagnostic[]): Transcript {
    return transcriptOf(this.#format, this.#read([...this.#records, ...tail]), damage);
  }
}

/** A call whose arguments are a value, or text that holds one. */
export function callBlock(id: string, name: string, args: unknown): ContentBlock {
  const named = { type: 'toolUse', id, name: toWellFormed(name) } as const;
  if (typeof args !== 'string') return { ...named, input: args };
  const value = jsonOf(args);
  return { ...named, input: isRecord(value) ? value : args, rawInput: toWellFormed(args) };
}

/** The value of JSON text that stands inside of a record; undefined for what is none or nests too deep. */
export function jsonOf(text: unknown): unknown {
  if (typeof text !== 'string' || nestsDeeperThan(text, DEFAULT_LINE_LIMITS.maxDepth)) return undefined;
  return parseJson(text);
}

/** Milliseconds or seconds since 1970 as ISO 8601; undefined for what is no such time. */
export function isoTime(value: unknown, unit: 'ms' | 's' = 'ms'): string | undefined {
  if (typeof value !== 'number') return undefined;
  const ms = unit === 's' ? value * 1000 : value;
  return Number.isFinite(ms) && ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString() : undefined;
}
