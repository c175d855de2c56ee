import assert from 'node:assert/strict';
import { findViolations, type ViolationKind } from '../../../src/core/cut/invariants';
import type { Message } from '../../../src/core/model/message';
import { assistant, call, results, user } from '../../support/messages';

const m1 = { messageId: 'm1' };
const SOURCE = [user('q'), assistant('think', m1), assistant(call('a', 'b'), m1), results('a'), results('b'), assistant('end')];

describe('violations of a view', () => {
  const rows: readonly (readonly [string, readonly Message[], readonly (readonly [ViolationKind, number, string])[]])[] = [
    ['the whole', SOURCE, []],
    ['nothing', [], []],
    ['a whole tail', SOURCE.slice(5), []],
    [
      'a tail that opens on a result',
      SOURCE.slice(4),
      [
        ['orphanResult', 0, 'b'],
        ['opensOnResult', 0, ''],
      ],
    ],
    ['a tail that tears a response', SOURCE.slice(2), [['tornResponse', 0, 'm1']]],
    ['a head that loses a result', SOURCE.slice(0, 4), [['missingResult', 2, 'b']]],
    ['a head that loses results and tears', SOURCE.slice(0, 2), [['tornResponse', 1, 'm1']]],
  ];
  for (const [name, view, expected] of rows) {
    it(name, () => {
      assert.deepEqual(
        findViolations(view, SOURCE).map(({ kind, index, id }) => [kind, index, id]),
        expected,
      );
    });
  }

  it('reports the orphans of a list by itself', () => {
    assert.deepEqual(findViolations([user('q'), results('x')]), [{ kind: 'orphanResult', index: 1, id: 'x' }]);
  });

  it('asks for no result that the source does not have', () => {
    const source = [user('q'), assistant(call('t')), user('no')];
    assert.deepEqual(findViolations(source.slice(0, 2), source), []);
  });

  it('tells calls apart that share an id', () => {
    const source = [assistant(call('t')), results('t'), assistant(call('t')), results('t')];
    assert.deepEqual(findViolations(source.slice(2), source), []);
    assert.deepEqual(findViolations(source.slice(0, 3), source), [{ kind: 'missingResult', index: 2, id: 't' }]);
  });
});
