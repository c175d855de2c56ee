// Looks at JSON text without building values: how deep it nests, and where one value ends and the next begins.
import { field, isRecord, recordOf } from '../util/json';

const QUOTE = 0x22;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_RECORD = 0x7b;
const CLOSE_RECORD = 0x7d;

/** Lines above this size are not searched for a record behind a torn one: each try costs up to the rest of the line. */
const MAX_RECOVERY_CHARS = 1024 * 1024;
const MAX_RECOVERY_TRIES = 64;

/** True when brackets nest deeper than `limit`. Linear, no recursion; text that is not JSON gives some answer and never throws. */
export function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if (code === OPEN_LIST || code === OPEN_RECORD) {
      depth++;
      if (depth > limit) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_RECORD) depth--;
  }
  return false;
}

export interface JsonSequence {
  readonly values: readonly unknown[];
  /** Where reading stopped; the length of the text when all of it was read. */
  readonly readTo: number;
}

/** Reads records and lists that stand one behind another without a separator, up to the first place that is not JSON. */
export function parseSequence(text: string): JsonSequence {
  const values: unknown[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const end = endOfValue(text, at);
    if (end === undefined) break;
    const value = parseJson(text.slice(at, end));
    if (value === undefined) break;
    values.push(value);
    at = skipSpace(text, end);
  }
  return { values, readTo: at };
}

/**
 * Finds a whole record at the end of text whose beginning was torn off (a crash in the middle of a write, then the next record on the
 * same line). Only an object with the structure of a transcript record counts; undefined when there is none.
 */
export function recoverLastRecord(text: string, maxDepth: number): unknown {
  if (text.length > MAX_RECOVERY_CHARS) return undefined;
  let at = text.indexOf('{"', 1);
  for (let tries = 0; at > 0 && tries < MAX_RECOVERY_TRIES; tries++) {
    const rest = text.slice(at);
    const value = nestsDeeperThan(rest, maxDepth) ? undefined : parseJson(rest);
    if (isRecord(value) && typeof field(value, 'type') === 'string' && hasRecordBody(value)) return value;
    at = text.indexOf('{"', at + 1);
  }
  return undefined;
}

/** Value of JSON text, or undefined when it is not JSON (which has no undefined). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasRecordBody(value: Readonly<Record<string, unknown>>): boolean {
  return typeof field(value, 'uuid') === 'string' || recordOf(value, 'payload') !== undefined;
}

/** Position behind the closing bracket of the record or list that begins at `start`; undefined when none begins or it never closes. */
function endOfValue(text: string, start: number): number | undefined {
  const first = text.charCodeAt(start);
  if (first !== OPEN_LIST && first !== OPEN_RECORD) return undefined;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return undefined;
    } else if (code === OPEN_LIST || code === OPEN_RECORD) depth++;
    else if (code === CLOSE_LIST || code === CLOSE_RECORD) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Position of the quote that closes the string opened at `start`, or -1. A quote behind an odd number of backslashes is text. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
  return -1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++;
  return at;
}
