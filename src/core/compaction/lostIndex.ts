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
  const names = new Found([...questions.names.map(trimmed), ...questions.files.flatMap(spellingsOf)]);
  const runs = new Found(questions.phrases.flatMap(runsOfPhrase));
  const starts = new Set(questions.phrases.flatMap((phrase) => wordsOf(phrase.slice(0, COMPARED))));
  const read = (text: string): void => {
    addNames(text, names);
    addRuns(text, runs, starts);
  };
  read(summary);
  for (const text of others) read(text);
  const paragraphs = paragraphsByWord(summary);
  return {
    hasName: (name) => names.has(trimmed(name)),
    hasFile: (path, needsFolder) => {
      const spellings = spellingsOf(path);
      return spellings.some((spelling, i) => names.has(spelling) && !(needsFolder && i === LAST_PART && spelling !== trimmed(path)));
    },
    hasPhrase: (phrase) => {
      const wanted = runsOfPhrase(phrase);
      if (wanted.length === 0) return false;
      const found = wanted.filter((run) => runs.has(run)).length;
      return found >= wanted.length * PHRASE_SHARE;
    },
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

/** A path as it is, without its root, its last part with the folder above it, and the last part alone. */
function spellingsOf(path: string): readonly [string, string, string, string] {
  const whole = trimmed(path);
  const parts = whole.split(/[/\\]/).filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  return [whole, parts.join('/'), `${parts.at(-2) ?? ''}/${last}`, last];
}

/** Tokens without spaces, and the parts of those that are joined by signs, so that `this.fooBar(x)` holds `fooBar`. */
function addNames(text: string, names: Found): void {
  for (const [token] of text.matchAll(TOKENS)) {
    if (token.length > MAX_TOKEN) continue;
    const whole = trimmed(token);
    names.meet(whole);
    const parts = [...whole.matchAll(PARTS)];
    if (parts.length < 2 && parts[0]?.[0].length === whole.length) continue;
    // Runs of parts that follow each other, and all ends; longer chains are data.
    const end = whole.length;
    const last = Math.min(parts.length, MAX_CHAIN);
    for (let from = 0; from < last; from++) {
      const start = parts[from]?.index ?? 0;
      names.meet(whole.slice(start, end));
      for (let to = from; to < Math.min(from + MAX_PARTS, parts.length); to++) {
        const part = parts[to];
        if (part !== undefined) names.meet(whole.slice(start, part.index + part[0].length));
      }
    }
  }
}

function addRuns(text: string, runs: Found, starts: ReadonlySet<string>): void {
  for (const line of linesOf(text)) {
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

/** Runs of words of a phrase. A long one counts by its beginning, without the word that is cut there. */
function runsOfPhrase(phrase: string): readonly string[] {
  const words = wordsOf(phrase.slice(0, COMPARED));
  if (phrase.length > COMPARED) words.pop();
  return runsOf(words);
}

/** Runs of up to three words, none of them over a line's end. */
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
  let from = 0;
  while (from < token.length && !STARTS_NAME.test(token[from] ?? '')) from++;
  return withoutEnd(token.slice(from));
}

/** Without signs at the end. */
export function withoutEnd(name: string): string {
  let to = name.length;
  while (to > 0 && !ENDS_NAME.test(name[to - 1] ?? '')) to--;
  return name.slice(0, to);
}

const TOKENS = /[^\s"'`<>()[\]{},;|]+/g;
const PARTS = /[\p{L}\p{N}_$]+/gu;
const WORDS = /[\p{L}\p{N}_]+/gu;
/** A half of a code point beyond the first plane counts as a letter. */
const STARTS_NAME = /[\p{L}\p{N}\ud800-\udfff_$~/.@#-]/u;
const ENDS_NAME = /[\p{L}\p{N}\ud800-\udfff_$%]/u;
const LAST_PART = 3;
const RUN = 3;
/** Characters of a long phrase that are compared: what is shortened keeps its beginning. */
const COMPARED = 100;
const PHRASE_SHARE = 0.9;
const LEAST_WORDS = 2;
const MAX_TOKEN = 2_000;
const MAX_PARTS = 12;
const MAX_CHAIN = 60;
const MAX_PARAGRAPHS = 64;
