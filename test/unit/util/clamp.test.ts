import assert from 'node:assert/strict';
import { clamp } from '../../../src/core/util/clamp';

describe('clamp', () => {
  const rows: readonly (readonly [number, number])[] = [
    [-1, 0],
    [0, 0],
    [4, 4],
    [9, 5],
    [NaN, 0],
    [Infinity, 5],
    [-Infinity, 0],
  ];
  for (const [value, expected] of rows) it(`${value} in 0 … 5 is ${expected}`, () => assert.equal(clamp(value, 0, 5), expected));
});
