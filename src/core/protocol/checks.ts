// Small questions about values that a page posts. The guards of its requests are put together from them.
import { field, isRecord } from '../util/json';

/** Ids in transcripts are cut at 200 bytes; handles and plan ids are shorter. */
const MAX_ID_UNITS = 400;
/** No count of a request is larger: messages of a context, turns, tokens to keep. */
const MAX_COUNT = 1_000_000_000;

export type Check = (value: unknown) => boolean;

/** Check of each field. A field whose check passes `undefined` may be left out. */
export type Shape = Readonly<Record<string, Check>>;

/** True for a text that can be an id, a handle or a call's id. */
export function isId(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_UNITS;
}

/** True for an id, and for null. */
export function isNullableId(value: unknown): boolean {
  return value === null || isId(value);
}

/** True for a whole number of 0 or more that is safe to count with. */
export function isIndex(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** True for an index that is small enough to be a number of messages, turns or tokens. */
export function isCount(value: unknown): boolean {
  return isIndex(value) && Number(value) <= MAX_COUNT;
}

/** True for `true` and `false`. */
export function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

/** Passes one of the given words. */
export function oneOf(...allowed: readonly string[]): Check {
  return (value) => typeof value === 'string' && allowed.includes(value);
}

/** Passes a text of at most so many UTF-16 units; the empty one too. */
export function textUpTo(units: number): Check {
  return (value) => typeof value === 'string' && value.length <= units;
}

/** Passes what `check` passes, and a field that is left out. */
export function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

/** Passes a list of at most `most` values, each of which passes `check`. A hole in it counts as a value that is undefined. */
export function listOf(check: Check, most: number): Check {
  return (value) => Array.isArray(value) && value.length <= most && Array.from<unknown>(value).every(check);
}

/** True for an object whose own fields all pass their checks, and that has no field beside them. */
export function hasShape(value: unknown, shape: Shape): boolean {
  if (!isRecord(value)) return false;
  return (
    Object.keys(value).every((name) => Object.hasOwn(shape, name)) &&
    Object.entries(shape).every(([name, check]) => check(field(value, name)))
  );
}
