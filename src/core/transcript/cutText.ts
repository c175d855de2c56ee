// How a string that was cut out of a line is marked in the line's skeleton. A text of the file that looks like a mark only makes its block be read
// from the file, where the text itself stands; so a mark needs no secret.

/** A character that JSON allows as it is and that no text needs. */
export const CUT_OPEN = '\u007f';
export const CUT_CLOSE = '\u007f';

const MARK = /\u007f(\d{1,10})\u007f/g;

/** What a value of a skeleton holds. */
export interface CutFacts {
  /** A string in it was cut. */
  readonly isCut: boolean;
  /** Bytes of its strings, cut ones included, about. */
  readonly bytes: number;
}

/** Looks through a value of a skeleton, whose depth the line reader has bounded. */
export function cutFacts(value: unknown): CutFacts {
  let isCut = false;
  let bytes = 0;
  const values: unknown[] = [value];
  while (values.length > 0) {
    const next = values.pop();
    if (typeof next === 'string') {
      bytes += next.length;
      if (!next.includes(CUT_OPEN)) continue;
      for (const [, length] of next.matchAll(MARK)) {
        isCut = true;
        bytes += Number(length);
      }
    } else if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) values.push(inner);
  }
  return { isCut, bytes };
}
