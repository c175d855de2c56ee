// The sums of the suites: a suite that died, told nothing or ran nothing must not pass for a green one.
import assert from 'node:assert/strict';
import { judge, readTotal, sum, totalLine } from '../../../scripts/totals.mjs';

describe('totals of suites', () => {
  const cases: readonly [name: string, status: number, output: string, passed: number, failed: number][] = [
    ['a green suite', 0, 'unit: 12 passed, 0 failed\n', 12, 0],
    ['a red suite', 1, 'unit: 12 passed, 3 failed, 1 skipped\n', 12, 3],
    ['the last of several counts', 0, '2 passed, 1 failed\n5 passed, 0 failed\n', 5, 0],
    ['a suite that died without a count', 1, 'Killed\n', 0, 1],
    ['a suite that told nothing', 0, '', 0, 1],
    ['a suite that ran nothing', 0, '0 passed, 0 failed\n', 0, 1],
    ['a suite that only skipped', 0, '0 passed, 0 failed, 9 skipped\n', 0, 1],
    ['a suite that counts no failure and fails', 1, '7 passed, 0 failed\n', 7, 1],
    ['a suite that was stopped', 124, '7 passed, 0 failed\nStopped after 3 s without an end.\n', 7, 1],
    ['a sentence that is no count', 0, 'about 3 passed, 0 failed by hand\n', 0, 1],
  ];
  for (const [name, status, output, passed, failed] of cases) {
    it(`judges ${name}`, () => {
      const total = judge({ output, status });
      assert.deepEqual([total.passed, total.failed], [passed, failed]);
    });
  }

  it('adds up, and reads what it writes', () => {
    const total = sum([
      { passed: 3, failed: 0, skipped: 1 },
      { passed: 4, failed: 2, skipped: 0 },
    ]);
    assert.deepEqual(total, { passed: 7, failed: 2, skipped: 1 });
    assert.equal(totalLine(total), '7 passed, 2 failed, 1 skipped');
    assert.deepEqual(readTotal(totalLine(total)), total);
  });
});
