// As support/property.ts, for checks that answer with a promise.
import assert from 'node:assert/strict';
import fc from 'fast-check';

const SEED = 20_261_130;
const RUNS = 1000;
const LIMIT_MS = 5000;
const LEAST_RUNS = 100;
const MS = 1000;

/** Defines a mocha test of one property with an asynchronous check. `examples` are inputs that failed once; they run first, for ever. */
export function asyncProperty<T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
  examples: readonly T[] = [],
): void {
  it(name, async function () {
    this.timeout(LIMIT_MS * 12);
    const start = process.cpuUsage();
    let runs = 0;
    const isInTime = (): boolean => {
      const { user, system } = process.cpuUsage(start);
      return (user + system) / MS < LIMIT_MS;
    };
    const checked = fc.asyncProperty(arbitrary, async (value) => {
      if (!isInTime()) return;
      runs++;
      await check(value);
    });
    await fc.assert(checked, { seed: SEED, numRuns: RUNS + examples.length, examples: examples.map((example) => [example]) });
    console.log(`      ${runs} runs`);
    assert.ok(runs >= LEAST_RUNS, `only ${runs} runs in ${LIMIT_MS} ms`);
  });
}
