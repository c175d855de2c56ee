import assert from 'node:assert/strict';
import { warningState, type WarningInput, type WarningLevel } from '../../../src/core/window/warningState';

const BASE: WarningInput = {
  maxTokens: 200_000,
  maxOutputTokens: undefined,
  usedTokens: 0,
  autoCompactEnabled: true,
  suppressWarning: false,
};

describe('warning states', () => {
  const rows: readonly (readonly [string, Partial<WarningInput>, WarningLevel, number])[] = [
    ['empty', {}, 'normal', 100],
    ['just below the warning', { usedTokens: 146_999 }, 'normal', 12],
    // Warning and error begin at one number, so the higher of the two is shown.
    ['at the warning', { usedTokens: 147_000 }, 'error', 12],
    ['at the automatic threshold', { usedTokens: 167_000 }, 'autoCompact', 0],
    ['just below blocking', { usedTokens: 176_999 }, 'autoCompact', 0],
    ['at blocking', { usedTokens: 177_000 }, 'blocked', 0],
    ['over-full', { usedTokens: 999_999 }, 'blocked', 0],
    ['no automatic compaction', { usedTokens: 170_000, autoCompactEnabled: false }, 'error', 6],
    ['suppressed', { usedTokens: 170_000, suppressWarning: true }, 'normal', 0],
    ['suppressed, but blocked', { usedTokens: 177_000, suppressWarning: true }, 'blocked', 0],
    ['negative', { usedTokens: -5 }, 'normal', 100],
    ['no number', { usedTokens: NaN }, 'normal', 100],
    ['an unknown window', { maxTokens: undefined, usedTokens: 999 }, 'unknown', 100],
    ['a window of 0', { maxTokens: 0, usedTokens: 999 }, 'unknown', 100],
    ['a lowered threshold', { usedTokens: 91_000, thresholdPercent: 50 }, 'autoCompact', 0],
    ['a postponed threshold', { usedTokens: 167_000, minPercent: 95 }, 'error', 2],
    ['another blocking limit', { usedTokens: 100_000, blockingLimitTokens: 100_000 }, 'blocked', 40],
    ['a window without room', { maxTokens: 16_384, usedTokens: 500 }, 'blocked', 0],
  ];
  for (const [name, input, state, percentLeft] of rows) {
    it(name, () => {
      const made = warningState({ ...BASE, ...input });
      assert.deepEqual({ state: made.state, percentLeft: made.percentLeft }, { state, percentLeft });
    });
  }

  it('says that a window is too small, but not of an unknown one', () => {
    assert.equal(warningState({ ...BASE, maxTokens: 30_000 }).tooSmall, true);
    assert.equal(warningState({ ...BASE, maxTokens: 34_000 }).tooSmall, false);
    assert.equal(warningState({ ...BASE, maxTokens: undefined }).tooSmall, false);
  });
});
