import { END_BYTE } from './charClasses';
import { allocateText, TAIL_BYTES, type TextBytes } from './textBytes';

/** A part of a text as UTF-8, moved along it. Lone surrogates are U+FFFD there, as in everything that is encoded. */
export interface TextWindow {
  /** The bytes taken in; another object after `next`. */
  readonly bytes: TextBytes;
  /** Starts at the beginning of a text. */
  open(text: string): void;
  /**
   * Drops the bytes before `from` and takes in more of the text. Returns up to where pieces may be counted: no piece crosses that byte, and
   * none before it depends on what comes behind it; 0 when none such is in sight yet. Undefined at the end of the text.
   */
  next(from: number): number | undefined;
}

/** Creates a window of about `sliceUnits` UTF-16 units; it grows where no border between pieces shows in so many. */
export function createTextWindow(sliceUnits: number): TextWindow {
  const encoder = new TextEncoder();
  const usual = allocateText(sliceUnits * BYTES_PER_UNIT);
  let window = usual;
  let text = '';
  let unit = 0;
  let length = 0;

  /** Takes in as much of the next units as there is room for. */
  function fill(): void {
    let end = Math.min(text.length, unit + sliceUnits);
    // Never between the halves of a surrogate pair.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end += 1;
    const { bytes } = window;
    const room = bytes.subarray(length, bytes.length - TAIL_BYTES);
    const { read, written } = encoder.encodeInto(unit === 0 && end === text.length ? text : text.slice(unit, end), room);
    unit += read;
    length += written;
    bytes[length] = END_BYTE;
  }

  function grow(): void {
    const { bytes } = window;
    window = allocateText(2 * bytes.length);
    window.bytes.set(bytes.subarray(0, length));
  }

  return {
    get bytes() {
      return window;
    },
    open(whole) {
      text = whole;
      window = usual;
      unit = 0;
      length = 0;
    },
    next(from) {
      if (from > 0) window.bytes.copyWithin(0, from, length);
      length -= from;
      if (length === 0 && unit === text.length) {
        text = '';
        window = usual;
        return undefined;
      }
      // What was left over holds no border.
      const searched = length;
      fill();
      if (unit === text.length) return length;
      const border = lastBorder(window.bytes, searched, length);
      if (border === 0 && length + sliceUnits * BYTES_PER_UNIT > window.bytes.length - TAIL_BYTES) grow();
      return border;
    },
  };
}

/** Most UTF-8 bytes for one UTF-16 unit. */
const BYTES_PER_UNIT = 3;

/** The last border from `from` to `end`, or 0. Looks at ASCII alone, where these pairs are a border in both patterns whatever stands around them. */
function lastBorder(bytes: Uint8Array, from: number, end: number): number {
  let right = bytes[end - 1] ?? END_BYTE;
  for (let at = end - 1; at >= Math.max(1, from); at--) {
    const left = bytes[at - 1] ?? END_BYTE;
    if (right < 0x80 && isBorder(left, right)) return at;
    right = left;
  }
  return 0;
}

/** A word ends before anything but a letter, mark or apostrophe; a number before all but a number; line breaks end what they stand in. */
function isBorder(left: number, right: number): boolean {
  if (isLetter(left)) return !isLetter(right) && right !== 0x27;
  if (isDigit(left)) return !isDigit(right);
  return (left === 0x0a || left === 0x0d) && right > 0x20 && right !== 0x2f;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
