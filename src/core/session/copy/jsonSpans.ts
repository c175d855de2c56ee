// Edits JSON as text. What a copy keeps stays the bytes that the agent wrote: numbers beyond 2^53, escapes, key order and unknown fields
// would not survive a parse and a stringify. All scans are one pass without recursion; text that JSON.parse does
// not accept gives some spans and never throws.

import { stringOf, type JsonRecord } from '../../util/json';

/** Part of a text; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Member extends Span {
  readonly key: string;
  readonly value: Span;
}

/** Spans of the JSON values that stand one after the other in a text: one on a sound line, several where records were fused. */
export function* valueSpans(text: string): Generator<Span, undefined> {
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const end = endOfValue(text, at);
    yield { start: at, end };
    at = end;
  }
}

/** Members of the object that begins at `at`, in their order; [] when no object begins there. */
export function memberSpans(text: string, at = skipSpace(text, 0)): readonly Member[] {
  if (text[at] !== '{') return [];
  const members: Member[] = [];
  let next = skipSpace(text, at + 1);
  while (text[next] === '"') {
    const keyEnd = endOfString(text, next);
    const key = stringAt(text, next, keyEnd);
    if (key === undefined) break;
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = endOfValue(text, valueStart);
    members.push({ key, start: next, end, value: { start: valueStart, end } });
    next = skipSpace(text, end);
    if (text[next] !== ',') break;
    next = skipSpace(text, next + 1);
  }
  return members;
}

/** Elements of the array that begins at `at`; [] when no array begins there. */
export function elementSpans(text: string, at = skipSpace(text, 0)): readonly Span[] {
  if (text[at] !== '[') return [];
  const spans: Span[] = [];
  let next = skipSpace(text, at + 1);
  while (next < text.length && text[next] !== ']') {
    const end = endOfValue(text, next);
    spans.push({ start: next, end });
    next = skipSpace(text, end);
    if (text[next] !== ',') break;
    next = skipSpace(text, next + 1);
  }
  return spans;
}

/** Text of a member's value, or undefined. Of a repeated key the last counts, as for JSON.parse. */
export function memberText(object: string, key: string): string | undefined {
  const member = memberSpans(object).findLast((candidate) => candidate.key === key);
  return member && object.slice(member.value.start, member.value.end);
}

/** The object with members set to the given JSON texts: replaced where they stand, added at the end where they are missing. */
export function withMembers(object: string, values: ReadonlyMap<string, string>): string {
  const members = memberSpans(object);
  const present = new Set(members.map((member) => member.key));
  const added = [...values].filter(([key]) => !present.has(key)).map(([key, value]) => `${JSON.stringify(key)}:${value}`);
  return rebuild(object, members, (member) => values.get(member.key), added);
}

/** The object with one member's value text changed by `change` where it is present; `change` returns undefined to leave the value. */
export function mapMember(object: string, key: string, change: (value: string) => string | undefined): string {
  const text = (member: Member): string => object.slice(member.value.start, member.value.end);
  return rebuild(object, memberSpans(object), (member) => (member.key === key ? change(text(member)) : undefined), []);
}

/** The object without the members of these names. */
export function withoutMembers(object: string, keys: ReadonlySet<string>): string {
  const members = memberSpans(object);
  const left = members.filter((member) => !keys.has(member.key));
  return left.length === members.length ? object : rebuild(object, left, () => undefined, []);
}

function rebuild(
  object: string,
  members: readonly Member[],
  valueFor: (member: Member) => string | undefined,
  added: readonly string[],
): string {
  const kept = members.map((member) => {
    const value = valueFor(member);
    return value === undefined ? object.slice(member.start, member.end) : object.slice(member.start, member.value.start) + value;
  });
  return `{${[...kept, ...added].join(',')}}`;
}

function stringAt(text: string, start: number, end: number): string | undefined {
  try {
    const parsed: JsonRecord = { key: JSON.parse(text.slice(start, end)) };
    return stringOf(parsed, 'key');
  } catch {
    return undefined;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09 && code !== 0xfeff) break;
  }
  return at;
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first === '{' || first === '[') return endOfContainer(text, start);
  let at = start + 1;
  while (at < text.length && !' \t\r\n,:]}{["'.includes(text.charAt(at))) at++;
  return at;
}

function endOfContainer(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      continue;
    }
    if (code === 0x7b || code === 0x5b) depth++;
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1;
    at++;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, start, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

/** True for a quote with an odd number of backslashes before it. */
function isEscaped(text: string, start: number, quote: number): boolean {
  let escapes = 0;
  while (quote - 1 - escapes > start && text.charCodeAt(quote - 1 - escapes) === 0x5c) escapes++;
  return escapes % 2 === 1;
}
