import assert from 'node:assert/strict';
import { compactionCost, type CostFacts } from '../../../src/core/compaction/cost';
import { expectedSummaryCall } from '../../../src/core/compaction/costSummary';
import { planMicro } from '../../../src/core/compaction/microPlan';
import { planCompaction } from '../../../src/core/compaction/strategies';
import type { PlanInput } from '../../../src/core/compaction/planInput';
import type { PlanRequest } from '../../../src/core/compaction/plan';
import { summaryRequest } from '../../../src/core/compaction/summaryRequest';
import { summaryPrompt } from '../../../src/core/prompts/summaryPrompt';
import { priceListFor } from '../../../src/core/window/prices';
import { call, result, text } from '../../support/transcripts';
import { inputOf } from './planInputs';

// 10,000 of system prompt and tools, 35,800 of messages; the last answer (800) was in no request yet.
const MESSAGES = [
  text('user', 'Read it'),
  call('c1', 'Read', { file_path: '/a' }),
  result('c1', 'x'.repeat(2000)),
  text('assistant', 'Done.'),
  text('user', 'Now fix it'),
  text('assistant', 'Fixed.'),
];
const INPUT: PlanInput = inputOf(MESSAGES, { tokens: [1000, 2000, 30_000, 500, 1500, 800], unattributedTokens: 10_000 });
const SONNET = priceListFor('claude-sonnet-4-6');
const tokensOf = (): number => 20;

function planned(request: PlanRequest, input = INPUT): CostFacts['plan'] {
  const plan = planCompaction(request, input);
  assert.ok(plan.outcome === 'plan', JSON.stringify(plan));
  return plan;
}

function cleared(keepResults = 1, input = INPUT): CostFacts['plan'] {
  const plan = planMicro({ keepResults, toolUseIds: ['c1'] }, input, tokensOf);
  assert.ok(plan.outcome === 'plan', JSON.stringify(plan));
  return plan;
}

function near(actual: number | undefined, expected: number): void {
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
}

