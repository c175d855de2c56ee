import assert from 'node:assert/strict';
import { differenceOf, expand } from '../../support/valueLanguage';

describe('values of cases and vectors', () => {
  const built: readonly (readonly [string, unknown, unknown])[] = [
    ['a repeated text', { $repeat: 'ab', times: 3 }, 'ababab'],
    ['a repeated text of a vector', { $repeat: ['ab', 2] }, 'abab'],
    ['parts', { $concat: ['a', { $repeat: 'b', times: 2 }, 'c'] }, 'abbc'],
    ['no number', { $number: 'NaN' }, NaN],
    ['nested', [{ x: { $repeat: 'y', times: 1 } }, 5, null], [{ x: 'y' }, 5, null]],
  ];
  for (const [name, value, expected] of built) it(`builds ${name}`, () => assert.deepEqual(expand(value), expected));

  it('builds keys that name a prototype as ordinary keys', () => {
    const value = expand(JSON.parse('{"__proto__": {"a": 1}}'));
    assert.deepEqual(Object.keys(value ?? {}), ['__proto__']);
  });

  it('refuses what it does not know', () => {
    assert.throws(() => expand({ $repeat: 5 }));
    assert.throws(() => differenceOf(1, { $almost: 1 }, false));
  });
});

describe('expectations', () => {
  const rows: readonly (readonly [unknown, unknown, 'equals' | 'subset', boolean])[] = [
    [5, 5, 'equals', true],
    [5, 6, 'equals', false],
    [undefined, null, 'equals', true],
    [0, null, 'equals', false],
    [{ a: 1, b: 2 }, { a: 1 }, 'subset', true],
    [{ a: 1, b: 2 }, { a: 1 }, 'equals', false],
    [{ a: 1, b: undefined }, { a: 1 }, 'equals', true],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }, 'subset', true],
    [{}, { a: 1 }, 'subset', false],
    [[1, 2], [1, 2], 'equals', true],
    [[1, 2, 3], [1, 2], 'subset', false],
    ['text', { a: 1 }, 'subset', false],
    [170, { $between: [0, 170] }, 'equals', true],
    [171, { $between: [0, 170] }, 'equals', false],
    [NaN, { $between: [0, 170] }, 'equals', false],
    [0.0195 + 1e-10, { $near: 0.0195 }, 'equals', true],
    [0.0196, { $near: 0.0195 }, 'equals', false],
    ['b', { $oneOf: ['a', 'b'] }, 'equals', true],
    [undefined, { $oneOf: [null, []] }, 'equals', true],
    ['c', { $oneOf: ['a', 'b'] }, 'equals', false],
    [['a', 'b'], { $eachOneOf: ['a', 'b'] }, 'equals', true],
    [['a', 'c'], { $eachOneOf: ['a', 'b'] }, 'equals', false],
    [[], { $eachOneOf: ['a', 'b'] }, 'equals', false],
    [['x', 'y'], { $contains: ['x'] }, 'equals', true],
    [['y'], { $contains: ['x'] }, 'equals', false],
    ['some text', { $contains: 'text' }, 'equals', true],
    ['anything', { $any: true }, 'equals', true],
    [undefined, { $any: true }, 'equals', false],
    ['aaa', { $repeat: ['a', 3] }, 'equals', true],
    ['aaa', { $repeat: 'a', times: 3 }, 'equals', true],
    ['aab', { $concat: ['a', { $repeat: 'a', times: 2 }] }, 'equals', false],
    [{ request: 'a secret' }, { requestContains: { secret: true } }, 'subset', true],
    [{ request: 'a secret' }, { requestContains: { secret: false } }, 'subset', false],
    [{ requestContains: ['late'] }, { requestContains: ['late'] }, 'subset', true],
    [{ requestContains: '' }, { requestContains: ['late'] }, 'subset', false],
    [{ text: 'Bash ran' }, { contains: 'Bash' }, 'subset', true],
    [{ summarizerInputContainsBase64: false }, { summarizerInputContainsBase64: false }, 'subset', true],
  ];
  for (const [actual, expected, match, agrees] of rows) {
    it(`${JSON.stringify(actual)} ${agrees ? 'meets' : 'misses'} ${JSON.stringify(expected)} (${match})`, () => {
      assert.equal(differenceOf(actual, expected, match === 'subset') === undefined, agrees);
    });
  }
});
