// Cuts running text into what may be a name: addresses, numbers with their units, and words with the signs that belong to them.

export interface LostToken {
  readonly kind: 'url' | 'number' | 'word';
  readonly text: string;
}

/** Tokens of a text in order. Signs around them are left out, signs inside of them stay. Linear. */
export function* lostTokens(text: string): Generator<LostToken> {
  let word = '';
  let end = -1;
  for (const { 0: match, index, groups } of text.matchAll(TOKENS)) {
    const kind = groups?.['url'] !== undefined ? 'url' : groups?.['number'] !== undefined ? 'number' : 'word';
    // A folder may be named in brackets: `app/[slug]/page.tsx`.
    const isMore = word !== '' && kind !== 'url' && index === end + 1 && joins(text, end);
    if (isMore) word += text.slice(end, index) + match;
    else {
      if (word !== '') yield { kind: 'word', text: word };
      word = kind === 'word' ? match : '';
      if (kind !== 'word') yield { kind, text: kind === 'url' ? wholeUrl(match) : match };
    }
    end = index + match.length;
  }
  if (word !== '') yield { kind: 'word', text: word };
}

/** Addresses of a text, each whole. */
export function urlsIn(text: string): readonly string[] {
  return text.includes('://') ? Array.from(text.matchAll(URLS), ([match]) => wholeUrl(match)) : [];
}

/** Numbers with their units, as `measureOf` tells them. */
export function measuresIn(text: string): readonly string[] {
  return Array.from(text.matchAll(NUMBERS), ([match]) => measureOf(match)).filter((measure) => measure !== undefined);
}

/** A number as it is compared: without its space, its unit in short and in small letters; undefined for one without a unit. */
export function measureOf(number: string): string | undefined {
  const found = MEASURE.exec(number);
  if (found === null) return undefined;
  const [, sign = '', digits = '', unit = ''] = found;
  if (sign === '' && unit === '') return undefined;
  const short = unit.toLowerCase();
  return `${sign}${digits}${LONG_UNITS.get(short) ?? short}`;
}

/** Without signs at the end. */
export function withoutEnd(name: string): string {
  let to = name.length;
  while (to > 0 && !ENDS_NAME.test(name[to - 1] ?? '')) to--;
  return name.slice(0, to);
}

/** A bracket at `end` that opens behind a slash, or closes before one or before an ending. */
function joins(text: string, end: number): boolean {
  const sign = text[end] ?? '';
  if (sign === '[' || sign === '(') return /[/\\]/.test(text[end - 1] ?? '') && BRACKETED.test(text.slice(end, end + LONGEST_BRACKETED));
  return (sign === ']' || sign === ')') && /[/\\.]/.test(text[end + 1] ?? '');
}

/** Without signs at the end, but with a bracket that was opened in it. */
function wholeUrl(match: string): string {
  const name = withoutEnd(match);
  const closing = match[name.length];
  const opening = closing === ')' ? '(' : closing === ']' ? '[' : undefined;
  if (opening === undefined || closing === undefined) return name;
  return count(name, opening) > count(name, closing) ? name + closing : name;
}

function count(text: string, sign: string): number {
  let found = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) found++;
  return found;
}

const LONG_UNITS: ReadonlyMap<string, string> = new Map([
  ['milliseconds', 'ms'],
  ['millisecond', 'ms'],
  ['seconds', 's'],
  ['second', 's'],
  ['sec', 's'],
  ['minutes', 'min'],
  ['minute', 'min'],
  ['hours', 'h'],
  ['hour', 'h'],
  ['days', 'd'],
  ['day', 'd'],
  ['bytes', 'b'],
  ['byte', 'b'],
  ['kilobytes', 'kb'],
  ['megabytes', 'mb'],
  ['gigabytes', 'gb'],
  ['pixels', 'px'],
  ['pixel', 'px'],
  ['percent', '%'],
  ['us', 'µs'],
]);
const UNIT = `(?:[kKMGTP]i?[bB]|[kMG]bps|bytes?|(?:kilo|mega|giga)bytes|[nmµu]s|(?:milli)?seconds?|sec|s|minutes?|min|hours?|h|days?|[kMG]?Hz|px|pixels?|rem|em|pt|fps|rpm|dpi|°[CF]|percent|%)`;
const DIGITS = String.raw`\d+(?:[.,:]\d+)*`;
const NUMBER = String.raw`(?<![\p{L}\p{N}\p{M}_.,:/\\@#$-])[$€£¥]?${DIGITS}(?:\s?${UNIT})?(?![\p{L}\p{N}\p{M}_]|[.,:/\\@#-][\p{L}\p{N}])`;
const URL = String.raw`https?:\/\/[^\s"'\x60<>{}*“”‘’…]+`;
const WORD = String.raw`[^\s"'\x60<>()[\]{}*“”‘’…]+`;
const URLS = new RegExp(`(?<![\\p{L}\\p{N}_])${URL}`, 'gu');
const NUMBERS = new RegExp(NUMBER, 'gu');
const TOKENS = new RegExp(`(?<url>(?<![\\p{L}\\p{N}_=])${URL})|(?<number>${NUMBER})|${WORD}`, 'gu');
const MEASURE = new RegExp(`^([$€£¥]?)(${DIGITS})\\s?(${UNIT})?$`, 'u');
const BRACKETED = /^(?:\[[^\s[\]()/\\]+\]|\([^\s[\]()/\\]+\))[/\\.]/;
const LONGEST_BRACKETED = 80;
/** A half of a code point beyond the first plane counts as a letter. */
const ENDS_NAME = /[\p{L}\p{M}\p{N}\ud800-\udfff_$%]/u;
