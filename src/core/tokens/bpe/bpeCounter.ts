import type { TokenCounter } from '../../ports/tokenCounter';
import { createLongPieceCounter } from './longPiece';
import { createPieceCounter } from './pieceCounter';
import { createScanners, type NextPiece } from './pieceScanner';
import type { PlaceOf } from './rankTable';
import { createTextWindow, type TextWindow } from './textWindow';

export type Encoding = 'o200k_base' | 'cl100k_base';

/** Counts exactly as the official tokenizer of an encoding does when it takes special tokens as ordinary text. */
export interface BpeCounter extends TokenCounter {
  readonly id: Encoding;
  /**
   * Counts a text of any size in slices of about `sliceUnits` UTF-16 units (at least 1024): yields the tokens so far after each, returns
   * all of them. Other texts may be counted between two slices. A piece of the pattern is scanned in one go, however long it is, which takes
   * some ns a byte; all else takes no longer than a slice.
   */
  countSlices(text: string, sliceUnits?: number): Generator<number, number, void>;
}

const SLICE_UNITS = 1 << 15;
const LEAST_SLICE_UNITS = 1024;
const AT_ONCE = 2 ** 30;

/** Creates the counter of an encoding from its table. */
export function createBpeCounter(id: Encoding, placeOf: PlaceOf): BpeCounter {
  const nextPiece: NextPiece = createScanners()[id];
  const countPieces = createPieceCounter(placeOf, nextPiece);
  const countLong = createLongPieceCounter(placeOf);
  const shared = createTextWindow(SLICE_UNITS);

  function* slices(text: string, window: TextWindow, sliceBytes: number): Generator<number, number, void> {
    const progress = { at: 0, tokens: 0 };
    window.open(text);
    for (;;) {
      const to = window.next(progress.at);
      progress.at = 0;
      if (to === undefined) return progress.tokens;
      if (to === 0) yield progress.tokens;
      while (progress.at < to) {
        const longEnd = countPieces(window.bytes, progress, Math.min(to, progress.at + sliceBytes));
        if (longEnd !== undefined) {
          const long = countLong(window.bytes, progress.at, longEnd);
          let step = long.next();
          for (; step.done !== true; step = long.next()) yield progress.tokens;
          progress.tokens += step.value;
          progress.at = longEnd;
        }
        yield progress.tokens;
      }
    }
  }

  return {
    id,
    count(text) {
      const run = slices(text, shared, AT_ONCE);
      let step = run.next();
      while (step.done !== true) step = run.next();
      return step.value;
    },
    countSlices(text, sliceUnits = SLICE_UNITS) {
      const units = sliceUnits > LEAST_SLICE_UNITS ? Math.trunc(sliceUnits) : LEAST_SLICE_UNITS;
      return slices(text, createTextWindow(Math.max(1, Math.min(units, text.length))), units);
    },
  };
}
