import { CLASS_RUNS } from './classRuns';

/**
 * What the patterns of the encodings tell apart, one bit per class, so that one `&` asks for several. The end of the text has no bit: every
 * run stops there.
 */
export const OTHER = 1;
/** White space but CR and LF. */
export const SPACE = 2;
/** CR and LF. */
export const NEWLINE = 4;
export const NUMBER = 8;
/** Upper and title case. */
export const UPPER = 16;
export const LOWER = 32;
/** Letters without case, and modifiers. */
export const LETTER = 64;
export const MARK = 128;

/** Stands behind the last byte of a text. UTF-8 has no such byte. */
export const END_BYTE = 0xff;

const CODE_POINTS = 0x110000;
const BLOCK_BITS = 8;
const BLOCK = 1 << BLOCK_BITS;

/** Classes of all code points in two steps: the block's number by the upper bits, then the class inside of the block. */
export interface CharClasses {
  readonly blocks: Uint8Array;
  readonly classes: Uint8Array;
}

/** Class of a code point. */
export function classOf({ blocks, classes }: CharClasses, codePoint: number): number {
  return classes[((blocks[codePoint >> BLOCK_BITS] ?? 0) << BLOCK_BITS) | (codePoint & (BLOCK - 1))] ?? 0;
}

/** Spreads the runs of `classRuns` into a table. Blocks of one class only, which most are, are kept once for each class. */
export function expandClasses(): CharClasses {
  const blocks = new Uint8Array(CODE_POINTS >> BLOCK_BITS);
  const classes = new Uint8Array(256 << BLOCK_BITS);
  const uniform = new Map<number, number>();
  let used = 0;
  let codePoint = 0;
  for (let at = 0; at < CLASS_RUNS.length;) {
    const found = CLASS_OF_LETTER.get(CLASS_RUNS.charAt(at++)) ?? OTHER;
    let length = 0;
    // Digits of base 36 are 0 to 9 and lower-case letters; the letter of the next class is an upper-case one.
    for (let code = CLASS_RUNS.charCodeAt(at); code < 0x3a || code > 0x5a; code = CLASS_RUNS.charCodeAt(++at))
      length = length * 36 + (code < 0x3a ? code - 0x30 : code - 0x57);
    const end = codePoint + (length === 0 ? 1 : length);
    while (codePoint < end) {
      const block = codePoint >> BLOCK_BITS;
      const starts = (codePoint & (BLOCK - 1)) === 0;
      const inBlock = Math.min(end, (block + 1) << BLOCK_BITS);
      const whole = starts && inBlock - codePoint === BLOCK;
      if (starts) blocks[block] = (whole ? uniform.get(found) : undefined) ?? used++;
      const number = blocks[block] ?? 0;
      if (whole) uniform.set(found, number);
      classes.fill(found, (number << BLOCK_BITS) | (codePoint & (BLOCK - 1)), (number << BLOCK_BITS) + BLOCK);
      codePoint = inBlock;
    }
  }
  return { blocks, classes };
}

const CLASS_OF_LETTER = new Map<string, number>([
  ['O', OTHER],
  ['S', SPACE],
  ['R', NEWLINE],
  ['N', NUMBER],
  ['U', UPPER],
  ['L', LOWER],
  ['X', LETTER],
  ['M', MARK],
]);
