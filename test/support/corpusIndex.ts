// What the tables beside a collection of transcripts say of each file, and how a report is compared with it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InspectReport } from '../../src/core/view/inspectReport';
import { isRecord, numberOf, type JsonRecord } from '../../src/core/util/json';
import exceptions from './corpusExceptions.json';

export interface IndexRow {
  readonly file: string;
  readonly format: string;
  /** Undefined where the table says nothing. */
  readonly boundaries: number | undefined;
  /** Null: no response follows the last boundary. Undefined where the table says nothing. */
  readonly lastReported: number | null | undefined;
  readonly repo: string;
  /** Where the file lay in its own folder layout. */
  readonly path: string;
}

export interface CorpusIndex {
  readonly rows: ReadonlyMap<string, IndexRow>;
  readonly sums: ReadonlyMap<string, JsonRecord>;
}

export interface Mismatch {
  readonly field: string;
  readonly expected: unknown;
  readonly actual: unknown;
  /** Why it is right all the same. */
  readonly reason: string | undefined;
}

export const INDEX_FILES: ReadonlySet<string> = new Set(['INDEX.tsv', 'EXPECTED_SUMS.tsv', 'README.md']);

/** The tables of a folder; empty ones where it has none. */
export function readIndex(folder: string): CorpusIndex {
  return {
    rows: new Map(indexRows(join(folder, 'INDEX.tsv')).map((row) => [row.file, row])),
    sums: new Map(table(join(folder, 'EXPECTED_SUMS.tsv')).flatMap(([file = '', json = '']) => sumsOf(file, json))),
  };
}

/** Where a report differs from the tables, and how many values were compared. A `reason` marks what is known to differ rightly. */
export function compare(report: InspectReport, row: IndexRow | undefined, sums: JsonRecord | undefined): readonly Mismatch[] {
  const wanted = new Map<string, readonly [expected: unknown, actual: unknown]>();
  if (row !== undefined) {
    wanted.set('format', [row.format, report.format]);
    if (row.boundaries !== undefined) wanted.set('boundaries', [row.boundaries, report.boundaries.length]);
    if (row.lastReported !== undefined) wanted.set('last_reported', [row.lastReported, report.usage.reportedTokens]);
  }
  const actual = sums === undefined ? new Map<string, unknown>() : actualSums(report);
  for (const [name, value] of Object.entries(withThoughts(sums ?? {})))
    if (actual.has(name)) wanted.set(`sum ${name}`, [value, actual.get(name)]);
  return [...wanted].flatMap(([field, [expected, given]]) =>
    expected === given ? [] : [{ field, expected, actual: given, reason: reasonFor(row?.file ?? '', field) }],
  );
}

/** The model counts its thoughts apart; we count them as output. */
function withThoughts(sums: JsonRecord): JsonRecord {
  const [output, thoughts] = [numberOf(sums, 'output'), numberOf(sums, 'thoughts')];
  return output === undefined || thoughts === undefined ? sums : { ...sums, 'output and thoughts': output + thoughts };
}

function reasonFor(file: string, field: string): string | undefined {
  return exceptions.find((one) => one.file === file && one.fields.includes(field))?.reason;
}

/** The report's numbers under the names that the table uses for its format. */
function actualSums({ format, totals, usage, window }: InspectReport): ReadonlyMap<string, unknown> {
  const { responses, inputTokens: input, outputTokens: output, cacheReadTokens: read, cacheCreationTokens: written } = totals;
  if (format === 'claude-code') {
    return new Map([
      ['requests', responses],
      ['input', input],
      ['cache_creation', written],
      ['cache_read', read],
      ['output', output],
    ]);
  }
  if (format === 'codex') {
    return new Map<string, unknown>([
      ['input_incl_cached', input + read + written],
      ['cached', read],
      ['output', output],
      ['last_context', usage.reportedTokens ?? 0],
      ['window', window.source === 'transcript' ? window.tokens : null],
    ]);
  }
  if (format === 'gemini') {
    return new Map([
      ['with_tokens', responses],
      ['input', input + read],
      ['cached', read],
      ['output and thoughts', output],
    ]);
  }
  if (format === 'pi') {
    return new Map([
      ['input', input],
      ['output', output],
      ['cacheRead', read],
      ['cacheWrite', written],
    ]);
  }
  return new Map();
}

function indexRows(path: string): readonly IndexRow[] {
  const [head = [], ...lines] = table(path);
  return lines.map((cells) => {
    const cell = (name: string): string => cells[head.indexOf(name)] ?? '';
    const boundaries = cell('boundaries');
    const last = cell('last_reported');
    return {
      file: cell('file'),
      format: cell('format') === 'claude' ? 'claude-code' : cell('format'),
      boundaries: boundaries === '' ? undefined : Number(boundaries),
      lastReported: last !== '' ? Number(last) : boundaries === '' ? undefined : null,
      repo: cell('repo'),
      path: cell('path'),
    };
  });
}

function sumsOf(file: string, json: string): readonly (readonly [string, JsonRecord])[] {
  const sums: unknown = JSON.parse(json);
  return isRecord(sums) ? [[file, sums]] : [];
}

function table(path: string): readonly (readonly string[])[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}
