// The words of a text that carry meaning: those of five letters or more, numbers, and names of code, files and addresses.

export interface Term {
  /** As it stands in the text. */
  readonly text: string;
  /** A plain word, to be compared in small letters; names count as they are written. */
  readonly isWord: boolean;
}

/** Terms of a text in order, with repetitions. Linear. */
export function termsIn(text: string): Term[] {
  const terms: Term[] = [];
  let at = 0;
  while (at < text.length) {
    const first = kindAt(text, at);
    if (first > LAST_PART) {
      at++;
      continue;
    }
    const start = at;
    let end = at + 1;
    let isName = first === DIGIT || first === CODE;
    let isNumber = first === DIGIT;
    let hasHyphen = false;
    let joined: number = first;
    let before: number = first;
    for (at++; at < text.length; at++) {
      const kind = kindAt(text, at);
      if (kind === NONE) break;
      if (kind > LAST_PART) {
        joined = joined === JOINT ? JOINT : kind;
        continue;
      }
      // What only stands at the end joins nothing.
      if (end < at) {
        isNumber = false;
        if (joined === JOINT) isName = true;
        else hasHyphen = true;
      }
      if (kind === DIGIT || kind === CODE || (kind === CAPITAL && before === SMALL && end === at)) isName = true;
      if (kind !== DIGIT) isNumber = false;
      end = at + 1;
      joined = before = kind;
    }
    if (isName) terms.push({ text: text.slice(start, end), isWord: isNumber });
    else if (hasHyphen) for (const word of text.slice(start, end).split(/-+/)) pushWord(terms, word);
    else if (end - start >= SHORTEST_WORD) terms.push({ text: text.slice(start, end), isWord: true });
  }
  return terms;
}

/** What makes two terms the same. */
export function termKey({ text, isWord }: Term): string {
  return isWord ? text.toLowerCase() : text;
}

/** Distinct terms of a text, in small letters. */
export function keywordsIn(text: string): string[] {
  return [...new Set(termsIn(text).map((term) => term.text.toLowerCase()))];
}

function pushWord(terms: Term[], text: string): void {
  if (text.length >= SHORTEST_WORD) terms.push({ text, isWord: true });
}

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < KINDS.length) return KINDS[unit] ?? NONE;
  // Beyond ASCII whatever is no sign and no space.
  const isLetter =
    unit >= 0xc0 && !(unit >= 0x2000 && unit <= 0x2bff) && !(unit >= 0x3000 && unit <= 0x303f) && !(unit >= 0xd800 && unit <= 0xdfff);
  return isLetter && unit < 0xfe00 ? SMALL : NONE;
}

const SMALL = 0;
const CAPITAL = 1;
const DIGIT = 2;
const CODE = 3;
const LAST_PART = CODE;
/** Makes one name of what stands on both sides: `. / : @ #`. */
const JOINT = 4;
const HYPHEN = 5;
const NONE = 6;

const KINDS: readonly number[] = Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (/[a-z]/.test(character)) return SMALL;
  if (/[A-Z]/.test(character)) return CAPITAL;
  if (/\d/.test(character)) return DIGIT;
  if (character === '_' || character === '$') return CODE;
  if (character === '-') return HYPHEN;
  return './:@#'.includes(character) ? JOINT : NONE;
});

const SHORTEST_WORD = 5;
