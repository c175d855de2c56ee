import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cutToBytes, cutToUnits, isWellFormed, oneLine, plainText, toWellFormed, utf8Length } from '../../../src/core/util/text';
import { anyText } from '../../support/arbitraries';
import { property } from '../../support/property';

const FAMILY = '👨‍👩‍👧‍👦';

describe('lengths and cuts of text', () => {
  const lengths: readonly (readonly [string, number])[] = [
    ['', 0],
    ['abc', 3],
    ['é', 2],
    ['漢字', 6],
    [FAMILY, 25],
    ['\ud800', 3],
    ['\udc00a', 4],
    ['\ud800\ud800\udc00', 7],
  ];
  for (const [text, bytes] of lengths)
    it(`measures ${JSON.stringify(text)} as ${bytes} bytes`, () => assert.equal(utf8Length(text), bytes));

  property('measures what the encoder writes', anyText, (text) => assert.equal(utf8Length(text), new TextEncoder().encode(text).length));

  const byteCuts: readonly (readonly [string, number, string])[] = [
    ['abc', 2, 'ab'],
    ['abc', 3, 'abc'],
    ['a漢', 3, 'a'],
    ['a漢', 4, 'a漢'],
    ['🦊🦊', 7, '🦊'],
    ['🦊', 3, ''],
    ['abc', 0, ''],
    ['abc', -1, ''],
    ['abc', NaN, ''],
  ];
  for (const [text, limit, cut] of byteCuts) it(`cuts ${text} to ${limit} bytes`, () => assert.equal(cutToBytes(text, limit), cut));

  const unitCuts: readonly (readonly [string, number, string])[] = [
    ['abc', 2, 'ab'],
    ['a🦊b', 2, 'a'],
    ['a🦊b', 3, 'a🦊'],
    ['🦊', 1, ''],
    ['abc', 0, ''],
    ['abc', NaN, ''],
    ['abc', 2.9, 'ab'],
  ];
  for (const [text, limit, cut] of unitCuts) it(`cuts ${text} to ${limit} units`, () => assert.equal(cutToUnits(text, limit), cut));

  property('cuts at code points, as late as the limit allows (R38)', fc.tuple(anyText, fc.nat({ max: 60 })), ([text, limit]) => {
    for (const [cut, sizeOf] of [
      [cutToBytes, utf8Length],
      [cutToUnits, (value: string) => value.length],
    ] as const) {
      const kept = cut(text, limit);
      assert.ok(text.startsWith(kept) && sizeOf(kept) <= limit);
      assert.ok(!isWellFormed(text) || isWellFormed(kept));
      const next = Array.from(text.slice(kept.length))[0];
      assert.ok(next === undefined || sizeOf(kept + next) > limit);
    }
  });

  it('repairs lone surrogates and leaves pairs', () => {
    assert.equal(toWellFormed('a\ud800b\udc00🦊'), 'a\ufffdb\ufffd🦊');
    assert.ok(isWellFormed('🦊') && !isWellFormed('\ud83e'));
  });
});

describe('text for people', () => {
  const plain: readonly (readonly [string, string, string])[] = [
    ['a terminal sequence', '\u001b[2Jx\u0007', '␛[2Jx␇'],
    ['a one-character CSI', '\u009b31m', '<U+009B>31m'],
    ['a direction override', 'a\u202etxt.exe\u2066b\u2069', 'a<U+202E>txt.exe<U+2066>b<U+2069>'],
    ['line ends', 'a\r\nb\rc\td', 'a\nb␍c\td'],
    ['delete', '\u007f', '␡'],
    ['ordinary text', 'é漢🦊', 'é漢🦊'],
  ];
  for (const [name, text, shown] of plain) it(`shows ${name}`, () => assert.equal(plainText(text), shown));

  property('holds no sign that acts on a terminal or on the direction (P81)', anyText, (text) => {
    for (const shown of [plainText(text), oneLine(text, 40)]) {
      assert.ok(
        Array.from(shown).every((character) => !acts(character.codePointAt(0) ?? 0)),
        JSON.stringify(shown),
      );
    }
  });

  const lines: readonly (readonly [string, number, string])[] = [
    ['  a \n\t b  ', 10, 'a b'],
    ['abcdef', 4, 'abc…'],
    ['abcd', 4, 'abcd'],
    ['ab cdef', 4, 'ab…'],
    ['🦊🦊🦊', 4, '🦊…'],
    ['', 5, ''],
  ];
  for (const [text, limit, line] of lines) it(`makes one line of ${JSON.stringify(text)}`, () => assert.equal(oneLine(text, limit), line));

  property('one line is short and has no line break', fc.tuple(anyText, fc.integer({ min: 1, max: 60 })), ([text, limit]) => {
    const line = oneLine(text.repeat(20), limit);
    assert.ok(line.length <= limit, String(line.length));
    assert.ok(!/[\n\r\t]/.test(line));
  });
});

function acts(code: number): boolean {
  const isControl = (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code <= 0x9f);
  return (
    isControl ||
    code === 0x061c ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  );
}
