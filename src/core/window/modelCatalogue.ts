import { CATALOGUE_ROWS } from './catalogueData';
import { publishedLimits } from './publishedLimits';

/** What a model costs, in dollars for a million tokens; undefined where the catalogue does not say. */
export interface ModelPrices {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
  readonly cacheWriteHour: number | undefined;
}

/** What is published about a model. */
export interface ModelFacts {
  readonly windowTokens: number | undefined;
  readonly maxOutputTokens: number | undefined;
  /** Undefined where no price is known. */
  readonly prices: ModelPrices | undefined;
  /** What longer prompts cost, from this many tokens of prompt on. */
  readonly longPrompt: { readonly fromTokens: number; readonly prices: ModelPrices } | undefined;
}

/**
 * Figures of a model by its plain id (see `plainModelId`), from the generated catalogue and what it lacks; undefined for a model that is not
 * listed. An exact name wins, then the longest rule that fits, then a listed name that the id goes on from with a word or a date.
 */
export function modelFacts(plainId: string): ModelFacts | undefined {
  const limits = publishedLimits(plainId);
  const entry = bestEntry(plainId);
  const window = limits.windowTokens ?? entry?.windowTokens;
  if (window === undefined && entry === undefined) return undefined;
  return {
    windowTokens: window,
    maxOutputTokens: limits.maxOutputTokens,
    prices: entry?.prices,
    longPrompt: entry?.longPrompt,
  };
}

interface Rule {
  readonly sign: string;
  readonly text: string;
}

interface Entry extends Omit<ModelFacts, 'maxOutputTokens'> {
  readonly rules: readonly Rule[];
}

let parsed: readonly Entry[] | undefined;

/** Read at the first question, since most starts of the program ask none. */
function entries(): readonly Entry[] {
  parsed ??= CATALOGUE_ROWS.trim().split('\n').map(entryOf);
  return parsed;
}

function entryOf(line: string): Entry {
  const [rules = '', ...cells] = line.split('|');
  const numbers = cells.map((cell) => (cell === '' ? undefined : Number(cell)));
  const [windowTokens, , , , , , fromTokens] = numbers;
  return {
    rules: rules.split(' ').map((rule) => ({ sign: rule.charAt(0), text: rule.slice(1) })),
    windowTokens,
    prices: pricesOf(numbers.slice(1, 6)),
    longPrompt: longPromptOf(fromTokens, pricesOf(numbers.slice(7, 12))),
  };
}

function pricesOf([input, output, cacheRead, cacheWrite, cacheWriteHour]: readonly (number | undefined)[]): ModelPrices | undefined {
  if (input === undefined && output === undefined) return undefined;
  return { input, output, cacheRead, cacheWrite, cacheWriteHour };
}

function longPromptOf(fromTokens: number | undefined, prices: ModelPrices | undefined): ModelFacts['longPrompt'] {
  return fromTokens === undefined || prices === undefined ? undefined : { fromTokens, prices };
}

const EXACT = 1e6;

function bestEntry(id: string): Entry | undefined {
  let best: Entry | undefined;
  let bestRank = 0;
  for (const entry of entries()) {
    for (const rule of entry.rules) {
      const rank = rankOf(rule, id);
      if (rank > bestRank) {
        best = entry;
        bestRank = rank;
      }
    }
  }
  return best;
}

/** 0 where a rule does not fit; else the more, the more exactly it does. */
function rankOf({ sign, text }: Rule, id: string): number {
  switch (sign) {
    case '=':
    case '#':
      if (id === text || (sign === '#' && isDate(id, text))) return EXACT;
      return goesOn(id, text) ? text.length / EXACT : 0;
    case '^':
      return id.startsWith(text) ? text.length : 0;
    case '$':
      return id.endsWith(text) ? text.length : 0;
    default:
      return id.includes(text) ? text.length : 0;
  }
}

const DATE = /^-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;
/** A date, a cloud's version, or a word: `-20250514`, `@default`, `-high`. Another number names another model: `-4-9`. */
const VARIANT = /^(?:-\d{6}|-\d{4}-\d{2}|@|:|-[a-z])/;

function isDate(id: string, name: string): boolean {
  return id.startsWith(name) && DATE.test(id.slice(name.length));
}

function goesOn(id: string, name: string): boolean {
  return id.startsWith(name) && VARIANT.test(id.slice(name.length));
}
