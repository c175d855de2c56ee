import assert from 'node:assert/strict';
import { nestsDeeperThan, parseSequence, recoverLastRecord } from '../../../src/core/transcript/jsonText';

describe('jsonText', () => {
  const depths: readonly (readonly [string, string, number, boolean])[] = [
    ['flat', '{"a":1}', 1, false],
    ['at the limit', '[[1]]', 2, false],
    ['over the limit', '[[[1]]]', 2, true],
    ['brackets in a string', '{"a":"[[[[[["}', 1, false],
    ['an escaped quote', '{"a":"\\"[[[["}', 1, false],
    ['an escaped backslash before the quote', '{"a":"\\\\","b":[[1]]}', 2, true],
    ['a string that never ends', '{"a":"[[[[', 1, false],
    ['closed again', '[[],[],[],[]]', 2, false],
  ];
  for (const [name, text, limit, expected] of depths) {
    it(`counts nesting: ${name}`, () => assert.equal(nestsDeeperThan(text, limit), expected));
  }

  it('is linear in quotes and backslashes', () => {
    const before = process.cpuUsage().user;
    nestsDeeperThan(`"${'\\"'.repeat(500_000)}`, 200);
    nestsDeeperThan('"a"'.repeat(300_000), 200);
    assert.ok(process.cpuUsage().user - before < 2e6);
  });

  const sequences: readonly (readonly [string, string, readonly unknown[], boolean])[] = [
    ['two records', '{"a":1}{"b":"}{"}', [{ a: 1 }, { b: '}{' }], true],
    ['with spaces', ' {"a":1} \t[2] ', [{ a: 1 }, [2]], true],
    ['broken at the end', '{"a":1}{"b":', [{ a: 1 }], false],
    ['broken at the start', '{"a" 1}{"b":2}', [], false],
    ['no record', 'hello', [], false],
  ];
  for (const [name, text, values, isWhole] of sequences) {
    it(`splits ${name}`, () => {
      const sequence = parseSequence(text);
      assert.deepEqual(sequence.values, values);
      assert.equal(sequence.readTo === text.length, isWhole);
    });
  }

  it('finds a whole record behind a torn one', () => {
    assert.deepEqual(recoverLastRecord('{"type":"user","uuid":"u1","mess{"type":"user","uuid":"u2"}', 200), { type: 'user', uuid: 'u2' });
  });

  it('takes nothing for a record that has not the structure of one', () => {
    assert.equal(recoverLastRecord('{"type":"user","content":[{"type":"text","text":"x"}', 200), undefined);
    assert.equal(recoverLastRecord('{"a":{"b":1}', 200), undefined);
  });
});
