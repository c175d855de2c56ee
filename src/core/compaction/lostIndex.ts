import { measureOf, measuresIn, urlsIn, withoutEnd } from './lostTokens';

// Answers quickly whether a text states something: names by their tokens, phrases by runs of three words, sentences in other words by the
// paragraph that holds most of their words.

export interface LostIndex {
  /** A name, number or address stands there as a whole. */
  hasName(name: string): boolean;
  /** A path, or, where it is the only one of its name, its last part. */
  hasFile(path: string, needsFolder: boolean): boolean;
  /** Nearly all runs of words stand there; a long phrase counts by its beginning. */
  hasPhrase(phrase: string): boolean;
  /** One paragraph of the summary holds at least this share of the words. */
  tells(sentence: string, share: number): boolean;
}

/** What will be asked, so that only the answers to it are remembered and not every word of a large session. */
export interface LostQuestions {
  readonly names: readonly string[];
  readonly files: readonly string[];
  readonly phrases: readonly string[];
}

/** Reads the summary and the other texts once. Linear; remembers no more than what is asked. */
export function createLostIndex(summary: string, others: Iterable<string>, questions: LostQuestions): LostIndex {
  const names = new Found([...questions.names.map(nameKey), ...questions.files.flatMap(spellingsOf)]);
  // A token ends at a space or a bracket, so that a path with one is a phrase.
  const phrases = [...questions.phrases, ...questions.files.filter(isTorn).flatMap((path) => [...spellingsOf(path), lastPartOf(path)])];
  const runs = new Found(phrases.flatMap(runsOfPhrase));
  const starts = new Set(phrases.flatMap((phrase) => wordsOf(phrase.slice(0, COMPARED))));
  const lone = new Found(questions.files.map(lastPartOf));
  const hasUrls = questions.names.some(isUrl);
  const hasMeasures = questions.names.some((name) => measureOf(name) !== undefined);
  const seenTokens = new Seen();
  const seenLines = new Seen();
  const read = (text: string): void => {
    if (hasUrls) urlsIn(text).forEach((url) => names.meet(url));
    if (hasMeasures) measuresIn(text).forEach((measure) => names.meet(measure));
    addNames(text, names, lone, seenTokens);
    addRuns(text, runs, starts, seenLines);
  };
  read(summary);
  for (const text of others) read(text);
  const paragraphs = paragraphsByWord(summary);
  return {
    hasName: (name) => names.has(nameKey(name)),
    hasFile: (path, needsFolder) => {
      const isTold = isTorn(path) ? (spelling: string) => isPhraseIn(spelling, runs, 1) : (spelling: string) => names.has(spelling);
      if (spellingsOf(path).some(isTold)) return true;
      // The file of that name in another folder is another file.
      const last = lastPartOf(path);
      return !needsFolder && (isTorn(last) ? isPhraseIn(last, runs, 1) : lone.has(last));
    },
    hasPhrase: (phrase) => isPhraseIn(phrase, runs, PHRASE_SHARE),
    tells: (sentence, share) => {
      const words = [...new Set(wordsOf(sentence).filter(isTelling))];
      if (words.length < LEAST_WORDS) return false;
      const counts = new Map<number, number>();
      for (const word of words) for (const paragraph of paragraphs.get(word) ?? []) counts.set(paragraph, (counts.get(paragraph) ?? 0) + 1);
      return [...counts.values()].some((count) => count >= words.length * share);
    },
  };
}

/** Remembers which of the wanted texts were met. */
class Found {
  readonly #wanted: ReadonlySet<string>;
  readonly #found = new Set<string>();

  constructor(wanted: Iterable<string>) {
    this.#wanted = new Set(wanted);
  }

  meet(text: string): void {
    if (this.#wanted.has(text)) this.#found.add(text);
  }

  has(text: string): boolean {
    return this.#found.has(text);
  }
}

/** Texts that came before, so that what comes again is not read again; forgets all when it has become large. */
class Seen {
  readonly #texts = new Set<string>();

