// A line of JSON without its long strings. Parsing a line costs by its length, and most of it is text that nobody looks at; finding where a string
// ends costs a tenth of that.
import { CUT_CLOSE, CUT_OPEN } from './cutText';

/** Longer strings are cut, in bytes of JSON. */
const LONGEST_STRING = 160;
/** Beginning of a cut string that stays, for those who tell texts apart by it. Ends at the first byte that is not plain ASCII. */
const KEPT_BYTES = 32;
/** Strings up to this length are gone through byte by byte; the search of the platform is faster only behind it. */
const NEAR = 48;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_RECORD = 0x7b;
const CLOSE_RECORD = 0x7d;

/** Strings behind these keys say what a record is or how it hangs together, and are kept at any length; so are those whose key ends in `id`. */
const STRUCTURE = new Set([
  'type',
  'subtype',
  'role',
  'name',
  'model',
  'cwd',
  'version',
  'timestamp',
  'title',
  'aiTitle',
  'customTitle',
  'call_id',
  'media_type',
  'mime_type',
  'mimeType',
]);
const LONGEST_KEY = 24;

/** Makes skeletons in one buffer of its own. */
export class Skimmer {
  readonly #maxDepth: number;
  #out = new Uint8Array(16 * 1024);
  #length = 0;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /**
   * Skeleton of a line in [from, to): its JSON in which each long string is cut and marked. Valid until the next call. Undefined when nothing was
   * long, and when the line nests too deep or a string does not end: then the line has to be looked at as it is. Linear.
   */
  skim(bytes: Uint8Array, from: number, to: number): Uint8Array | undefined {
    this.#length = 0;
    let copied = from;
    let depth = 0;
    let at = from;
    while (at < to) {
      const byte = bytes[at];
      if (byte !== QUOTE) {
        if (byte === OPEN_LIST || byte === OPEN_RECORD) {
          if (++depth > this.#maxDepth) return undefined;
        } else if (byte === CLOSE_LIST || byte === CLOSE_RECORD) depth--;
        at++;
        continue;
      }
      const close = endOfString(bytes, at, to);
      if (close < 0) return undefined;
      if (close - at > LONGEST_STRING && !isKey(bytes, close, to) && !isStructure(bytes, from, at)) {
        const keep = keptEnd(bytes, at + 1);
        this.#copy(bytes, copied, keep);
        this.#mark(close - at - 1);
        copied = close;
      }
      at = close + 1;
    }
    if (copied === from) return undefined;
    this.#copy(bytes, copied, to);
    return this.#out.subarray(0, this.#length);
  }

  #copy(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    this.#out.set(bytes.subarray(from, to), this.#length);
    this.#length += to - from;
  }

  #mark(bytes: number): void {
    const mark = `${CUT_OPEN}${bytes}${CUT_CLOSE}`;
    this.#reserve(mark.length);
    for (let at = 0; at < mark.length; at++) this.#out[this.#length++] = mark.charCodeAt(at);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#out.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#out.length * 2));
    larger.set(this.#out.subarray(0, this.#length));
    this.#out = larger;
  }
}

/** Position of the quote that closes the string opened at `open`, or -1. */
function endOfString(bytes: Uint8Array, open: number, to: number): number {
  const near = Math.min(to, open + NEAR);
  let at = open + 1;
  while (at < near) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  for (;;) {
    at = bytes.indexOf(QUOTE, at);
    if (at < 0 || at >= to) return -1;
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
    at++;
  }
}

/** End of the part of a cut string that is kept. */
function keptEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < start + KEPT_BYTES) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) break;
    at++;
  }
  return at;
}

function isKey(bytes: Uint8Array, close: number, to: number): boolean {
  let at = close + 1;
  while (at < to && isSpace(bytes[at])) at++;
  return at < to && bytes[at] === COLON;
}

/** True for a string behind a key that tells the structure. */
function isStructure(bytes: Uint8Array, from: number, open: number): boolean {
  let at = open - 1;
  while (at > from && isSpace(bytes[at])) at--;
  if (bytes[at] !== COLON) return false;
  at--;
  while (at > from && isSpace(bytes[at])) at--;
  if (bytes[at] !== QUOTE) return false;
  const end = at;
  at--;
  while (at > from && end - at <= LONGEST_KEY && bytes[at] !== QUOTE) at--;
  if (bytes[at] !== QUOTE) return false;
  let key = '';
  for (let place = at + 1; place < end; place++) key += String.fromCharCode(bytes[place] ?? 0);
  return STRUCTURE.has(key) || /[iI][dD]$/.test(key);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
