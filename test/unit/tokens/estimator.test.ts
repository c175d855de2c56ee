import assert from 'node:assert/strict';
import { createEstimator, NEUTRAL_ESTIMATOR } from '../../../src/core/tokens/estimator';
import type { Message } from '../../../src/core/model/message';
import { assistant, reported, user } from '../../support/messages';

/** Two anchors with content between them: 7,000 bytes make 2,005 tokens by the heuristic; the first total is 1,100. */
function between(prompt: number, more: Partial<Message> = {}, content = user('x'.repeat(7000))): readonly Message[] {
  return [
    assistant('a', { model: 'm', ...reported(1000, 100) }),
    content,
    assistant('b', { model: 'm', ...reported(prompt, 50), ...more }),
  ];
}

describe('calibration', () => {
  const rows: readonly (readonly [string, readonly Message[], number])[] = [
    ['nothing', [], 1],
    ['no report', [user('x'.repeat(9000))], 1],
    ['one report', between(0).slice(0, 2), 1],
    ['3,008 reported for 2,005', between(4108), 3008 / 2005],
    [
      'cache parts belong to the prompt',
      between(8, { usage: { inputTokens: 8, outputTokens: 50, cacheReadTokens: 4000, cacheCreationTokens: 100 } }),
      3008 / 2005,
    ],
    ['not below 0.75', between(1700), 0.75],
    ['not above 2', between(11_100), 2],
    ['a shrunk prompt is discarded', between(1100), 1],
    ['two models are discarded', between(4108, { model: 'other' }), 1],
    ['an unknown model agrees', between(4108, { model: '' }), 3008 / 2005],
    ['too little mass: 511', between(1600, {}, user('x'.repeat(1774))), 1],
    ['just enough mass: 512', between(1612, {}, user('x'.repeat(1775))), 1],
    ['enough mass, doubled', between(2124, {}, user('x'.repeat(1775))), 2],
    [
      'counted content is subtracted',
      [...between(0).slice(0, 2), assistant('c', reported(0, 495)), assistant('b', { model: 'm', ...reported(4608, 5) })],
      3008 / 2005,
    ],
    ['reasoning is taken off the total', withReasoning(), 3008 / 2005],
  ];
  for (const [name, messages, scale] of rows) it(name, () => assert.equal(createEstimator(messages).scale, scale));

  it('sums up over windows, so that small ones can reach the mass together', () => {
    const small = user('x'.repeat(910));
    const messages = [
      assistant('a', reported(1000, 0)),
      small,
      assistant('b', reported(1530, 0)),
      small,
      assistant('c', reported(2060, 0)),
    ];
    assert.equal(createEstimator(messages).scale, 2 * (530 / (2 * 265)));
    assert.equal(createEstimator(messages.slice(0, 3)).scale, 1);
  });

  it('scales estimates with all overheads, and never a report', () => {
    const { tokensOf, contentTokensOf } = createEstimator(between(4108));
    assert.equal(tokensOf(user('', { content: [] })), 7);
    assert.equal(tokensOf(user('', { content: [{ type: 'image' }] })), 2257);
    assert.equal(tokensOf(assistant('x'.repeat(70), reported(9, 420))), 425);
    assert.equal(contentTokensOf(assistant('x'.repeat(70), reported(9, 420))), 37);
  });

  it('takes a base of its own, and any iterable', () => {
    assert.equal(createEstimator(new Set(between(2200)), () => 1000).scale, 1.1);
    assert.equal(NEUTRAL_ESTIMATOR.tokensOf(user('x'.repeat(7))), 7);
  });
});

function withReasoning(): readonly Message[] {
  const usage = { inputTokens: 1000, outputTokens: 5000, cacheReadTokens: 0, cacheCreationTokens: 0, reasoningTokens: 4900 };
  return [assistant('a', { usage }), ...between(4108).slice(1)];
}
