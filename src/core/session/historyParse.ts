// Reads records of compactions. They lie in folders that anybody may write to, so every field is checked before it is believed.
import type { FormatId } from '../model/transcript';
import { nestsDeeperThan, parseJson } from '../transcript/jsonText';
import { listOf, nullable, objectWith, oneOf, text, whole, type Shape } from '../util/shape';
import { FORMATS } from '../transcript/formats';
import { HISTORY_SCHEMA, isCopyId, type HistoryRecord } from './historyRecord';

/** Longest file of a record that is read, in bytes. */
export const LARGEST_HISTORY = 16 * 1024 * 1024;

const MAX_DEPTH = 8;
const MAX_IDS = 200_000;
const ID_UNITS = 400;
const TOKENS = whole(0, 1e9);
const BYTES = whole(1, Number.MAX_SAFE_INTEGER);
const SHA = matching(/^[0-9a-f]{64}$/);
const IDS = listOf(text(ID_UNITS), MAX_IDS);
const COUNT = nullable(whole(0, 1e12));
const FORMAT_IDS: ReadonlySet<unknown> = new Set<FormatId>(FORMATS.map(({ id }) => id));

const RECORD = objectWith({
  schema: oneOf(HISTORY_SCHEMA),
  version: text(64),
  createdAt: matching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/),
  id: (value) => typeof value === 'string' && isCopyId(value),
  format: (value) => FORMAT_IDS.has(value),
  kind: oneOf('full', 'partialUpTo', 'partialFrom', 'micro'),
  source: objectWith({
    path: isSourcePath,
    sessionId: nullable(text(ID_UNITS)),
    state: objectWith({ kind: oneOf('file', 'parts'), sha256: SHA, bytes: BYTES }),
  }),
  copy: objectWith({ name: isPlainName, sha256: SHA, bytes: BYTES }),
  request: objectWith({ pivotId: nullable(text(ID_UNITS)), keepMessages: nullable(TOKENS) }),
  summarizedIds: IDS,
  keptIds: IDS,
  clearedIds: IDS,
  order: oneOf('summaryFirst', 'keptFirst'),
  summary: text(2_000_000),
  summaryId: nullable(text(ID_UNITS)),
  summarizer: oneOf('offline', 'vscode', 'openai'),
  model: nullable(text(512)),
  cost: nullable(objectWith({ inputTokens: COUNT, outputTokens: COUNT, usd: nullable(isPrice) })),
  tokensBefore: TOKENS,
  tokensAfter: TOKENS,
} satisfies Record<keyof HistoryRecord, Shape>);

/** The record that a file holds; undefined for anything that is not one, whatever it is. Fields of later versions are not understood. */
export function parseHistory(content: string): HistoryRecord | undefined {
  if (nestsDeeperThan(content, MAX_DEPTH)) return undefined;
  const value = parseJson(content);
  return isHistoryRecord(value) ? value : undefined;
}

function isHistoryRecord(value: unknown): value is HistoryRecord {
  return RECORD(value);
}

/** A name inside of the record's own folder; a record never speaks of a copy elsewhere. */
function isPlainName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value !== '.' && value !== '..' && value.length <= 255 && !/[/\\\0]/.test(value);
}

/** A path that can be looked at without asking another machine: listing a history must not make Windows sign in to a server that a note names. */
function isSourcePath(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= 8192 && !value.includes('\0') && !/^[\\/]{2}/.test(value);
}

function isPrice(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function matching(pattern: RegExp): Shape {
  return (value) => typeof value === 'string' && value.length <= 100 && pattern.test(value);
}
