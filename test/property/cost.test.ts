import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compactionCost, type CompactionCost, type CostFacts } from '../../src/core/compaction/cost';
import type { CompactionPlan } from '../../src/core/compaction/plan';
import type { PlanInput } from '../../src/core/compaction/planInput';
import { dollars, priceListFor, pricesAt, type PriceList } from '../../src/core/window/prices';
import { PromptCache, type Piece } from '../support/replay/promptCache';
import { property } from '../support/property';
import { text } from '../support/transcripts';

interface Sample {
  readonly tokens: readonly number[];
  readonly system: number;
  readonly cut: number;
  readonly isFrom: boolean;
  readonly summaryTokens: number;
  readonly prices: { readonly input: number; readonly output: number; readonly cacheRead: number; readonly cacheWrite: number } | undefined;
  readonly call: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  readonly requestsPerTurn: number;
}

const price = fc.integer({ min: 1, max: 1000 }).map((cents) => cents / 8);
const sample: fc.Arbitrary<Sample> = fc
  .record({
    tokens: fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 3, maxLength: 12 }),
    system: fc.integer({ min: 2000, max: 30_000 }),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    isFrom: fc.boolean(),
    summaryTokens: fc.integer({ min: 0, max: 5000 }),
    prices: fc.option(fc.record({ input: price, output: price, cacheRead: price, cacheWrite: price }), { nil: undefined }),
    call: fc.option(fc.record({ inputTokens: fc.nat(200_000), outputTokens: fc.nat(5000) }), { nil: undefined }),
    requestsPerTurn: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ place, ...rest }) => ({ ...rest, cut: 1 + Math.floor(place * (rest.tokens.length - 2)) }));

function factsOf({ tokens, system, cut, isFrom, summaryTokens, prices, call, requestsPerTurn }: Sample): CostFacts {
  const context = tokens.map((_, index) => index);
  const [before, after] = [context.slice(0, cut), context.slice(cut)];
  const plan: CompactionPlan = {
    outcome: 'plan',
    kind: isFrom ? 'partialFrom' : 'partialUpTo',
    direction: isFrom ? 'from' : 'upTo',
    revision: 1,
    summarized: isFrom ? after : before,
    kept: isFrom ? before : after,
    order: isFrom ? 'keptFirst' : 'summaryFirst',
    requestedCut: cut,
    cut,
    tokensBefore: 0,
    tokensKept: 0,
    tokensSummarized: 0,
    unattributedTokens: system,
  };
  // The last message is the answer to the last request.
  const messages = tokens.map((_, index) =>
    text(index === tokens.length - 1 || index % 2 === 1 ? 'assistant' : 'user', `message ${index}`),
  );
  messages[tokens.length - 2] = text('user', 'go on');
  const list = prices === undefined ? undefined : listOf(prices);
  const input: PlanInput = { messages, context, tokens, unattributedTokens: system, revision: 1 };
  return { plan, input, summaryTokens, tokensOf: () => 0, prices: list, call: call && { ...call, prices: list }, requestsPerTurn };
}

function listOf(prices: NonNullable<Sample['prices']>): PriceList {
  const list = priceListFor('m', { m: prices });
  assert.ok(list !== undefined);
  return list;
}

const DOLLARS = ['summaryUsd', 'rewriteUsd', 'savedUsdPerTurn', 'usd'] as const;
const TOKENS = ['summaryInputTokens', 'summaryOutputTokens', 'cacheKeptTokens', 'cacheRewriteTokens', 'savedTokensPerTurn'] as const;

describe('cost of a compaction', () => {
  property('is never negative, and its parts are the new context', sample, (one) => {
    const cost = compactionCost(factsOf(one));
    for (const key of TOKENS) assert.ok(Number.isInteger(cost[key]) && cost[key] >= 0, `${key} ${cost[key]}`);
    for (const key of DOLLARS) assert.ok(cost[key] === undefined || cost[key] >= 0, `${key} ${cost[key]}`);
    const kept = factsOf(one).plan.kept.reduce((sum, index) => sum + (one.tokens[index] ?? 0), 0);
    assert.equal(cost.cacheKeptTokens + cost.cacheRewriteTokens, one.system + kept + one.summaryTokens);
    assert.ok(cost.paysBackAfterTurns === undefined || cost.paysBackAfterTurns >= 1);
  });

  property('is unknown, and never 0, without prices', sample, (one) => {
    const cost = compactionCost(factsOf({ ...one, prices: undefined }));
    for (const key of ['rewriteUsd', 'savedUsdPerTurn', 'usd', 'paysBackAfterTurns', 'priceModel'] as const)
      assert.equal(cost[key], undefined);
    assert.equal(cost.summaryUsd, one.call === undefined ? 0 : undefined);
  });

  property('grows with the summary, its call and the prices', sample, (one) => {
    const cost = compactionCost(factsOf(one));
    const atLeast = (more: CompactionCost): void => {
      if (cost.usd !== undefined) assert.ok(more.usd !== undefined && more.usd >= cost.usd);
    };
    atLeast(compactionCost(factsOf({ ...one, summaryTokens: one.summaryTokens + 100 })));
    if (one.call !== undefined)
      atLeast(compactionCost(factsOf({ ...one, call: { ...one.call, outputTokens: one.call.outputTokens + 10 } })));
    if (one.prices !== undefined) {
      const dear = { ...one.prices, input: one.prices.input + 1, output: one.prices.output + 1, cacheWrite: one.prices.cacheWrite + 1 };
      atLeast(compactionCost(factsOf({ ...one, prices: dear })));
    }
  });

  property('is paid back just when a replay with a cache says so', sample, (one) => {
    if (one.prices === undefined) return;
    const facts = factsOf({ ...one, requestsPerTurn: 1 });
    const cost = compactionCost(facts);
    const list = listOf(one.prices);
    const old = [{ key: 'system', tokens: one.system }, ...one.tokens.map((tokens, index) => ({ key: `${index}`, tokens }))];
    const summary = { key: 'summary', tokens: one.summaryTokens };
    const cut = one.cut + 1;
    const now = one.isFrom ? [...old.slice(0, cut), summary] : [...old.slice(0, 1), summary, ...old.slice(cut)];
    const run = (prompt: readonly Piece[], requests: number): number => {
      const cache = new PromptCache();
      cache.request(old.slice(0, -1));
      let usd = 0;
      for (let at = 0; at < requests; at++) {
        const { read, written } = cache.request(prompt);
        const prices = pricesAt(list, read + written);
        usd += dollars(read, prices?.cacheRead ?? NaN) + dollars(written, prices?.cacheWrite ?? NaN);
      }
      return usd;
    };
    const isPaid = (requests: number): boolean => (cost.summaryUsd ?? NaN) + run(now, requests) <= run(old, requests) + 1e-9;
    const turns = cost.paysBackAfterTurns;
    if (turns === undefined) assert.ok(!isPaid(50));
    else if (turns <= 200) {
      assert.ok(isPaid(turns), `not after ${turns}`);
      assert.ok(turns === 1 || !isPaid(turns - 1), `before ${turns}`);
    }
  });
});
