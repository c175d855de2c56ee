import assert from 'node:assert/strict';
import type { GaugeView, SessionView } from '../../../src/core/protocol/viewModel';
import { inEnglish } from '../../../src/extension/l10n/translate';
import { statusWords, type StatusFormat } from '../../../src/extension/status/statusText';
import { session } from './sessionFixture';

function words(gauge: Partial<GaugeView>, format: StatusFormat = 'percent'): ReturnType<typeof statusWords> {
  const view: SessionView = { ...session(), gauge: { ...session().gauge, ...gauge } };
  return statusWords(view, format, 'en', inEnglish);
}

describe('statusWords', () => {
  const texts: readonly [StatusFormat, Partial<GaugeView>, string][] = [
    ['percent', {}, '$(dashboard) 76%'],
    ['tokens', {}, '$(dashboard) 152K/200K'],
    ['both', {}, '$(dashboard) 76% · 152K/200K'],
    ['remaining', {}, '$(dashboard) 15K to Auto-compact'],
    ['percent', { measurement: 'estimate' }, '$(dashboard) ~76%'],
    ['percent', { measurement: 'lowerBound' }, '$(dashboard) ≥76%'],
    ['both', { measurement: 'estimate' }, '$(dashboard) ~76% · ~152K/200K'],
    ['remaining', { next: null, state: 'blocked' }, '$(dashboard) Blocked'],
    // An unknown window has no percent, in no format.
    ['percent', { windowTokens: null, percentUsed: null }, '$(dashboard) 152K'],
    ['remaining', { windowTokens: null, percentUsed: null, measurement: 'estimate' }, '$(dashboard) ~152K'],
    // Nothing that has room left reads 100 %.
    ['percent', { percentUsed: 99.8 }, '$(dashboard) 99%'],
    ['percent', { percentUsed: 103.2 }, '$(dashboard) 103%'],
    ['percent', { percentUsed: 0, usedTokens: 0 }, '$(dashboard) 0%'],
  ];
  for (const [format, gauge, text] of texts) {
    it(`${format} ${JSON.stringify(gauge)} reads ${text}`, () => assert.equal(words(gauge, format).text, text));
  }

  it('speaks in words', () => {
    assert.equal(
      words({ state: 'warning' }).label,
      'Context 76 percent, 152,300 of 200,000 tokens, Filling up, Auto-compact in 14,700 tokens',
    );
    assert.equal(
      words({ windowTokens: null, percentUsed: null, measurement: 'estimate', next: null }).label,
      'Context 152,300 tokens used, size of the window unknown, estimated',
    );
  });

  it('has an error background for blocked alone and a warning one from filling up on', () => {
    assert.deepEqual(
      (['normal', 'unknown', 'warning', 'error', 'autoCompact', 'blocked'] as const).map((state) => words({ state }).severity),
      ['none', 'none', 'warning', 'warning', 'warning', 'error'],
    );
  });
});
