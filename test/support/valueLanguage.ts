// The value language of cases and vectors: how long strings are built, and what an expectation may say in the place of a value.
import { field, isRecord } from '../../src/core/util/json';

/** Builds the strings and numbers that are written as `$repeat`, `$concat` and `$number`, at any depth. */
export function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand);
  if (!isRecord(value)) return value;
  if (Object.hasOwn(value, '$repeat')) return expandRepeat(value['$repeat'], value['times']);
  if (Object.hasOwn(value, '$concat')) return expandConcat(value['$concat']);
  if (Object.hasOwn(value, '$number')) return Number(value['$number']);
  const copy: Record<string, unknown> = {};
  // Not by assignment: `__proto__` is an ordinary key in a case about ids.
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(copy, key, { value: expand(item), enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

function expandRepeat(unit: unknown, times: unknown): string {
  const [text, count] = Array.isArray(unit) ? [unit[0] as unknown, unit[1] as unknown] : [unit, times];
  const whole = expand(text);
  if (typeof whole !== 'string' || typeof count !== 'number') throw new Error('$repeat needs a text and a count');
  return whole.repeat(count);
}

function expandConcat(parts: unknown): string {
  if (!Array.isArray(parts)) throw new Error('$concat needs a list');
  return parts.map((part: unknown) => String(expand(part))).join('');
}

/** Compares with an expectation that may hold `$…` tests. Undefined when it agrees, else one sentence that names the place. */
export function differenceOf(actual: unknown, expected: unknown, partial: boolean, path = 'value'): string | undefined {
  if (isRecord(expected)) {
    const tested = testOf(expected);
    if (tested !== undefined) return tested(actual) ? undefined : unequal(path, actual, expected);
    if (!isRecord(actual)) return unequal(path, actual, expected);
    return fieldsDifference(actual, expected, partial, path);
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return unequal(path, actual, expected);
    return first(expected.map((item, index) => () => differenceOf(actual[index], item, partial, `${path}[${index}]`)));
  }
  // An expectation of null is met by what is unknown in memory.
  return Object.is(actual ?? null, expected ?? null) || actual === expected ? undefined : unequal(path, actual, expected);
}

function fieldsDifference(
  actual: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
  partial: boolean,
  path: string,
): string | undefined {
  const extra = partial ? [] : Object.keys(actual).filter((key) => !Object.hasOwn(expected, key) && actual[key] !== undefined);
  if (extra.length > 0) return `${path} has the unexpected field ${extra.join(', ')}`;
  return first(
    Object.entries(expected).map(([key, wanted]) => () => {
      if (/(^c|C)ontains$/.test(key)) return containsDifference(haystack(actual, key), wanted, `${path}.${key}`);
      return differenceOf(field(actual, key), wanted, partial, `${path}.${key}`);
    }),
  );
}

/** `requestContains` looks into the field of that name, or into `request`. */
function haystack(actual: Readonly<Record<string, unknown>>, key: string): unknown {
  return field(actual, key) ?? field(actual, key.slice(0, -'Contains'.length)) ?? field(actual, 'text');
}

function containsDifference(actual: unknown, wanted: unknown, path: string): string | undefined {
  const pairs = isRecord(wanted)
    ? Object.entries(wanted)
    : (Array.isArray(wanted) ? wanted : [wanted]).map((item: unknown) => [item, true] as const);
  for (const [item, is] of pairs) {
    if (holds(actual, item) !== is) return `${path} ${is === true ? 'lacks' : 'holds'} ${show(item)}`;
  }
  return undefined;
}

function holds(actual: unknown, item: unknown): boolean {
  if (typeof actual === 'string') return actual.includes(String(item));
  return Array.isArray(actual) && actual.some((one: unknown) => differenceOf(one, item, true) === undefined);
}

type Test = (actual: unknown) => boolean;

function testOf(expected: Readonly<Record<string, unknown>>): Test | undefined {
  const [key, ...others] = Object.keys(expected);
  if (Object.hasOwn(expected, '$repeat') || Object.hasOwn(expected, '$concat')) return (actual) => actual === expand(expected);
  if (key === undefined || !key.startsWith('$') || others.length > 0) return undefined;
  const wanted = expected[key];
  const list: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  const isOneOf: Test = (actual) => list.some((one) => differenceOf(actual, one, false) === undefined);
  switch (key) {
    case '$between':
      return (actual) => typeof actual === 'number' && actual >= Number(list[0]) && actual <= Number(list[1]);
    case '$near':
      return (actual) => typeof actual === 'number' && Math.abs(actual - Number(list[0])) <= NEAR;
    case '$oneOf':
      return isOneOf;
    case '$eachOneOf':
      return (actual) => Array.isArray(actual) && actual.length > 0 && actual.every(isOneOf);
    case '$contains':
      return (actual) => list.every((one) => holds(actual, one));
    case '$any':
      return (actual) => actual !== undefined && actual !== null && actual !== false;
    case '$number':
      return (actual) => Object.is(actual, Number(wanted));
    default:
      throw new Error(`unknown test ${key}`);
  }
}

const NEAR = 1e-9;

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const difference = check();
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function unequal(path: string, actual: unknown, expected: unknown): string {
  return `${path} is ${show(actual)}, expected ${show(expected)}`;
}

const SHOWN = 300;

function show(value: unknown): string {
  const text = typeof value === 'number' || value === undefined ? String(value) : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
