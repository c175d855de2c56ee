import assert from 'node:assert/strict';
import { costLine } from '../../../src/cli/costLine';
import type { CostView } from '../../../src/core/protocol/planView';

const COST: CostView = {
  summaryInputTokens: 41_200,
  summaryOutputTokens: 3000,
  cacheKeptTokens: 10_000,
  cacheRewriteTokens: 3000,
  savedTokensPerTurn: 131_200,
  summaryUsd: 0.0552,
  rewriteUsd: 0.01125,
  savedUsdPerTurn: 1.23456,
  usd: 0.06645,
  paysBackAfterTurns: 2,
  priceSource: 'catalogue',
  priceModel: 'claude-sonnet-4-6',
};

describe('the cost of a compaction as a line', () => {
  it('names its three parts and when they are made up for', () => {
    assert.equal(
      costLine(COST),
      'Cost: summary call 41.2K in, 3.0K out ($0.055); cache rewrite 3.0K tokens ($0.011); saving per turn 131.2K tokens ($1.23); pays back after 2 turns. Prices published for claude-sonnet-4-6.',
    );
  });

  it('says what is unknown, and never $0 for it', () => {
    const unknown = {
      ...COST,
      summaryUsd: null,
      rewriteUsd: null,
      savedUsdPerTurn: null,
      usd: null,
      paysBackAfterTurns: null,
      priceModel: null,
    };
    const line = costLine(unknown);
    assert.equal(line.match(/cost unknown/g)?.length, 3);
    assert.doesNotMatch(line, /\$|pays back|Prices/);
  });

  it('tells a summary of our own from an unknown price', () => {
    assert.match(costLine({ ...COST, summaryInputTokens: 0, summaryOutputTokens: 0, summaryUsd: 0 }), /^Cost: no summary call \(\$0\); /);
  });

  it('shows a model’s name on one line without controls, and tiny amounts as such', () => {
    const line = costLine({ ...COST, rewriteUsd: 1e-7, paysBackAfterTurns: 1, priceSource: 'setting', priceModel: 'a\n\u001b[2Jb' });
    assert.match(line, /\(under \$0\.0001\)/);
    assert.match(line, /after 1 turn\. Prices set for /);
    assert.ok(!line.includes('\u001b') && !line.includes('\n'));
  });
});
