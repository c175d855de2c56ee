import assert from 'node:assert/strict';
import { fittingTerms, missingTerms } from '../../../../src/core/compaction/offline/termIndex';
import { termsIn } from '../../../../src/core/compaction/offline/terms';
import { roughTokens } from '../../../../src/core/compaction/offline/zoneTokens';

describe('terms of a text', () => {
  const table: readonly (readonly [string, string, readonly string[]])[] = [
    ['words of five letters or more', 'The parser is fast now.', ['parser']],
    ['numbers', 'It took 42 seconds, 1.5 at best.', ['42', 'seconds', '1.5']],
    ['paths and names without the sign behind them', 'See src/a.ts: foo_bar, useState. Done.', ['src/a.ts', 'foo_bar', 'useState']],
    ['addresses whole', 'at https://example.org/x-y/z.', ['https://example.org/x-y/z']],
    ['the words of compounds', 'an end-to-end two-phase commit', ['phase', 'commit']],
    ['letters of all languages', 'Die Änderung überlebt', ['Änderung', 'überlebt']],
    ['no signs', '— … 🙂 --- ///', []],
  ];
  for (const [name, text, expected] of table)
    it(name, () =>
      assert.deepEqual(
        termsIn(text).map((term) => term.text),
        expected,
      ),
    );

  it('takes linear time', () => {
    const long = 'a-'.repeat(200_000) + '/'.repeat(200_000) + '1'.repeat(200_000);
    assert.ok(termsIn(long).length >= 1);
  });
});

describe('terms that a summary lacks', () => {
  const word = (text: string): { text: string; isWord: boolean } => ({ text, isWord: true });
  const name = (text: string): { text: string; isWord: boolean } => ({ text, isWord: false });

  it('compares words in small letters and names as they are', () => {
    const lists = { requests: [word('Parser'), word('reader')], answers: [name('fooBar'), name('fooBaz')] };
    assert.deepEqual(missingTerms('The parser calls fooBar.', lists), { requests: ['reader'], answers: ['fooBaz'] });
  });

  it('takes what fits, the requests’ first', () => {
    const estimate = (): number => 1;
    assert.deepEqual(fittingTerms({ requests: ['a', 'b'], answers: ['c', 'd'] }, 19.5, estimate), { requests: ['a', 'b'], answers: ['c'] });
    assert.deepEqual(fittingTerms({ requests: [], answers: ['c'] }, 3, estimate), { requests: [], answers: [] });
  });
});

describe('a rough count of tokens', () => {
  // Beside each text what o200k_base counts.
  const table: readonly (readonly [string, number])[] = [
    ['The reader was moved into its own file, and all of the tests pass now.', 17],
    ['export function readTranscript(bytes: Uint8Array, options?: ReaderOptions): Transcript {', 17],
    ['- src/core/compaction/offline: budget.ts, calls.ts, choices.ts, condense.ts', 21],
  ];
  for (const [text, exact] of table) {
    it(`is near ${exact} for "${text.slice(0, 30)}…"`, () => {
      const rough = roughTokens(text);
      assert.ok(rough >= exact * 0.85 && rough <= exact * 1.3, `${rough}`);
    });
  }
  it('of nothing is 0', () => assert.equal(roughTokens(''), 0));
});
