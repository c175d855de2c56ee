import { NO_TOKEN, type PlaceOf } from './rankTable';
import type { TextBytes } from './textBytes';

/** Longest piece, in bytes, that is merged by looking for the best pair anew each time: below this a heap costs more than it saves. */
export const SHORT_BYTES = 128;

/** Counts the tokens of a piece of 2 to SHORT_BYTES bytes: the pair of the lowest rank merges first, the leftmost among equals. */
export function createShortPieceCounter(placeOf: PlaceOf): (text: TextBytes, from: number, to: number) => number {
  const starts = new Int32Array(SHORT_BYTES + 1);
  /** Rank of the token that part i and part i + 1 would make. */
  const joined = new Int32Array(SHORT_BYTES + 1);

  return (text, from, to) => {
    let parts = to - from;
    for (let i = 0; i < parts; i++) {
      starts[i] = from + i;
      joined[i] = i + 1 < parts ? placeOf(text, from + i, from + i + 2) : NO_TOKEN;
    }
    starts[parts] = to;
    while (parts > 1) {
      let best = 0;
      let rank = NO_TOKEN;
      for (let i = 0; i < parts - 1; i++) {
        const candidate = joined[i] ?? NO_TOKEN;
        if (candidate >= rank) continue;
        rank = candidate;
        best = i;
      }
      if (rank === NO_TOKEN) break;
      parts -= 1;
      for (let i = best + 1; i < parts; i++) {
        starts[i] = starts[i + 1] ?? to;
        joined[i] = joined[i + 1] ?? NO_TOKEN;
      }
      starts[parts] = to;
      const start = starts[best] ?? from;
      joined[best] = best + 1 < parts ? placeOf(text, start, starts[best + 2] ?? to) : NO_TOKEN;
      if (best > 0) joined[best - 1] = placeOf(text, starts[best - 1] ?? from, starts[best + 1] ?? to);
    }
    return parts;
  };
}
