// Checks of values that arrive from the other side of a channel. A shape names every field; anything that is not named is refused, so that
// nothing unforeseen rides along.
import { isRecord } from './json';

export type Shape = (value: unknown) => boolean;

/** Text of at most `max` UTF-16 units. */
export function text(max: number): Shape {
  return (value) => typeof value === 'string' && value.length <= max;
}

/** A whole number from `min` to `max`. */
export function whole(min: number, max: number): Shape {
  return (value) => typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

export const bool: Shape = (value) => typeof value === 'boolean';

/** One of the given words. */
export function oneOf(...words: readonly string[]): Shape {
  const known = new Set<unknown>(words);
  return (value) => known.has(value);
}

/** The shape, or null. */
export function nullable(shape: Shape): Shape {
  return (value) => value === null || shape(value);
}

/** The shape, or absent. */
export function optional(shape: Shape): Shape {
  return (value) => value === undefined || shape(value);
}

/** An array of at most `max` items. */
export function listOf(shape: Shape, max: number): Shape {
  return (value) => Array.isArray(value) && value.length <= max && value.every(shape);
}

/** A record used as a dictionary, of at most `max` entries; `__proto__` is no key. */
export function dictionaryOf(shape: Shape, max: number): Shape {
  return (value) => {
    if (!isRecord(value)) return false;
    const entries = Object.entries(value);
    return entries.length <= max && entries.every(([key, item]) => key !== '__proto__' && key.length <= 4096 && shape(item));
  };
}

/** A record with these fields and no others; own properties only (R59). */
export function objectWith(fields: Readonly<Record<string, Shape>>): Shape {
  const shapes = new Map(Object.entries(fields));
  return (value) => {
    if (!isRecord(value)) return false;
    if (!Object.keys(value).every((key) => shapes.has(key))) return false;
    return [...shapes].every(([key, shape]) => shape(Object.hasOwn(value, key) ? value[key] : undefined));
  };
}

/** A record of one of several forms. */
export function anyOf(...shapes: readonly Shape[]): Shape {
  return (value) => shapes.some((shape) => shape(value));
}
