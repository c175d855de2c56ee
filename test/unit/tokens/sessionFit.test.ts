import assert from 'node:assert/strict';
import { errorBand, plainErrorBand, type GuessedTokens } from '../../../src/core/tokens/errorBand';
import { fittedGeneration, generationOf } from '../../../src/core/tokens/modelGeneration';
import { heldToOutput, isPlaceholder, replySize } from '../../../src/core/tokens/replySize';
import { afterWindow, startingFit, type SessionFit } from '../../../src/core/tokens/sessionFit';

const { band } = fittedGeneration('claude47');
const later = (tokens: number): GuessedTokens => ({ later: tokens, reply: 0, hiddenThinking: 0 });
const after = (fit: SessionFit, windows: readonly (readonly [actual: number, guess: number])[]): SessionFit =>
  windows.reduce((state, [actual, guess]) => afterWindow(state, { actual, guessed: later(guess) }, band), fit);
const repeated = (count: number, actual: number, guess: number): readonly (readonly [number, number])[] =>
  Array.from({ length: count }, () => [actual, guess] as const);

describe('what a session shows about its estimates', () => {
  it('starts from the factor of the model, within bounds', () => {
    assert.equal(startingFit(1.53).scale, 1.53);
    assert.equal(startingFit(9).scale, 2);
    assert.equal(startingFit(0).scale, 0.75);
    assert.equal(startingFit(1).bandFactor, 1);
  });

  it('learns the ratio of sums, and the more slowly the less it has seen', () => {
    const one = after(startingFit(1), [[1100, 1000]]);
    assert.equal(one.scale, (3000 + 1100) / (3000 + 1000));
    const many = after(startingFit(1), repeated(200, 1100, 1000));
    assert.ok(Math.abs(many.scale - 1.1) < 0.005, String(many.scale));
  });

  it('takes no single window at more than a fifth off', () => {
    assert.equal(after(startingFit(1), [[90_000, 1000]]).scale, (3000 + 1200) / 4000);
    assert.equal(after(startingFit(1), [[1, 1000]]).scale, (3000 + 800) / 4000);
  });

  it('follows a tokenizer that is far from the expected one nevertheless', () => {
    const { scale } = after(startingFit(1), repeated(300, 1500, 1000));
    assert.ok(scale > 1.4 && scale <= 1.5, String(scale));
  });

  it('learns nothing from windows without a guess or without a cost', () => {
    const start = startingFit(1);
    assert.equal(after(start, [[0, 100]]), start);
    assert.equal(after(start, [[-5, 100]]), start);
    assert.equal(after(start, [[100, 0]]), start);
    assert.equal(after(start, [[NaN, 100]]), start);
  });

  it('widens the band after a miss by nine times what a hit narrows it', () => {
    const hit = after(startingFit(1), [[1000, 1000]]);
    const miss = after(startingFit(1), [[5000, 1000]]);
    assert.ok(Math.abs(Math.log(miss.bandFactor) - 0.09) < 1e-12 && Math.abs(Math.log(hit.bandFactor) + 0.01) < 1e-12);
    assert.ok(after(startingFit(1), repeated(400, 1000, 1000)).bandFactor >= Math.exp(-1.5));
    assert.ok(after(startingFit(1), repeated(400, 90_000, 10)).bandFactor <= Math.exp(1.5) + 1e-9);
  });
});

describe('error bands', () => {
  it('are nothing where nothing is guessed', () => {
    for (const nothing of [later(0), later(-1), later(NaN)]) assert.equal(errorBand(nothing, band), 0);
    assert.equal(plainErrorBand(later(0)), 0);
  });

  it('add a least width, shares of the parts and hidden thinking, and round up', () => {
    const cost = { knownReply: 10, guessedReply: 40, later: 0.1, reply: 0.25, hiddenThinking: 100 };
    assert.equal(errorBand(later(1000), cost), 110);
    assert.equal(errorBand({ later: 1000, reply: 200, hiddenThinking: 2 }, cost), 40 + 100 + 50 + 200);
    assert.equal(errorBand(later(1001), cost, 2), 221);
    assert.equal(plainErrorBand({ later: 100, reply: 101, hiddenThinking: 0 }), 51 + 50);
  });
});

describe('size of an answer', () => {
  it('is the larger of recorded output and estimate', () => {
    assert.deepEqual(replySize(500, 540), { tokens: 540, isGuessed: true });
    assert.deepEqual(replySize(540, 540), { tokens: 540, isGuessed: false });
    assert.deepEqual(replySize(900, 540), { tokens: 900, isGuessed: false });
    assert.deepEqual(replySize(0, 0), { tokens: 0, isGuessed: false });
  });

  it('of the text is never more than was recorded, unless that can only be its first tokens', () => {
    assert.deepEqual([isPlaceholder(323, 540), isPlaceholder(324, 540), isPlaceholder(0, 0)], [true, false, false]);
    assert.equal(heldToOutput(500, 540), 500);
    assert.equal(heldToOutput(900, 540), 540);
    assert.equal(heldToOutput(1, 540), 540);
  });
});

describe('generations', () => {
  const rows: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'other'],
    ['gpt-5-codex', 'other'],
    ['claude-opus-4-7', 'claude47'],
    ['claude-opus-4-6', 'claude46'],
    ['claude-sonnet-4-5-20250929', 'claude46'],
    ['claude-sonnet-4-20250514', 'claude46'],
    ['anthropic/claude-opus-5[1m]', 'claude47'],
    ['us.anthropic.claude-fable-5', 'claude47'],
    ['claude-3-7-sonnet-20250219', 'claude46'],
  ];
  for (const [model, generation] of rows) it(`${model ?? 'no model'}: ${generation}`, () => assert.equal(generationOf(model), generation));
});
