import type { Message } from '../../model/message';
import { messageTexts } from '../messageTexts';

/**
 * Tokens of a text, guessed from its runs of letters, digits, signs and white space. Fitted to o200k_base on summaries and sessions: within
 * five in a hundred of it, and rather above than below, so that a summary keeps to its limit. Linear; about a nanosecond a character.
 */
export function roughTokens(text: string): number {
  let tokens = 0;
  let kind = NONE;
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const next = unit < KINDS.length ? (KINDS[unit] ?? SIGN) : OTHER;
    if (next === kind) {
      run++;
      continue;
    }
    // A capital in front of small letters belongs to their word.
    const isCapital = kind === CAPITAL && next === SMALL;
    tokens += costOf(kind, isCapital ? run - 1 : run);
    run = isCapital ? 2 : 1;
    kind = next;
  }
  return Math.ceil((tokens + costOf(kind, run)) * SCALE);
}

function costOf(kind: number, run: number): number {
  if (run <= 0) return 0;
  switch (kind) {
    case SMALL:
      return run <= WORD ? 1 : 1 + (run - WORD) / 5;
    case CAPITAL:
      return run <= 2 ? 1 : 1 + (run - 2) / 3;
    case DIGIT:
      return Math.ceil(run / 3);
    case SIGN:
      return 1 + (run - 1) / 4;
    // One space belongs to the word behind it.
    case SPACE:
      return run > 1 ? 1 : 0;
    case LINE_END:
      return 0.7;
    case OTHER:
      return run;
    default:
      return 0;
  }
}

const NONE = -1;
const SIGN = 0;
const SMALL = 1;
const CAPITAL = 2;
const DIGIT = 3;
const SPACE = 4;
const LINE_END = 5;
const OTHER = 6;
const WORD = 6;
const SCALE = 0.945;

/** The kind of each ASCII character. */
const KINDS: readonly number[] = Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (/[a-z]/.test(character)) return SMALL;
  if (/[A-Z]/.test(character)) return CAPITAL;
  if (/\d/.test(character)) return DIGIT;
  if (character === ' ' || character === '\t') return SPACE;
  return character === '\n' || character === '\r' ? LINE_END : SIGN;
});

/**
 * Tokens of all text in the messages. Arguments of calls count by the strings in them, and media and the agent's thinking count nothing, so the
 * figure is a lower one.
 */
export function zoneTokens(messages: readonly Message[], estimate: (text: string) => number = roughTokens): number {
  let tokens = 0;
  for (const text of messageTexts(messages)) tokens += estimate(text);
  return tokens;
}
