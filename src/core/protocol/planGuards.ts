// Runtime checks of what a page may ask about compactions (planView.ts): plain values of bounded size, and no field that the host adds itself.
import { field, isRecord } from '../util/json';
import { hasShape, isBoolean, isCount, isId, listOf, oneOf, optional, textUpTo, type Shape } from './checks';

/** Most tool results that one request may name; a plan lists as many. */
export const MAX_CLEARED = 500;
/** Most lost items that can be put back at once; a plan lists as many. */
export const MAX_PUT_BACK = 200;
/** A lost value has at most 300 characters, each of at most two units. */
const MAX_VALUE_UNITS = 600;

export const isSummarizer = oneOf('offline', 'vscode', 'openai');
export const isDetail = oneOf('brief', 'normal', 'full');
/** The things lost that the summary is to quote. */
export const isPutBackList = listOf(isPutBack, MAX_PUT_BACK);

const SUMMARY = {
  summarizer: optional(isSummarizer),
  detail: optional(isDetail),
  figuresOnly: optional(isBoolean),
} as const satisfies Shape;
const PIVOT = { pivotId: optional(isId), position: optional(isCount) } as const satisfies Shape;

const SHAPES: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  ['full', { kind: oneOf('full'), keepMessages: optional(isCount), pivotId: optional(isId), ...SUMMARY }],
  ['partialUpTo', { kind: oneOf('partialUpTo'), ...PIVOT, keepTurns: optional(isCount), keepTokens: optional(isCount), ...SUMMARY }],
  ['partialFrom', { kind: oneOf('partialFrom'), ...PIVOT, ...SUMMARY }],
  ['micro', { kind: oneOf('micro'), clear: optional(listOf(isId, MAX_CLEARED)), pivotId: optional(isId) }],
]);
const PIVOT_NAMES = ['pivotId', 'position', 'keepTurns', 'keepTokens'] as const;

/**
 * True for a preview that a page may ask for: the fields of its kind alone, and for a partial compaction at least one way to find the pivot.
 * Pins are not among them: the host knows them.
 */
export function isPlanRequest(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const kind = field(value, 'kind');
  const shape = SHAPES.get(kind);
  if (shape === undefined || !hasShape(value, shape)) return false;
  const isPartial = kind === 'partialUpTo' || kind === 'partialFrom';
  return !isPartial || PIVOT_NAMES.some((name) => field(value, name) !== undefined);
}

/** True for one lost item as a page names it: the host looks it up among the items of the plan. */
export function isPutBack(value: unknown): boolean {
  return hasShape(value, {
    kind: oneOf('constraint', 'request', 'file', 'command', 'error', 'url', 'identifier', 'number'),
    messageId: isId,
    value: textUpTo(MAX_VALUE_UNITS),
  });
}
