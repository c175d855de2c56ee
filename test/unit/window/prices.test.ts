import assert from 'node:assert/strict';
import { dollars, priceListFor, pricesAt } from '../../../src/core/window/prices';

describe('prices', () => {
  it('come from the catalogue, whatever routers put around the id', () => {
    const list = priceListFor('us.anthropic.claude-opus-4-5-20251101');
    assert.equal(list?.source, 'catalogue');
    assert.equal(list.model, 'claude-opus-4-5-20251101');
    assert.deepEqual(pricesAt(list, 1000), { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 });
  });

  it('are unknown for a model that nobody lists, and without a model', () => {
    assert.equal(priceListFor('my-own-model'), undefined);
    assert.equal(priceListFor(undefined), undefined);
  });

  it('change where a long prompt begins, for the whole prompt', () => {
    const list = priceListFor('claude-sonnet-4-5');
    assert.ok(list !== undefined);
    assert.equal(pricesAt(list, 200_000)?.input, 3);
    assert.deepEqual(pricesAt(list, 200_001), { input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: 7.5 });
  });

  it('are those of the longest pattern of the table that fits', () => {
    const overrides = { 'claude-*': { input: 1, output: 2 }, 'claude-opus-*': { input: 7, output: 8, cacheRead: 0, cacheWrite: 9 } };
    const list = priceListFor('Claude-Opus-4-5', overrides);
    assert.equal(list?.source, 'setting');
    assert.deepEqual(pricesAt(list, 1), { input: 7, output: 8, cacheRead: 0, cacheWrite: 9 });
  });

  it('of the table stand alone: without prices of a cache all input costs the same', () => {
    const list = priceListFor('claude-sonnet-4-5', { 'claude-sonnet-*': { input: 4 } });
    assert.ok(list !== undefined);
    assert.deepEqual(pricesAt(list, 500_000), { input: 4, output: undefined, cacheRead: 4, cacheWrite: 4 });
  });

  it('of the table count for nothing where they are no prices', () => {
    for (const broken of [{ input: -1 }, { input: '3' }, { output: 3 }, { input: NaN }, { input: 1, cacheRead: -2 }, null, 3]) {
      assert.equal(priceListFor('claude-opus-4-5', { '*': broken })?.source, 'catalogue', JSON.stringify(broken));
    }
  });

  it('are not read from what a table inherits', () => {
    const inherited: unknown = Object.create({ input: 1 });
    const overrides = { '*': inherited };
    assert.equal(priceListFor('my-own-model', overrides), undefined);
  });

  it('are for a million tokens', () => {
    assert.equal(dollars(250_000, 4), 1);
  });
});