  /** True when the text came before. */
  has(text: string): boolean {
    if (this.#texts.has(text)) return true;
    if (this.#texts.size >= MAX_SEEN) this.#texts.clear();
    this.#texts.add(text);
    return false;
  }
}

/** At least this share of the runs of a phrase were met. */
function isPhraseIn(phrase: string, runs: Found, share: number): boolean {
  const wanted = runsOfPhrase(phrase);
  return wanted.length > 0 && wanted.filter((run) => runs.has(run)).length >= wanted.length * share;
}

/** What a name is known by: a number with its unit however they are written, an address with its brackets. */
function nameKey(name: string): string {
  return measureOf(name) ?? (isUrl(name) ? name : trimmed(name));
}

function isUrl(name: string): boolean {
  return /^https?:/i.test(name);
}

function isTorn(path: string): boolean {
  return TORN.test(path);
}

/** A path as it is, without its root, and its last part with the folder above it. */
function spellingsOf(path: string): readonly string[] {
  const parts = partsOf(path);
  const spellings = [trimmed(path), parts.join('/')];
  return parts.length < 2 ? spellings : [...spellings, parts.slice(-2).join('/'), parts.slice(-2).join('\\')];
}

function lastPartOf(path: string): string {
  return partsOf(path).at(-1) ?? '';
}

function partsOf(path: string): readonly string[] {
  return trimmed(path)
    .split(/[/\\]/)
    .filter((part) => part !== '');
}

/**
 * Tokens without spaces, and the parts of those that are joined by signs, so that `this.fooBar(x)` holds `fooBar`. Alone stands what is not
 * in a folder.
 */
function addNames(text: string, names: Found, lone: Found, seen: Seen): void {
  for (const [token] of text.matchAll(TOKENS)) {
    if (token.length > MAX_TOKEN || seen.has(token)) continue;
    const whole = trimmed(token);
    names.meet(whole);
    lone.meet(whole);
    if (ONE_PART.test(whole)) continue;
    const parts = [...whole.matchAll(PARTS)];
    if (parts.length < 2 && parts[0]?.[0].length === whole.length) continue;
    // Runs of parts that follow each other, and all ends; longer chains are data.
    const end = whole.length;
    const last = Math.min(parts.length, MAX_CHAIN);
    for (let from = 0; from < last; from++) {
      const start = parts[from]?.index ?? 0;
      const isInFolder = SLASH.test(whole[start - 1] ?? '') && !HERE.test(whole.slice(0, start));
      const meet = (name: string): void => {
        names.meet(name);
        if (!isInFolder) lone.meet(name);
      };
      meet(whole.slice(start, end));
      for (let to = from; to < Math.min(from + MAX_PARTS, parts.length); to++) {
        const part = parts[to];
        if (part !== undefined) meet(whole.slice(start, part.index + part[0].length));
      }
    }
  }
}

function addRuns(text: string, runs: Found, starts: ReadonlySet<string>, seen: Seen): void {
  for (const line of linesOf(text)) {
    if (line.length <= MAX_TOKEN && seen.has(line)) continue;
    const words = wordsOf(line);
    for (let i = 0; i < words.length; i++) {
      const [a = '', b, c] = [words[i], words[i + 1], words[i + 2]];
      if (!starts.has(a)) continue;
      runs.meet(a);
      if (b === undefined) continue;
      runs.meet(`${a} ${b}`);
      if (c !== undefined) runs.meet(`${a} ${b} ${c}`);
    }
  }
}

/** Lines one by one: a large text is not split at once. */
function* linesOf(text: string): Generator<string> {
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end < 0 ? text.length : end);
    if (end < 0) return;
    from = end + 1;
  }
}

/** Runs of words of a phrase, none of them over a line's end. A long one counts by its beginning, without the word that is cut there. */
function runsOfPhrase(phrase: string): readonly string[] {
  const lines = phrase.slice(0, COMPARED).split('\n').map(wordsOf);
  if (phrase.length > COMPARED) lines.at(-1)?.pop();
  return lines.flatMap(runsOf);
}

/** Runs of up to three words. */
function runsOf(words: readonly string[]): readonly string[] {
  const size = Math.min(RUN, words.length);
  if (size === 0) return [];
  return Array.from({ length: words.length - size + 1 }, (_, i) => words.slice(i, i + size).join(' '));
}

/** Numbers of the paragraphs in which each word stands; a word of too many paragraphs tells nothing. */
function paragraphsByWord(text: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  text.split('\n').forEach((line, number) => {
    for (const word of new Set(wordsOf(line).filter(isTelling))) {
      const list = found.get(word) ?? [];
      found.set(word, list);
      if (list.length < MAX_PARAGRAPHS) list.push(number);
    }
  });
  return found;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORDS) ?? [];
}

function isTelling(word: string): boolean {
  return word.length >= 3;
}

/** Without the signs that only stand around a name. Linear, whatever the signs. */
function trimmed(token: string): string {
  if (ONE_PART.test(token)) return token;
  let from = 0;
  while (from < token.length && !STARTS_NAME.test(token[from] ?? '')) from++;
  return withoutEnd(token.slice(from));
}

const TOKENS = /[^\s"'`<>()[\]{},;|]+/g;
/** Signs at which a token ends. */
const TORN = /[\s"'`<>()[\]{},;|]/;
const ONE_PART = /^[A-Za-z0-9_$]+$/;
const SLASH = /[/\\]/;
/** A file beside its reader. */
const HERE = /^(?:\.|…)[/\\]$/;
const PARTS = /[\p{L}\p{M}\p{N}_$]+/gu;
const WORDS = /[\p{L}\p{M}\p{N}_]+/gu;
/** A half of a code point beyond the first plane counts as a letter. */
const STARTS_NAME = /[\p{L}\p{N}\ud800-\udfff_$~/.@#-]/u;
const RUN = 3;
/** Characters of a long phrase that are compared: what is shortened keeps its beginning. */
const COMPARED = 100;
const PHRASE_SHARE = 0.9;
const LEAST_WORDS = 2;
const MAX_TOKEN = 2_000;
const MAX_SEEN = 50_000;
const MAX_PARTS = 12;
const MAX_CHAIN = 60;
const MAX_PARAGRAPHS = 64;
