import { classOf, END_BYTE, expandClasses, LETTER, LOWER, MARK, NEWLINE, NUMBER, OTHER, SPACE, UPPER } from './charClasses';

/**
 * Finds the end of the piece that starts at `from`, in UTF-8 with END_BYTE behind it. A piece is what the encoding's pattern matches there;
 * merging never crosses it. A piece has at least one byte and whole characters.
 */
export type NextPiece = (bytes: Uint8Array, from: number) => number;

/**
 * The scanners of the two encodings. They do by hand what the official patterns say, backtracking included (the regular expressions stand
 * above each function), so no text takes them more than linear time; runs of letters or white space that give way are scanned twice at most.
 */
export function createScanners(): { readonly o200k_base: NextPiece; readonly cl100k_base: NextPiece } {
  const classes = expandClasses();
  /** Classes by first byte: of ASCII the character's; 0 of END_BYTE and of bytes that start longer characters. */
  const ascii = new Uint8Array(256);
  for (let byte = 0; byte < 0x80; byte++) ascii[byte] = classOf(classes, byte);

  function classAt(bytes: Uint8Array, at: number): number {
    const first = bytes[at] ?? END_BYTE;
    return first < 0x80 || first === END_BYTE ? (ascii[first] ?? 0) : classOf(classes, decode(bytes, at));
  }

  /** End of the run of characters of these classes. */
  function run(bytes: Uint8Array, from: number, wanted: number): number {
    let at = from;
    for (;;) {
      const first = bytes[at] ?? END_BYTE;
      if (first < 0x80) {
        if (((ascii[first] ?? 0) & wanted) === 0) return at;
        at += 1;
      } else {
        if (first === END_BYTE || (classOf(classes, decode(bytes, at)) & wanted) === 0) return at;
        at += sizeOf(first);
      }
    }
  }

  /**
   * End of a word that starts at `from` with a letter or mark: [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+, else
   * [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*. Where no lower case follows the first run, the first pattern gives back
   * what it took up to the last character that both sets hold; where there is none of them, the second takes all.
   */
  function word(bytes: Uint8Array, from: number): number {
    let at = from;
    let shared = from;
    for (;;) {
      const first = bytes[at] ?? END_BYTE;
      const found = first < 0x80 ? (ascii[first] ?? 0) : classAt(bytes, at);
      if ((found & UPPER) !== 0) at += sizeOf(first);
      else if ((found & (LETTER | MARK)) !== 0) {
        at += sizeOf(first);
        shared = at;
      } else if ((found & LOWER) !== 0) return run(bytes, at, LOWER | LETTER | MARK);
      else return shared > from ? shared : at;
    }
  }

  /** End of the word at `from` with the character in front of it, where all of it and what follows is ASCII: most pieces; else `from`. */
  function asciiWord(bytes: Uint8Array, from: number): number {
    let at = from;
    let found = ascii[bytes[at] ?? END_BYTE] ?? 0;
    if ((found & (OTHER | SPACE)) !== 0) found = ascii[bytes[++at] ?? END_BYTE] ?? 0;
    if ((found & (UPPER | LOWER)) === 0) return from;
    while ((found & UPPER) !== 0) found = ascii[bytes[++at] ?? END_BYTE] ?? 0;
    while ((found & LOWER) !== 0) found = ascii[bytes[++at] ?? END_BYTE] ?? 0;
    if (found === 0) return from;
    return afterShort(bytes, at);
  }

  function numbers(bytes: Uint8Array, from: number): number {
    let at = from;
    for (let count = 0; count < 3 && (classAt(bytes, at) & NUMBER) !== 0; count++) at += sizeOf(bytes[at] ?? 0);
    return at;
  }

  /** \s*[\r\n]+|\s+(?!\S)|\s+ at white space: up to the last line break, else to the end, else all but the last character, else that. */
  function whiteSpace(bytes: Uint8Array, from: number): number {
    let at = from;
    let last = from;
    let lineEnd = from;
    for (;;) {
      const found = classAt(bytes, at);
      if ((found & (SPACE | NEWLINE)) === 0) break;
      last = at;
      at += sizeOf(bytes[at] ?? 0);
      if (found === NEWLINE) lineEnd = at;
    }
    if (lineEnd > from) return lineEnd;
    return bytes[at] === END_BYTE || last === from ? at : last;
  }

  /** [^\s\p{L}\p{N}]+ and then line breaks, and slashes among them where the encoding takes them. */
  function punctuation(bytes: Uint8Array, from: number, slashes: boolean): number {
    let at = run(bytes, from, OTHER | MARK);
    while (bytes[at] === LF || bytes[at] === CR || (slashes && bytes[at] === SLASH)) at += 1;
    return at;
  }

  /**
   * [^\r\n\p{L}\p{N}]?WORD(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
   * where WORD is what `word` finds. A mark in front could be the optional character as well as the word's first; the match is the same.
   */
  function o200k(bytes: Uint8Array, from: number): number {
    const end = asciiWord(bytes, from);
    if (end > from) return end;
    const found = classAt(bytes, from);
    if ((found & WORD) !== 0) return afterShort(bytes, word(bytes, from));
    if ((found & NUMBER) !== 0) return numbers(bytes, from);
    const next = from + sizeOf(bytes[from] ?? 0);
    if ((found & (OTHER | SPACE)) !== 0) {
      const second = classAt(bytes, next);
      if ((second & WORD) !== 0) return afterShort(bytes, word(bytes, next));
      if ((found & OTHER) !== 0 || ((second & OTHER) !== 0 && bytes[from] === BLANK)) return punctuation(bytes, next, true);
    }
    return whiteSpace(bytes, from);
  }

  /** (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+ */
  function cl100k(bytes: Uint8Array, from: number): number {
    const short = afterShort(bytes, from);
    if (short > from) return short;
    const found = classAt(bytes, from);
    if ((found & LETTERS) !== 0) return run(bytes, from, LETTERS);
    if ((found & NUMBER) !== 0) return numbers(bytes, from);
    const next = from + sizeOf(bytes[from] ?? 0);
    if ((found & (OTHER | SPACE | MARK)) !== 0) {
      const second = classAt(bytes, next);
      if ((second & LETTERS) !== 0) return run(bytes, next, LETTERS);
      if ((found & (OTHER | MARK)) !== 0 || ((second & (OTHER | MARK)) !== 0 && bytes[from] === BLANK))
        return punctuation(bytes, next, false);
    }
    return whiteSpace(bytes, from);
  }

  return { o200k_base: o200k, cl100k_base: cl100k };
}

