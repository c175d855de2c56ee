import assert from 'node:assert/strict';
import { END_BYTE } from '../../../../src/core/tokens/bpe/charClasses';
import { createScanners } from '../../../../src/core/tokens/bpe/pieceScanner';
import { toWellFormed } from '../../../../src/core/util/text';
import { NASTY_ATOMS, nastyText, randomFrom } from '../../../support/nastyTexts';

const SHORT = "'(?:[sS\u017f]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])";
const UPPER = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]';
const LOWER = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]';
const SPACES = '\\p{White_Space}*[\\r\\n]+|\\p{White_Space}+(?!\\P{White_Space})|\\p{White_Space}+';
/** The official patterns, with Rust's meaning of \s and of case folding spelled out. */
const PATTERNS = {
  o200k_base: new RegExp(
    `[^\\r\\n\\p{L}\\p{N}]?${UPPER}*${LOWER}+(?:${SHORT})?|[^\\r\\n\\p{L}\\p{N}]?${UPPER}+${LOWER}*(?:${SHORT})?|` +
      `\\p{N}{1,3}| ?[^\\p{White_Space}\\p{L}\\p{N}]+[\\r\\n/]*|${SPACES}`,
    'gu',
  ),
  cl100k_base: new RegExp(`${SHORT}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\p{White_Space}\\p{L}\\p{N}]+[\\r\\n]*|${SPACES}`, 'gu'),
};
const scanners = createScanners();
const ENCODINGS = ['o200k_base', 'cl100k_base'] as const;

for (const encoding of ENCODINGS) {
  describe(`pieces of ${encoding}`, () => {
    it('are those of the pattern', () => {
      const random = randomFrom(7);
      for (let i = 0; i < 5000; i++) {
        const text = toWellFormed(nastyText(random, NASTY_ATOMS, 12));
        const matched = [...text.matchAll(PATTERNS[encoding])].map(([piece]) => piece);
        assert.deepEqual(pieces(encoding, text), matched, JSON.stringify(text));
      }
    });

    it('are known for what people write', () => {
      const [o200k, cl100k] = TABLE[encoding === 'o200k_base' ? 'first' : 'second'];
      assert.deepEqual(pieces(encoding, "HTTPServer's don'T  stop\n\n  x"), o200k);
      assert.deepEqual(pieces(encoding, 'a/b!//\n1234 \u65e5AB'), cl100k);
    });
  });
}

const TABLE = {
  first: [
    ["HTTPServer's", " don'T", ' ', ' stop', '\n\n', ' ', ' x'],
    ['a', '/b', '!//\n', '123', '4', ' \u65e5', 'AB'],
  ],
  second: [
    ['HTTPServer', "'s", ' don', "'T", ' ', ' stop', '\n\n', ' ', ' x'],
    ['a', '/b', '!//\n', '123', '4', ' \u65e5AB'],
  ],
} as const;

function pieces(encoding: (typeof ENCODINGS)[number], text: string): string[] {
  const bytes = Uint8Array.from([...new TextEncoder().encode(text), END_BYTE]);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const found: string[] = [];
  for (let at = 0; at < bytes.length - 1;) {
    const end = scanners[encoding](bytes, at);
    found.push(decoder.decode(bytes.subarray(at, end)));
    at = end;
  }
  return found;
}
