import type { TokenCounter } from '../../core/ports/tokenCounter';

export type Encoding = 'o200k_base';

/**
 * Loads the exact counter of an encoding: js-tiktoken's encoder over its own ranks, which stand in a file of their own and are read only
 * now (2.3 MB, most of a second of processor time). Loading twice gives the same counter.
 */
export function loadCounter(encoding: Encoding): Promise<TokenCounter> {
  loading ??= load(encoding);
  return loading;
}

let loading: Promise<TokenCounter> | undefined;

async function load(encoding: Encoding): Promise<TokenCounter> {
  const [{ Tiktoken }, { default: ranks }] = await Promise.all([import('js-tiktoken/lite'), import('js-tiktoken/ranks/o200k_base')]);
  const encoder = new Tiktoken(ranks);
  // Special tokens in a transcript are ordinary text: nothing is allowed as special, nothing is refused.
  const countPiece = (text: string): number => encoder.encode(text, [], []).length;
  return { id: encoding, count: remembered((text) => countBounded(text, countPiece)) };
}

/** Texts from this length on are remembered: a copy of a session, or the same session opened again, holds the same ones. */
const REMEMBERED_FROM = 200;
/** Most code units that are remembered; then it starts anew. */
const REMEMBERED_UNITS = 8_000_000;

function remembered(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  let units = 0;
  return (text) => {
    if (text.length < REMEMBERED_FROM) return count(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const tokens = count(text);
    units += text.length;
    if (units > REMEMBERED_UNITS) {
      known.clear();
      units = text.length;
    }
    known.set(text, tokens);
    return tokens;
  };
}

/**
 * The encoder's merge is quadratic in the length of one piece of its pattern, and letters, punctuation and white space may form pieces of
 * any length. Longer runs are cut at this many code units, so a megabyte of one letter takes linear time; each cut may add one token.
 */
const LONGEST_RUN = 48;
const LONG_RUN = /\p{L}{49,}|[^\s\p{L}\p{N}]{49,}|\s{49,}/gu;

/** Above this many code units a text is counted in samples and extrapolated, so that one huge message cannot hold up the others. */
const EXACT_UNITS = 400_000;
const SAMPLES = 8;
const SAMPLE_UNITS = 25_000;

/** Counts a text in time linear in its length, given a counter of short texts. */
export function countBounded(text: string, countPiece: (text: string) => number): number {
  if (text.length > EXACT_UNITS) return countSampled(text, countPiece);
  const pieces = new Map<string, number>();
  const cached = (piece: string): number => {
    const known = pieces.get(piece);
    if (known !== undefined) return known;
    const tokens = countPiece(piece);
    pieces.set(piece, tokens);
    return tokens;
  };
  let total = 0;
  let from = 0;
  for (const match of text.matchAll(LONG_RUN)) {
    if (match.index > from) total += countPiece(text.slice(from, match.index));
    for (const part of codePointSlices(match[0], LONGEST_RUN)) total += cached(part);
    from = match.index + match[0].length;
  }
  return from < text.length ? total + countPiece(text.slice(from)) : total;
}

function countSampled(text: string, countPiece: (text: string) => number): number {
  const step = Math.floor((text.length - SAMPLE_UNITS) / (SAMPLES - 1));
  let tokens = 0;
  for (let sample = 0; sample < SAMPLES; sample++)
    tokens += countBounded(text.slice(sample * step, sample * step + SAMPLE_UNITS), countPiece);
  return Math.round((tokens / (SAMPLES * SAMPLE_UNITS)) * text.length);
}

function* codePointSlices(text: string, units: number): Generator<string> {
  let from = 0;
  while (from < text.length) {
    let to = Math.min(text.length, from + units);
    // Never between the halves of a surrogate pair.
    if (to < text.length && /[\uDC00-\uDFFF]/.test(text.charAt(to)) && to - from > 1) to -= 1;
    yield text.slice(from, to);
    from = to;
  }
}
