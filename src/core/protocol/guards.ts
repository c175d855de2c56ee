// Runtime checks at both ends of the channel. The page shows text of strangers, so the host trusts nothing that it posts (R57): a request
// passes only when it is known by name and its params have the fields of the contract alone, with plain values of bounded size.
import { field, isRecord, numberOf, stringOf } from '../util/json';
import { hasShape, isId, isIndex, isNullableId, optional, textUpTo, type Shape } from './checks';
import type { PageRequests } from './contract';
import { isDetail, isPlanRequest, isPutBackList, isSummarizer } from './planGuards';
import type { RowView, SessionPatch, SessionView } from './viewModel';

/** Most rows that one 'rows/read' may ask for. */
export const MAX_ROWS_PER_READ = 500;
const MAX_INSTRUCTIONS_UNITS = 20_000;

const isInstructions = textUpTo(MAX_INSTRUCTIONS_UNITS);

/** What a summary is made with. */
const SUMMARY = {
  handle: isId,
  planId: isId,
  summarizer: isSummarizer,
  instructions: isInstructions,
  detail: optional(isDetail),
  putBack: optional(isPutBackList),
} as const satisfies Shape;

const REQUESTS = {
  'session/open': {},
  'rows/read': { handle: isId, from: isIndex, to: isIndex },
  'compaction/preview': { handle: isId, request: isPlanRequest },
  'compaction/run': SUMMARY,
  'compaction/prompt': SUMMARY,
  'compaction/putBack': { handle: isId, newSessionId: isId, items: isPutBackList },
  'compaction/request': { handle: isId, planId: isId, instructions: isInstructions },
  'selection/changed': { handle: isId, messageId: isNullableId },
  'transcript/reveal': { handle: isId, messageId: isId },
  'message/copy': { handle: isId, messageId: isId },
  'copy/open': { handle: isId, newSessionId: isId },
  'copy/resume': { handle: isId, newSessionId: isId },
  'copy/run': { handle: isId, newSessionId: isId },
  'history/list': { handle: isId },
  'history/undo': { handle: isId, id: isId },
  'history/compare': { handle: isId, id: isId },
  'history/again': { handle: isId, id: isId },
  'boundary/report': { handle: isId, index: isIndex },
  'projection/preview': { handle: isId },
  'session/pick': {},
  'window/set': { handle: isId },
  'summarizer/select': {},
} as const satisfies Record<keyof PageRequests, Shape>;

const SHAPES: ReadonlyMap<string, Shape> = new Map(Object.entries(REQUESTS));

/**
 * True when the page may ask this: a known request whose params have the fields of the contract and no other one. The third argument of
 * `serve`. A range of rows must be in order and hold at most `MAX_ROWS_PER_READ`.
 */
export function checkPageRequest(name: string, params: unknown): boolean {
  const shape = SHAPES.get(name);
  if (shape === undefined || !hasShape(params, shape)) return false;
  return name !== 'rows/read' || isRowRange(params);
}

/** True for a value that can be applied as a patch. The changed parts come from our own host and are not looked into. */
export function isSessionPatch(value: unknown): value is SessionPatch {
  if (!isRecord(value)) return false;
  const rowsFrom = field(value, 'rowsFrom');
  return (
    isId(field(value, 'handle')) &&
    isIndex(field(value, 'from')) &&
    isIndex(field(value, 'to')) &&
    isRecord(field(value, 'changes')) &&
    (rowsFrom === null || isIndex(rowsFrom))
  );
}

/** True for a value that the page can draw as a session: the parts that every panel reaches for are there. */
export function isSessionView(value: unknown): value is SessionView {
  if (!isRecord(value)) return false;
  const rows = field(value, 'rows');
  return (
    isId(field(value, 'handle')) &&
    isIndex(field(value, 'revision')) &&
    typeof field(value, 'title') === 'string' &&
    isRecord(field(value, 'gauge')) &&
    isRecord(rows) &&
    isIndex(field(rows, 'count')) &&
    ['categories', 'boundaries', 'sidechains', 'diagnostics'].every((name) => Array.isArray(field(value, name)))
  );
}

/** True for a row that can be listed. */
export function isRowView(value: unknown): value is RowView {
  return (
    isRecord(value) &&
    isIndex(field(value, 'index')) &&
    stringOf(value, 'id') !== undefined &&
    stringOf(value, 'kind') !== undefined &&
    stringOf(value, 'preview') !== undefined &&
    numberOf(value, 'tokens') !== undefined
  );
}

function isRowRange(params: unknown): boolean {
  if (!isRecord(params)) return false;
  const from = numberOf(params, 'from');
  const to = numberOf(params, 'to');
  return from !== undefined && to !== undefined && from <= to && to - from <= MAX_ROWS_PER_READ;
}
