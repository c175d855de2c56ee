// Lists words that a summary could not quote in their sentences: a reader then knows that they were spoken of, and can search the record.
import { harmless } from './markdown';
import { endsOf } from './requestPieces';
import type { SessionFacts } from './sessionFacts';
import { termKey, termsIn, type Term } from './terms';

/** Terms in order of importance. */
export interface TermLists {
  readonly requests: readonly Term[];
  readonly answers: readonly Term[];
}

/** Terms to list. */
export interface MissingTerms {
  readonly requests: readonly string[];
  readonly answers: readonly string[];
}

/** Terms of the user's requests and the agent's answers: names before words, newest first, each once. Linear. */
export function termsOf(facts: SessionFacts): TermLists {
  const seen = new Set<string>();
  const isNew = (term: Term): boolean => {
    const key = termKey(term);
    if (seen.has(key) || term.text.length > MAX_TERM) return false;
    seen.add(key);
    return true;
  };
  const distinct = (texts: readonly (string | undefined)[]): Term[] => texts.flatMap((text = '') => termsIn(harmless(text)).filter(isNew));
  const requests = distinct([...facts.requests].reverse().flatMap(({ blocks }) => blocks.flatMap(endsOf)));
  const names = facts.identifiers.map((name) => ({ text: harmless(name), isWord: false })).filter(isNew);
  return { requests, answers: [...names, ...distinct([...facts.answers].reverse().map(({ text }) => text))] };
}

/** The terms that a text does not hold: words as words, names wherever they stand. */
export function missingTerms(text: string, { requests, answers }: TermLists): MissingTerms {
  const words = new Set<string>();
  for (const word of text.match(WORDS) ?? []) words.add(word.toLowerCase());
  const missing = (terms: readonly Term[]): string[] =>
    terms.filter((term) => (term.isWord ? !words.has(termKey(term)) : !text.includes(term.text))).map((term) => term.text);
  return { requests: missing(requests), answers: missing(answers) };
}

/** As many terms as fit into so many tokens, the requests' first; what one list leaves goes to the other. */
export function fittingTerms(missing: MissingTerms, room: number, estimate: (text: string) => number): MissingTerms {
  let left = room;
  const fitting = (terms: readonly string[]): string[] => {
    if (terms.length === 0) return [];
    left -= LIST_COST;
    const chosen: string[] = [];
    for (const term of terms) {
      const cost = termCost(term, estimate);
      if (cost > left) continue;
      left -= cost;
      chosen.push(term);
      if (left < 1) break;
    }
    return chosen;
  };
  const requests = fitting(missing.requests);
  return { requests, answers: fitting(missing.answers) };
}

/** Tokens that listing all of them takes. */
export function costOfTerms({ requests, answers }: MissingTerms, estimate: (text: string) => number): number {
  const cost = (terms: readonly string[]): number =>
    terms.length === 0 ? 0 : LIST_COST + terms.reduce((sum, term) => sum + termCost(term, estimate), 0);
  return cost(requests) + cost(answers);
}

function termCost(term: string, estimate: (text: string) => number): number {
  return estimate(term) + TERM_FRAME;
}

/** Letters of all languages, and some signs beyond ASCII that do no harm here. */
const WORDS = /[A-Za-z\u00c0-\u1fff\u2c00-\u2fff\u3040-\ud7ff\uf900-\ufdff]{5,}|\d+/g;
/** Longer ones are no names but data. */
const MAX_TERM = 200;
/** The words in front of a list. */
const LIST_COST = 8;
/** What a space and rounding cost more than the term alone. */
const TERM_FRAME = 0.15;
