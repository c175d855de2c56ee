import assert from 'node:assert/strict';
import { createLongPieceCounter } from '../../../../src/core/tokens/bpe/longPiece';
import { packRanks } from '../../../../src/core/tokens/bpe/packRanks';
import { createShortPieceCounter, SHORT_BYTES } from '../../../../src/core/tokens/bpe/shortPiece';
import { NO_TOKEN, openRanks, type PlaceOf } from '../../../../src/core/tokens/bpe/rankTable';
import { allocateText, type TextBytes } from '../../../../src/core/tokens/bpe/textBytes';
import { createWindowMerger } from '../../../../src/core/tokens/bpe/windowMerger';
import { randomFrom, type Random } from '../../../support/nastyTexts';

describe('merging', () => {
  it('gives what the definition gives, in short pieces, in one window and in many', () => {
    const random = randomFrom(11);
    for (let i = 0; i < 300; i++) {
      const placeOf = tableOf(randomTokens(random));
      const text = textOf(Array.from({ length: 2 + random(i % 10 === 0 ? 9000 : SHORT_BYTES - 2) }, () => random(4)));
      const to = text.bytes.length - TAIL;
      const expected = to <= 3000 ? slowEnds(placeOf, text, to) : [...createWindowMerger(placeOf)(text, 0, to)];
      if (to <= 3000) assert.deepEqual([...createWindowMerger(placeOf)(text, 0, to)], expected);
      if (to <= SHORT_BYTES) assert.equal(createShortPieceCounter(placeOf)(text, 0, to), expected.length);
      assert.equal(longTokens(placeOf, text, to), expected.length);
    }
  });

  it('does windows again where the end of a window changes tokens far before it', () => {
    // Symbols of two bytes merge first; then neighbours, the rearmost pair of a chain first. So which of them pair up hangs on where the chain
    // ends, and a window that ends within a chain pairs the wrong ones up to the chain's start. Of one kind of pairs, two merge once more.
    for (const links of [51, 601, 1999, 2601]) {
      const symbols = Array.from({ length: links }, (_, i) => [Math.floor(i / 100), 128 + (i % 100)]);
      const from = (link: number, count: number): number[] => symbols.slice(link, link + count).flat();
      const pairs = symbols.slice(1).map((_, i) => from(i, 2));
      const fours = symbols.flatMap((_, i) => (i % 4 === 1 && i + 4 <= links ? [from(i, 4)] : []));
      const placeOf = tableOf([...symbols, ...pairs.reverse(), ...fours]);
      for (const repeats of [1, 4, 9]) {
        const text = textOf(Array.from({ length: repeats }, () => symbols.flat()).flat());
        const to = text.bytes.length - TAIL;
        const tokens = createWindowMerger(placeOf)(text, 0, to).length;
        assert.ok(tokens < repeats * (links / 4 + 2), 'the pairs that merge once more are the right ones');
        assert.equal(longTokens(placeOf, text, to), tokens, `${links} links, ${repeats} times`);
      }
    }
  });

  it('takes no file that is not a table', () => {
    assert.equal(openRanks(new ArrayBuffer(0)), undefined);
    assert.equal(openRanks(new ArrayBuffer(4096)), undefined);
    const file = packRanks([Uint8Array.of(1), Uint8Array.of(1, 1)]);
    assert.equal(openRanks(file.slice(0, -1).buffer), undefined);
    assert.equal(openRanks(file.buffer)?.(textOf([1, 2]), 0, 2), NO_TOKEN);
  });
});

const TAIL = 16;

function tableOf(tokens: readonly (readonly number[])[]): PlaceOf {
  const bytes = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  const placeOf = openRanks(packRanks([...bytes, ...tokens.map((token) => Uint8Array.from(token))]).buffer);
  assert.ok(placeOf !== undefined);
  return placeOf;
}

function textOf(bytes: readonly number[]): TextBytes {
  const text = allocateText(bytes.length);
  text.bytes.set(bytes);
  return text;
}

/** Tokens over four bytes, each of two that are there already, as training makes them. */
function randomTokens(random: Random): number[][] {
  const tokens = [[0], [1], [2], [3]];
  const known = new Set(tokens.map(String));
  for (let i = 0; i < 40; i++) {
    const token = [...(tokens[random(tokens.length)] ?? []), ...(tokens[random(tokens.length)] ?? [])];
    if (token.length > 100 || known.has(String(token))) continue;
    known.add(String(token));
    tokens.push(token);
  }
  return tokens.slice(4);
}

/** The definition: of all pairs, the one of the lowest rank merges, the leftmost of equal ranks, until none is a token. */
function slowEnds(placeOf: PlaceOf, text: TextBytes, to: number): number[] {
  const ends = Array.from({ length: to }, (_, i) => i + 1);
  for (;;) {
    let best = -1;
    let lowest = NO_TOKEN;
    for (let i = 0; i + 1 < ends.length; i++) {
      const place = placeOf(text, ends[i - 1] ?? 0, ends[i + 1] ?? to);
      if (place < lowest) [best, lowest] = [i, place];
    }
    if (best < 0) return ends;
    ends.splice(best, 1);
  }
}

function longTokens(placeOf: PlaceOf, text: TextBytes, to: number): number {
  const count = createLongPieceCounter(placeOf)(text, 0, to);
  let step = count.next();
  while (step.done !== true) step = count.next();
  return step.value;
}
