import assert from 'node:assert/strict';
import { isAutoCompactDue, isOverThreshold } from '../../../src/core/compaction/trigger';

describe('triggers', () => {
  const rows: readonly (readonly [number, number, number, number, number, boolean])[] = [
    [80_000, 5000, 5000, 100_000, 0, false],
    [80_000, 5000, 5001, 100_000, 0, true],
    [28, 0, 0, 100, 0.29, false],
    [29, 0, 0, 100, 0.29, true],
    [90_001, 0, 0, 100_000, 90, true],
    [95_000, 0, 0, 100_000, NaN, true],
    [95_000, 0, 0, 0, 0.9, false],
    [95_000, 0, 0, NaN, 0.9, false],
    [NaN, 0, 0, 100, 0.9, false],
    [100, 0, -20, 100, 0.9, false],
    [101, 0, 0, 100, 1, true],
  ];
  for (const [input, output, added, limit, threshold, isOver] of rows) {
    it(`${input} + ${output} + ${added} of ${limit} at ${threshold}: ${isOver}`, () =>
      assert.equal(isOverThreshold({ input, output, added, limit, threshold }), isOver));
  }

  it('starts strictly above the threshold, and only where there is room and leave', () => {
    const base = { maxTokens: 200_000, maxOutputTokens: undefined, autoCompactEnabled: true, suppressWarning: false };
    assert.equal(isAutoCompactDue({ ...base, usedTokens: 167_000 }), false);
    assert.equal(isAutoCompactDue({ ...base, usedTokens: 167_001 }), true);
    assert.equal(isAutoCompactDue({ ...base, usedTokens: 167_001, autoCompactEnabled: false }), false);
    assert.equal(isAutoCompactDue({ ...base, usedTokens: 167_001, maxTokens: undefined }), false);
    assert.equal(isAutoCompactDue({ ...base, usedTokens: 500, maxTokens: 16_384 }), false);
  });
});
