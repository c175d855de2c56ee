// Names that cannot be guessed again once they are lost: addresses, commit hashes, issue keys, versions, ports.

const PATTERNS = [
  /https?:\/\/[^\s<>"'`)\]}|\\]{4,300}/g,
  /\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b/g,
  /\b[0-9a-f]{7,40}\b/g,
  /\bv?\d{1,4}\.\d{1,4}\.\d{1,5}(?:-[\w.]{1,20})?\b/g,
  /\b(?:localhost|127\.0\.0\.1):\d{2,5}\b/g,
  /(?<![\w/&])#\d{1,6}\b/g,
] as const;

/** Identifiers in a text, each once, in order of the kinds above. */
export function identifiersIn(text: string): string[] {
  const found = new Set<string>();
  for (const pattern of PATTERNS) {
    for (const [match] of text.matchAll(pattern)) {
      const name = match.replace(/[.,;:!?*_’”]+$/, '');
      if (isTelling(name)) found.add(name);
    }
  }
  return [...found];
}

/** A hash holds digits and letters: `1234567` may be any number and `deadbee` a word; dates look like issue keys of no tracker. */
function isTelling(name: string): boolean {
  if (!/^[0-9a-f]{7,40}$/.test(name)) return !/^(?:UTF|ISO|SHA|RFC|HTTP|ES|UTC)-\d+$/.test(name);
  return /\d/.test(name) && /[a-f]/.test(name);
}
