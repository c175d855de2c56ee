import { createShortPieceCounter, SHORT_BYTES } from './shortPiece';
import { NO_TOKEN, type PlaceOf } from './rankTable';
import type { TextBytes } from './textBytes';
import type { NextPiece } from './pieceScanner';

/** How far a text has been counted. */
export interface Progress {
  /** Byte where the next piece starts. */
  at: number;
  tokens: number;
}

/**
 * Counts the pieces that start before `to`. Stops in front of a piece that is longer than SHORT_BYTES and no token itself, and returns the
 * end of it; returns undefined when all is counted.
 */
export type PieceCounter = (text: TextBytes, progress: Progress, to: number) => number | undefined;

/** Longest piece in bytes that is remembered: its words are its key. Of the pieces in sessions, one in a thousand is longer. */
const KEY_BYTES = 16;
const CACHE_BITS = 14;
/** Four words of the piece, its length and its tokens; the rest fills half a line of the processor's cache. */
const ENTRY = 8;

/** Masks of the four words of a piece by its length, so that bytes behind it do not get into its key. */
const KEY_MASKS = keyMasks();

/** Creates a counter with a cache of its own: a table in which a piece takes the place of the one that had it. */
export function createPieceCounter(placeOf: PlaceOf, nextPiece: NextPiece): PieceCounter {
  const countShort = createShortPieceCounter(placeOf);
  const cache = new Int32Array(ENTRY << CACHE_BITS);

  const countPiece = (text: TextBytes, from: number, to: number): number =>
    placeOf(text, from, to) === NO_TOKEN ? countShort(text, from, to) : 1;

  return (text, progress, to) => {
    const { bytes, view } = text;
    let { at, tokens } = progress;
    while (at < to) {
      const end = nextPiece(bytes, at);
      const length = end - at;
      if (length === 1) tokens += 1;
      else if (length <= KEY_BYTES) {
        const first = view.getInt32(at, true) & (KEY_MASKS[4 * length] ?? 0);
        const second = view.getInt32(at + 4, true) & (KEY_MASKS[4 * length + 1] ?? 0);
        const third = view.getInt32(at + 8, true) & (KEY_MASKS[4 * length + 2] ?? 0);
        const fourth = view.getInt32(at + 12, true) & (KEY_MASKS[4 * length + 3] ?? 0);
        const hash =
          Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35) ^ Math.imul(fourth, 0x27d4eb2f);
        const entry = (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> (32 - CACHE_BITS)) * ENTRY;
        if (
          cache[entry] === first &&
          cache[entry + 1] === second &&
          cache[entry + 2] === third &&
          cache[entry + 3] === fourth &&
          cache[entry + 4] === length
        )
          tokens += cache[entry + 5] ?? 0;
        else {
          const count = countPiece(text, at, end);
          tokens += count;
          cache[entry] = first;
          cache[entry + 1] = second;
          cache[entry + 2] = third;
          cache[entry + 3] = fourth;
          cache[entry + 4] = length;
          cache[entry + 5] = count;
        }
      } else if (length <= SHORT_BYTES) tokens += countPiece(text, at, end);
      else if (placeOf(text, at, end) !== NO_TOKEN) tokens += 1;
      else {
        progress.at = at;
        progress.tokens = tokens;
        return end;
      }
      at = end;
    }
    progress.at = at;
    progress.tokens = tokens;
    return undefined;
  };
}

function keyMasks(): Int32Array {
  const masks = new Uint8Array(4 * 4 * (KEY_BYTES + 1));
  for (let length = 0; length <= KEY_BYTES; length++) masks.fill(0xff, KEY_BYTES * length, KEY_BYTES * length + length);
  return new Int32Array(masks.buffer);
}
