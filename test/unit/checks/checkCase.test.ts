import assert from 'node:assert/strict';
import type { Case, CaseAdapter } from '../../cases/caseTypes';
import { checkCase } from '../../cases/checkCase';
import { ADAPTERS } from '../../cases/adapters';

const CASE: Case = {
  id: '1',
  component: 'x',
  input: {},
  fn: 'double',
  args: { n: 2 },
  stubs: {},
  match: 'equals',
  expected: 4,
  invariants: [],
  limits: {},
};

function adapter(double: (n: unknown) => unknown): CaseAdapter {
  return { functions: { double: ({ args }) => double(args['n']) }, properties: { P01: (_, result) => (result === 4 ? undefined : 'odd') } };
}

const right = adapter((n) => Number(n) * 2);

describe('the runner of cases', () => {
  it('passes what is right and fails what is wrong', async () => {
    assert.equal((await checkCase(CASE, [right])).failure, undefined);
    assert.match((await checkCase(CASE, [adapter(() => 5)])).failure ?? '', /value is 5, expected 4/);
  });

  it('fails a function that nobody has', async () => {
    assert.match((await checkCase({ ...CASE, fn: 'toString' }, [right])).failure ?? '', /no function toString/);
  });

  it('fails what throws', async () => {
    const broken = adapter(() => {
      throw new Error('broken');
    });
    assert.match((await checkCase(CASE, [broken])).failure ?? '', /it threw Error: broken/);
  });

  it('waits for a promise', async () => {
    assert.equal((await checkCase(CASE, [adapter((n) => Promise.resolve(Number(n) * 2))])).failure, undefined);
  });

  it('checks the properties that it can, and names the others', async () => {
    const outcome = await checkCase({ ...CASE, invariants: ['P01', 'P99'] }, [right]);
    assert.deepEqual([outcome.checked, outcome.unchecked], [['P01'], ['P99']]);
    const broken = await checkCase({ ...CASE, expected: 5, invariants: ['P01'] }, [adapter(() => 5)]);
    assert.equal(broken.failure, 'P01: odd');
  });

  it('fails what takes more than ten times its limit', async () => {
    const slow = adapter((n) => {
      const start = process.cpuUsage();
      while (process.cpuUsage(start).user + process.cpuUsage(start).system < 25_000);
      return Number(n) * 2;
    });
    assert.match((await checkCase({ ...CASE, limits: { ms: 1 } }, [slow])).failure ?? '', /ms of processor time/);
    assert.equal((await checkCase({ ...CASE, limits: { ms: 1000 } }, [slow])).failure, undefined);
  });

  it('gives frozen messages, so that a function that changes them throws', async () => {
    const changing: CaseAdapter = { functions: { double: ({ messages }) => Object.assign(messages[0] ?? {}, { role: 'system' }) } };
    const input = { messages: [{ role: 'user', content: 'a' }] };
    assert.match((await checkCase({ ...CASE, input }, [changing])).failure ?? '', /it threw TypeError/);
  });

  it('has each function once, or once for a component that has its own', () => {
    const names = ADAPTERS.flatMap(({ component = '', functions }) => Object.keys(functions).map((name) => `${component}/${name}`));
    assert.equal(new Set(names).size, names.length);
  });
});
