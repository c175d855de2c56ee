// Whether what an agent wrote later quotes a tool result that had been cleared by then. Definition: docs/replay.md.

/** Shortest run of characters that counts as a quote. Any such run holds a whole block of half its length. */
const RUN_UNITS = 40;
const BLOCK_UNITS = RUN_UNITS / 2;
/** Runs of blanks and rulers say nothing. */
const LEAST_DISTINCT = 6;
const PLACES_PER_BLOCK = 8;

export type QuoteKind = 'run' | 'name';

interface Place {
  readonly key: string;
  readonly from: number;
}

/** The texts of one context, with what has been cleared from it. Keys name texts. */
export class QuoteFinder {
  readonly #present = new Map<string, string>();
  readonly #namesPresent = new Map<string, number>();
  readonly #cleared = new Map<string, string>();
  readonly #blocks = new Map<string, Place[]>();
  /** Name → the cleared text that holds it; undefined where several results held it. */
  readonly #namesCleared = new Map<string, string | undefined>();

  add(key: string, text: string): void {
    if (this.#present.has(key)) return;
    this.#present.set(key, text);
    for (const name of namesIn(text)) this.#namesPresent.set(name, (this.#namesPresent.get(name) ?? 0) + 1);
  }

  clear(key: string): void {
    const text = this.#present.get(key);
    if (text === undefined) return;
    this.#present.delete(key);
    this.#cleared.set(key, text);
    for (const name of namesIn(text)) {
      this.#namesPresent.set(name, (this.#namesPresent.get(name) ?? 1) - 1);
      this.#namesCleared.set(name, this.#namesCleared.has(name) ? undefined : key);
    }
    for (let from = 0; from + BLOCK_UNITS <= text.length; from += BLOCK_UNITS) {
      const block = text.slice(from, from + BLOCK_UNITS);
      const places = this.#blocks.get(block);
      if (places === undefined) this.#blocks.set(block, [{ key, from }]);
      else if (places.length < PLACES_PER_BLOCK) places.push({ key, from });
    }
  }

  /** The cleared texts that a new text quotes: what it shares with them is nowhere in the context. */
  quotedBy(text: string): ReadonlyMap<string, QuoteKind> {
    const quoted = new Map<string, QuoteKind>();
    for (const name of namesIn(text)) {
      const key = this.#namesCleared.get(name);
      if (key !== undefined && (this.#namesPresent.get(name) ?? 0) === 0) quoted.set(key, 'name');
    }
    for (let at = 0; at + BLOCK_UNITS <= text.length; at++) {
      const places = this.#blocks.get(text.slice(at, at + BLOCK_UNITS));
      if (places === undefined) continue;
      let end = at;
      for (const { key, from } of places) {
        const run = this.#runAt(text, at, this.#cleared.get(key) ?? '', from);
        end = Math.max(end, run.end);
        if (quoted.get(key) !== 'run' && isTelling(run.text) && !this.#isPresent(run.text)) quoted.set(key, 'run');
      }
      // A run was followed to its end for each place; the next block begins behind the longest.
      at = Math.max(at, end - BLOCK_UNITS);
    }
    return quoted;
  }

  #runAt(text: string, at: number, source: string, from: number): { readonly text: string; readonly end: number } {
    let [start, end] = [0, BLOCK_UNITS];
    while (at + start > 0 && from + start > 0 && text[at + start - 1] === source[from + start - 1]) start--;
    while (at + end < text.length && from + end < source.length && text[at + end] === source[from + end]) end++;
    return { text: text.slice(at + start, at + end).trim(), end: at + end };
  }

  #isPresent(run: string): boolean {
    for (const text of this.#present.values()) if (text.includes(run)) return true;
    return false;
  }
}

function isTelling(run: string): boolean {
  return run.length >= RUN_UNITS && new Set(run).size >= LEAST_DISTINCT;
}

/** Names that are no plain words: eight units or more, with a digit, a sign within, or a hump. */
function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [found] of text.matchAll(/[A-Za-z_$][\w$./:@-]{7,199}/g)) {
    const name = found.replace(/[./:@-]+$/, '');
    if (name.length >= 8 && /\d|[_$./:@-]|[a-z][A-Z]/.test(name)) names.add(name);
  }
  return names;
}
