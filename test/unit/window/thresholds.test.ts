import assert from 'node:assert/strict';
import { autoCompactThreshold, blockingLimit, effectiveInputWindow, withMinPercent } from '../../../src/core/window/thresholds';

describe('limits of a window', () => {
  const windows: readonly (readonly [number | undefined, number | undefined, number])[] = [
    [200_000, undefined, 180_000],
    [200_000, 0, 180_000],
    [200_000, 8192, 191_808],
    [200_000, 20_000, 180_000],
    [200_000, 20_001, 180_000],
    [200_000, -5, 180_000],
    [1_000_000, 64_000, 980_000],
    [10_000, 0, 0],
    [0, 8192, 0],
    [undefined, 8192, 0],
    [NaN, 0, 0],
  ];
  for (const [maxTokens, maxOutputTokens, effective] of windows) {
    it(`${maxTokens} with an output of ${maxOutputTokens} leaves ${effective}`, () =>
      assert.equal(effectiveInputWindow({ maxTokens, maxOutputTokens }), effective));
  }

  // 180,000 − 13,000; a percent only lowers: floor(180,000 × p / 100)
  const thresholds: readonly (readonly [number, number | undefined, number])[] = [
    [180_000, undefined, 167_000],
    [180_000, 50, 90_000],
    [180_000, 0.5, 900],
    [180_000, 99.9, 167_000],
    [180_000, 0, 167_000],
    [180_000, 101, 167_000],
    [180_000, NaN, 167_000],
    [13_000, undefined, 0],
    [5000, 50, 0],
  ];
  for (const [effective, percent, threshold] of thresholds) {
    it(`compacts ${effective} at ${threshold} with ${percent} %`, () => assert.equal(autoCompactThreshold(effective, percent), threshold));
  }

  const floors: readonly (readonly [number, number, number])[] = [
    [95, 180_000, 171_000],
    [50, 180_000, 167_000],
    [99, 180_000, 176_999],
    [150, 180_000, 176_999],
    [0, 180_000, 167_000],
    [NaN, 180_000, 167_000],
    [100, 2000, 0],
  ];
  for (const [percent, effective, threshold] of floors) {
    it(`postpones to ${percent} % of ${effective}: ${threshold}`, () =>
      assert.equal(withMinPercent(autoCompactThreshold(effective), effective, percent), threshold));
  }

  const blocking: readonly (readonly [number, number | undefined, number])[] = [
    [180_000, undefined, 177_000],
    [180_000, 150_000, 150_000],
    [180_000, 190_000, 180_000],
    [180_000, 0, 177_000],
    [180_000, NaN, 177_000],
    [2000, undefined, 0],
  ];
  for (const [effective, override, limit] of blocking) {
    it(`blocks ${effective} at ${limit} (override ${override})`, () => assert.equal(blockingLimit(effective, override), limit));
  }
});
