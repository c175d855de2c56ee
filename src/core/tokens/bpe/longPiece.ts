import { createWindowMerger } from './windowMerger';
import type { PlaceOf } from './rankTable';
import type { TextBytes } from './textBytes';

/** Bytes that are merged at once; small enough for the processor's cache. */
const WINDOW = 2048;
/** Tokens that end this close to a window's end may change by what follows; longer than two tokens. */
const OVERLAP = 272;

/** One window whose tokens were taken over, so that it can be done again. */
interface Taken {
  readonly from: number;
  /** Tokens in front of it. */
  readonly tokens: number;
  /** Where its first token has to end: where the window before it saw it end. */
  readonly firstEnd: number | undefined;
}

/**
 * Counts the tokens of a piece of any length in n log n time, window by window, and pauses after each.
 *
 * Why windows give the very tokens of the whole: a sequence of tokens is the merge of its text exactly when each two neighbours are the
 * merge of theirs (the first merge across a border would happen in those two alone as well, since whatever merges elsewhere does so apart from
 * them). So the next window starts where a token of the last one ends, well before that one's end, and when its first token is the one
 * that stood there, every two neighbours stand in one window or the other. When it is not, the last window is done again, twice as long.
 */
export function createLongPieceCounter(
  placeOf: PlaceOf,
): (text: TextBytes, from: number, to: number) => Generator<undefined, number, void> {
  const merge = createWindowMerger(placeOf);

  return function* count(text, pieceFrom, to) {
    const taken: Taken[] = [];
    let current: Taken = { from: pieceFrom, tokens: 0, firstEnd: undefined };
    let size = WINDOW;
    for (;;) {
      const windowEnd = Math.min(to, current.from + size);
      const ends = merge(text, current.from, windowEnd);
      const before = taken.at(-1);
      if (before !== undefined && ends[0] !== current.firstEnd) {
        taken.pop();
        current = before;
        size *= 2;
      } else if (windowEnd === to) return current.tokens + ends.length;
      else {
        const kept = endsUpTo(ends, windowEnd - OVERLAP);
        taken.push(current);
        current = { from: ends[kept - 1] ?? to, tokens: current.tokens + kept, firstEnd: ends[kept] };
        size = WINDOW;
      }
      yield;
    }
  };
}

/** How many of the ascending ends are not behind `limit`. */
function endsUpTo(ends: Int32Array, limit: number): number {
  let count = ends.length;
  while (count > 1 && (ends[count - 1] ?? 0) > limit) count -= 1;
  return count;
}