const LETTERS = UPPER | LOWER | LETTER;
const WORD = LETTERS | MARK;
const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;

/** Bytes of the character that starts with this byte. */
function sizeOf(first: number): number {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Code point of the longer character at `at`. */
function decode(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const second = (bytes[at + 1] ?? 0) & 0x3f;
  if (first < 0xe0) return ((first & 0x1f) << 6) | second;
  const third = (bytes[at + 2] ?? 0) & 0x3f;
  if (first < 0xf0) return ((first & 0xf) << 12) | (second << 6) | third;
  return ((first & 7) << 18) | (second << 12) | (third << 6) | ((bytes[at + 3] ?? 0) & 0x3f);
}

/** End of the contraction at `from` (case folded, so the long s U+017F counts as s), or `from`. */
function afterShort(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== APOSTROPHE) return from;
  const second = bytes[from + 1] ?? END_BYTE;
  const third = bytes[from + 2] ?? END_BYTE;
  switch (second | 0x20) {
    case 0x73: // s
    case 0x74: // t
    case 0x6d: // m
    case 0x64: // d
      return from + 2;
    case 0x72: // r
    case 0x76: // v
      return (third | 0x20) === 0x65 ? from + 3 : from;
    case 0x6c: // l
      return (third | 0x20) === 0x6c ? from + 3 : from;
    default:
      return second === 0xc5 && third === 0xbf ? from + 3 : from;
  }
}