describe('cost of a compaction', () => {
  const full = planned({ kind: 'full', keepMessages: 2 });

  it('full: only the system part stays in the cache', () => {
    const cost = compactionCost({ plan: full, input: INPUT, summaryTokens: 700, tokensOf, prices: SONNET });
    // 10,000 + 1,500 + 800 + 700 = 13,000 of 45,800.
    assert.equal(cost.cacheKeptTokens, 10_000);
    assert.equal(cost.cacheRewriteTokens, 3000);
    assert.equal(cost.savedTokensPerRequest, 32_800);
    assert.equal(cost.savedTokensPerTurn, 32_800);
    assert.equal(cost.summaryUsd, 0);
    near(cost.rewriteUsd, (3000 * 3.75) / 1e6);
    near(cost.usd, (3000 * 3.75) / 1e6);
    near(cost.savedUsdPerTurn, (32_800 * 0.3) / 1e6);
    // The first request: 14,250 millionths instead of 45,000 × 0.3 + 800 × 3.75 = 16,500.
    assert.equal(cost.paysBackAfterTurns, 1);
    assert.deepEqual([cost.priceSource, cost.priceModel], ['catalogue', 'claude-sonnet-4-6']);
  });

  it('from: what stands before the cut stays in the cache', () => {
    const plan = planned({ kind: 'partialFrom', pivotId: '3' });
    const cost = compactionCost({ plan, input: INPUT, summaryTokens: 700, tokensOf, prices: SONNET });
    assert.equal(cost.cacheKeptTokens, 43_000);
    assert.equal(cost.cacheRewriteTokens, 700);
    assert.equal(cost.savedTokensPerRequest, 2100);
  });

  it('micro: everything up to the first cleared result stays in the cache', () => {
    const cost = compactionCost({ plan: cleared(), input: INPUT, summaryTokens: 0, tokensOf, prices: SONNET });
    assert.equal(cost.cacheKeptTokens, 13_000);
    assert.equal(cost.cacheRewriteTokens, 20 + 500 + 1500 + 800);
    assert.equal(cost.savedTokensPerRequest, 29_980);
    assert.equal(cost.summaryInputTokens + cost.summaryOutputTokens, 0);
    assert.equal(cost.summaryUsd, 0);
  });

  it('keeps the instructions that begin a chat in the cache, and no pinned message behind the summary', () => {
    const messages = [text('system', 'You are…'), ...MESSAGES];
    const input = inputOf(messages, { tokens: [5000, 1000, 2000, 30_000, 500, 1500, 800] });
    const plan = planned({ kind: 'full', keepMessages: 2, pinned: [messages[1]?.id ?? ''] }, input);
    const cost = compactionCost({ plan, input, summaryTokens: 700, tokensOf, prices: SONNET });
    assert.equal(cost.cacheKeptTokens, 5000);
    assert.equal(cost.cacheRewriteTokens, 1000 + 700 + 1500 + 800);
  });

  it('counts nothing as cached where no request was made yet', () => {
    const messages = [text('user', 'a'), text('user', 'b'), text('user', 'c')];
    const input = inputOf(messages, { each: 4000 });
    const plan = planned({ kind: 'partialFrom', pivotId: '1' }, input);
    assert.equal(compactionCost({ plan, input, summaryTokens: 100, tokensOf, prices: SONNET }).cacheKeptTokens, 0);
  });

  it('pays for a model that summarizes by its own prices, and tells after how many turns that is made up for', () => {
    const call = { inputTokens: 40_000, outputTokens: 3000, prices: priceListFor('claude-haiku-4-5') };
    const facts = { plan: full, input: INPUT, summaryTokens: 700, tokensOf, call, prices: SONNET };
    const cost = compactionCost(facts);
    near(cost.summaryUsd, (40_000 * 1 + 3000 * 5) / 1e6);
    near(cost.usd, (40_000 * 1 + 3000 * 5 + 3000 * 3.75) / 1e6);
    assert.deepEqual([cost.summaryInputTokens, cost.summaryOutputTokens], [40_000, 3000]);
    // Owed after the first request 55,000 − 2,250 millionths; each later one saves 9,840: six of them, seven requests in all.
    assert.equal(cost.paysBackAfterTurns, 7);
    const busy = compactionCost({ ...facts, requestsPerTurn: 4 });
    assert.equal(busy.paysBackAfterTurns, 2);
    assert.equal(busy.savedTokensPerRequest, 32_800);
    assert.equal(busy.savedTokensPerTurn, 131_200);
    near(busy.savedUsdPerTurn, (131_200 * 0.3) / 1e6);
  });

  it('counts the prices of long prompts, before and after', () => {
    const input = { ...INPUT, unattributedTokens: 180_000 };
    const plan = planned({ kind: 'full', keepMessages: 2 }, input);
    const cost = compactionCost({ plan, input, summaryTokens: 700, tokensOf, prices: priceListFor('claude-sonnet-4-5') });
    // 215,800 at 0.60 before, 183,000 at 0.30 afterwards.
    near(cost.savedUsdPerTurn, (215_800 * 0.6 - 183_000 * 0.3) / 1e6);
    near(cost.rewriteUsd, (3000 * 3.75) / 1e6);
  });

  it('costs plain input where no prices of a cache are known', () => {
    const prices = priceListFor('local', { local: { input: 2, output: 6 } });
    const cost = compactionCost({ plan: full, input: INPUT, summaryTokens: 700, tokensOf, prices });
    near(cost.rewriteUsd, (3000 * 2) / 1e6);
    near(cost.savedUsdPerTurn, (32_800 * 2) / 1e6);
    assert.equal(cost.paysBackAfterTurns, 1);
    assert.equal(cost.priceSource, 'setting');
  });

  it('knows tokens without prices, and no dollars', () => {
    const cost = compactionCost({ plan: full, input: INPUT, summaryTokens: 700, tokensOf, prices: undefined });
    assert.equal(cost.cacheRewriteTokens, 3000);
    assert.equal(cost.summaryUsd, 0);
    for (const key of ['rewriteUsd', 'savedUsdPerTurn', 'usd', 'paysBackAfterTurns', 'priceSource', 'priceModel'] as const) {
      assert.equal(cost[key], undefined, key);
    }
  });

  it('knows no sum where the summarizer has no price', () => {
    const call = { inputTokens: 40_000, outputTokens: 3000, prices: undefined };
    const cost = compactionCost({ plan: full, input: INPUT, summaryTokens: 700, tokensOf, call, prices: SONNET });
    assert.equal(cost.summaryUsd, undefined);
    assert.equal(cost.usd, undefined);
    assert.equal(cost.paysBackAfterTurns, undefined);
    near(cost.rewriteUsd, (3000 * 3.75) / 1e6);
  });

  it('never pays back where later requests cost nothing less', () => {
    const prices = priceListFor('free-reads', { 'free-reads': { input: 1, output: 1, cacheRead: 0, cacheWrite: 1 } });
    const call = { inputTokens: 1000, outputTokens: 100, prices };
    assert.equal(compactionCost({ plan: full, input: INPUT, summaryTokens: 700, tokensOf, call, prices }).paysBackAfterTurns, undefined);
  });
});

describe('expected call for a summary', () => {
  const counter = { id: 'quarter', count: (words: string) => Math.ceil(words.length / 4) };
  const request = summaryRequest({ summarized: [0, 1, 2, 3], direction: undefined }, INPUT, { instructions: '' });

  it('is the prompt that would be sent, counted for the model that is asked', () => {
    const { system, user } = summaryPrompt(request, 'n'.repeat(32));
    const { inputTokens } = expectedSummaryCall(request, { model: 'gpt-5', prices: undefined, counter });
    assert.equal(inputTokens, Math.ceil(system.length / 4) + Math.ceil(user.length / 4));
    const claude = expectedSummaryCall(request, { model: 'claude-opus-4-8', prices: undefined, counter }).inputTokens;
    assert.ok(claude > inputTokens * 1.2, `${claude} and ${inputTokens}`);
  });

  it('is counted by bytes without a tokenizer', () => {
    const { inputTokens } = expectedSummaryCall(request, { model: undefined, prices: undefined });
    assert.ok(inputTokens > 1000 && inputTokens < 5000, String(inputTokens));
  });

  it('expects an answer of a plausible length', () => {
    const answer = (tokens: number, maxOutputTokens = 20_000): number => {
      const asked = { model: 'gpt-5', prices: undefined, counter: { id: 'fixed', count: () => tokens / 2 } };
      return expectedSummaryCall({ ...request, maxOutputTokens }, asked).outputTokens;
    };
    assert.equal(answer(10_000), 1000);
    assert.equal(answer(100_000), 2500);
    assert.equal(answer(1_000_000), 4500);
    assert.equal(answer(1_000_000, 2000), 2000);
  });
});
