import assert from 'node:assert/strict';
import { parseTokens } from '../../../src/extension/config/parseTokens';
import { ago, shortTokens } from '../../../src/extension/l10n/numbers';
import { inEnglish } from '../../../src/extension/l10n/translate';

describe('shortTokens', () => {
  const cases: readonly [number, string][] = [
    [0, '0'],
    [999, '999'],
    [1000, '1K'],
    [1234, '1.2K'],
    [9949, '9.9K'],
    [9950, '10K'],
    [152_300, '152K'],
    [999_499, '999K'],
    [999_500, '1M'],
    [1_500_000, '1.5M'],
  ];
  for (const [tokens, text] of cases) it(`${tokens} reads ${text}`, () => assert.equal(shortTokens(tokens, 'en'), text));
});

describe('ago', () => {
  const MINUTE = 60_000;
  const cases: readonly [number, string][] = [
    [-5, 'now'],
    [59_999, 'now'],
    [MINUTE, '1 min ago'],
    [59 * MINUTE, '59 min ago'],
    [60 * MINUTE, '1 h ago'],
    [24 * 60 * MINUTE, '1 d ago'],
  ];
  for (const [ms, text] of cases) it(`${ms} ms reads ${text}`, () => assert.equal(ago(ms, inEnglish), text));
});

describe('parseTokens', () => {
  const good: readonly [string, number][] = [
    ['200000', 200_000],
    ['200,000', 200_000],
    [' 200K ', 200_000],
    ['200 k', 200_000],
    ['1M', 1_000_000],
    ['1.5m', 1_500_000],
    ['100000000', 1e8],
  ];
  for (const [text, tokens] of good) it(`reads “${text}”`, () => assert.equal(parseTokens(text), tokens));
  for (const text of ['', '0', '-1', '1.5', '1e5', '100000001', '200KB', 'abc', '1.2345K1']) {
    it(`refuses “${text}”`, () => assert.equal(parseTokens(text), undefined));
  }
});
