import assert from 'node:assert/strict';
import type { Message } from '../../../src/core/model/message';
import { planCompaction } from '../../../src/core/compaction/strategies';
import { costOfPlan } from '../../../src/core/session/costOfPlan';
import { inspectTranscript } from '../../../src/core/session/inspection';
import { costView } from '../../../src/core/view/costView';
import { call, result, text, transcriptOf, usage } from '../../support/transcripts';

/** Three turns of two requests each; the prompt grows by 1,000 tokens a request, from 10,000 on. */
function session(): readonly Message[] {
  return [0, 1, 2].flatMap((at) => [
    text('user', 'Go on, please. '.repeat(20)),
    call(`c${at}`, 'Read', {}, { messageId: `a${at}`, usage: usage(10_000 + at * 2000, 20) }),
    result(`c${at}`, 'lorem ipsum '.repeat(200)),
    text('assistant', 'Done.', { messageId: `b${at}`, usage: usage(11_000 + at * 2000, 10) }),
  ]);
}

describe('cost of a plan for a session', () => {
  const inspection = inspectTranscript(transcriptOf(session(), { model: 'claude-sonnet-4-6' }), {});
  const plan = planCompaction(
    { kind: 'partialFrom', pivotId: '8' },
    {
      messages: inspection.transcript.messages,
      context: inspection.transcript.context,
      tokens: inspection.sizes.tokens,
      unattributedTokens: inspection.unattributedTokens,
      revision: 1,
    },
  );
  assert.ok(plan.outcome === 'plan');

  it('takes its sizes from the reports, its prices from the model, and counts in turns', () => {
    const cost = costOfPlan(inspection, plan, { summaryTokens: 100 });
    // Before message 8 stands what the prompt of 13,000 held, its answer of 10 tokens and more up to the 14,000 of the next prompt.
    assert.ok(cost.cacheKeptTokens > 13_000 && cost.cacheKeptTokens < 14_000, String(cost.cacheKeptTokens));
    assert.equal(cost.cacheRewriteTokens, 100);
    assert.equal(cost.savedTokensPerRequest, inspection.usage.usedTokens - cost.cacheKeptTokens - 100);
    assert.equal(cost.savedTokensPerTurn, 2 * cost.savedTokensPerRequest);
    assert.equal(cost.priceModel, 'claude-sonnet-4-6');
    assert.deepEqual(costOfPlan(inspection, plan, { summaryTokens: 100 }), cost);
  });

  it('takes the user’s prices before published ones', () => {
    const priceOverrides = { 'claude-*': { input: 100, output: 200 } };
    const cost = costOfPlan(inspection, plan, { summaryTokens: 100, priceOverrides });
    assert.equal(cost.priceSource, 'setting');
    assert.equal(cost.usd, (100 * 100) / 1e6);
  });

  it('goes to the page with null for what is unknown', () => {
    const unknown = inspectTranscript(transcriptOf(session(), { model: 'nobody-knows' }), {});
    const view = costView(costOfPlan(unknown, plan, { summaryTokens: 100 }));
    assert.equal(view.summaryUsd, 0);
    const { rewriteUsd, savedUsdPerTurn, usd, paysBackAfterTurns, priceSource, priceModel } = view;
    assert.deepEqual([rewriteUsd, savedUsdPerTurn, usd, paysBackAfterTurns, priceSource, priceModel], Array(6).fill(null));
  });
});
