import assert from 'node:assert/strict';
import { checkVector } from '../../golden/checkVector';
import type { Difference, Vector } from '../../golden/goldenTypes';

const VECTOR: Vector = { name: 'v', fn: 'f', input: { $repeat: ['a', 3] }, output: { length: 3, parts: [{ x: 1 }, 2] } };
const good = (input: unknown): unknown => ({ length: String(input).length, parts: [{ x: 1 }, 2] });
const differs = (path: string, ours: unknown): Difference => ({ name: 'v', path, ours, source: 'case 1', reason: 'r' });

describe('the runner of vectors', () => {
  it('passes what matches exactly', () => assert.equal(checkVector(VECTOR, good, []), undefined));

  it('fails what does not, and a field too many', () => {
    assert.match(checkVector(VECTOR, () => ({ length: 3, parts: [{ x: 2 }, 2] }), []) ?? '', /output\.parts\[0\]\.x is 2, expected 1/);
    assert.match(checkVector(VECTOR, () => ({ length: 3, parts: [{ x: 1 }, 2], more: 1 }), []) ?? '', /unexpected field more/);
  });

  it('wants our value at a difference, and the rest as measured', () => {
    const ours = (): unknown => ({ length: 3, parts: [{ x: 9 }, 2] });
    assert.equal(checkVector(VECTOR, ours, [differs('parts[0].x', 9)]), undefined);
    assert.match(checkVector(VECTOR, good, [differs('parts[0].x', 9)]) ?? '', /is 1, expected 9/);
    assert.match(checkVector(VECTOR, () => ({ length: 3, parts: [{ x: 9 }, 3] }), [differs('parts[0].x', 9)]) ?? '', /parts\[1\] is 3/);
    assert.equal(
      checkVector(VECTOR, () => 5, [differs('', 5)]),
      undefined,
    );
  });

  it('fails a difference that is none or names nothing', () => {
    assert.match(checkVector(VECTOR, good, [differs('parts[1]', 2)]) ?? '', /is none/);
    assert.match(checkVector(VECTOR, good, [differs('parts[7].x', 2)]) ?? '', /names nothing/);
  });

  it('fails what throws', () => {
    const broken = (): never => {
      throw new Error('broken');
    };
    assert.match(checkVector(VECTOR, broken, []) ?? '', /it threw Error: broken/);
  });
});
