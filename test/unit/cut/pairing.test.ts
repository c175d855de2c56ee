import assert from 'node:assert/strict';
import { cutMap, safeHeadEnd, safePartialHeadEnd, safeTailStart } from '../../../src/core/cut/pairing';
import type { Message } from '../../../src/core/model/message';
import { assistant, call, results, user } from '../../support/messages';

/** Answers for the indexes −1 … n + 1. */
function answers(messages: readonly Message[], adjust: (messages: readonly Message[], index: number) => number): readonly number[] {
  return Array.from({ length: messages.length + 3 }, (_, at) => adjust(messages, at - 1));
}

interface Row {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly tail: readonly number[];
  readonly head: readonly number[];
  readonly partial: readonly number[];
}

const m1 = { messageId: 'm1' };
const m2 = { messageId: 'm2' };

const ROWS: readonly Row[] = [
  { name: 'an empty list', messages: [], tail: [0, 0, 0], head: [0, 0, 0], partial: [0, 0, 0] },
  {
    name: 'a call and its result',
    messages: [user('q'), assistant(call('t')), results('t'), assistant('end')],
    tail: [0, 0, 1, 1, 3, 4, 4],
    head: [0, 0, 1, 3, 3, 4, 4],
    partial: [0, 0, 1, 3, 3, 4, 4],
  },
  {
    name: 'a call that was never answered moves nothing (decision 6)',
    messages: [user('q'), assistant(call('t')), user('no'), assistant('end')],
    tail: [0, 0, 1, 2, 3, 4, 4],
    head: [0, 0, 1, 2, 3, 4, 4],
    partial: [0, 0, 1, 2, 3, 4, 4],
  },
  {
    name: 'parallel calls of which one was answered',
    messages: [user('q'), assistant(call('a', 'b')), results('b'), assistant('end')],
    tail: [0, 0, 1, 1, 3, 4, 4],
    head: [0, 0, 1, 3, 3, 4, 4],
    partial: [0, 0, 1, 3, 3, 4, 4],
  },
  {
    name: 'fragments around results: a pair leads to a fragment, which leads to another pair',
    messages: [user('q'), assistant(call('a'), m1), results('a'), assistant(call('b'), m1), results('b'), user('n')],
    tail: [0, 0, 1, 1, 1, 1, 5, 6, 6],
    head: [0, 0, 1, 3, 3, 5, 5, 6, 6],
    partial: [0, 0, 1, 5, 5, 5, 5, 6, 6],
  },
  {
    name: 'fragments around the result of another response: a fragment leads into a pair',
    messages: [user('q'), assistant(call('a'), m1), assistant('x', m2), results('a'), assistant('y', m2), user('n')],
    tail: [0, 0, 1, 1, 1, 1, 5, 6, 6],
    head: [0, 0, 1, 4, 4, 4, 5, 6, 6],
    partial: [0, 0, 1, 5, 5, 5, 5, 6, 6],
  },
  {
    name: 'results without a call: a tail does not open on them',
    messages: [user('q'), results('x'), results('y'), assistant('end')],
    tail: [0, 0, 3, 3, 3, 4, 4],
    head: [0, 0, 1, 2, 3, 4, 4],
    partial: [0, 0, 1, 2, 3, 4, 4],
  },
  {
    name: 'nothing but a result without a call behind it',
    messages: [user('q'), results('x')],
    tail: [0, 0, 2, 2, 2],
    head: [0, 0, 1, 2, 2],
    partial: [0, 0, 1, 2, 2],
  },
  {
    name: 'an id that comes back belongs to the nearest call',
    messages: [user('q'), assistant(call('t')), results('t'), assistant(call('t')), results('t')],
    tail: [0, 0, 1, 1, 3, 3, 5, 5],
    head: [0, 0, 1, 3, 3, 5, 5, 5],
    partial: [0, 0, 1, 3, 3, 5, 5, 5],
  },
  {
    name: 'an id that is open twice is one call',
    messages: [user('q'), assistant(call('t')), assistant(call('t')), results('t')],
    tail: [0, 0, 1, 1, 1, 4, 4],
    head: [0, 0, 1, 4, 4, 4, 4],
    partial: [0, 0, 1, 4, 4, 4, 4],
  },
  {
    name: 'a server tool and its result in two fragments without an id',
    messages: [
      user('q'),
      assistant([{ type: 'toolUse', id: 's', name: 'web_search', input: {}, server: true }]),
      assistant([{ type: 'toolResult', toolUseId: 's', content: [], server: true }]),
      assistant('found'),
    ],
    tail: [0, 0, 1, 1, 3, 4, 4],
    head: [0, 0, 1, 3, 3, 4, 4],
    partial: [0, 0, 1, 3, 3, 4, 4],
  },
  {
    name: 'a server tool and its result in one message may open a tail',
    messages: [
      user('q'),
      assistant([
        { type: 'toolUse', id: 's', name: 'web_search', input: {}, server: true },
        { type: 'toolResult', toolUseId: 's', content: [], server: true },
      ]),
    ],
    tail: [0, 0, 1, 2, 2],
    head: [0, 0, 1, 2, 2],
    partial: [0, 0, 1, 2, 2],
  },
  {
    name: 'results in messages of the role tool',
    messages: [user('q'), assistant(call('t')), { ...results('t'), role: 'tool' }, assistant('end')],
    tail: [0, 0, 1, 1, 3, 4, 4],
    head: [0, 0, 1, 3, 3, 4, 4],
    partial: [0, 0, 1, 3, 3, 4, 4],
  },
  {
    name: 'ids like keys of objects',
    messages: [user('q'), assistant(call('__proto__', 'constructor')), results('constructor'), results('__proto__')],
    tail: [0, 0, 1, 1, 1, 4, 4],
    head: [0, 0, 1, 4, 4, 4, 4],
    partial: [0, 0, 1, 4, 4, 4, 4],
  },
  {
    name: 'empty message ids join nothing',
    messages: [user('q'), assistant('a', { messageId: '' }), assistant('b', { messageId: '' })],
    tail: [0, 0, 1, 2, 3, 3],
    head: [0, 0, 1, 2, 3, 3],
    partial: [0, 0, 1, 2, 3, 3],
  },
];

describe('safe places to cut', () => {
  for (const { name, messages, tail, head, partial } of ROWS) {
    it(name, () => {
      assert.deepEqual(answers(messages, safeTailStart), tail);
      assert.deepEqual(answers(messages, safeHeadEnd), head);
      assert.deepEqual(answers(messages, safePartialHeadEnd), partial);
    });
  }

  it('refuses a list that is no request, when asked to', () => {
    const lists: readonly (readonly Message[])[] = [
      [user('q'), { ...user('s'), role: 'system' }, user('z')],
      [user('q'), { ...results('t'), role: 'tool' }, user('z')],
      [user('q'), assistant(call('')), user('z')],
      [user('q'), results(''), user('z')],
      [user('q'), { ...user(''), content: call('t') }, user('z')],
      [user('q'), { ...results('t'), role: 'assistant' }, user('z')],
      [assistant(call('t')), assistant(call('t')), results('t')],
      [assistant(call('t')), results('t'), results('t')],
      [results('t'), results('t'), user('z')],
    ];
    for (const list of lists) {
      for (let index = 1; index <= 2; index++) {
        assert.equal(safeTailStart(list, index, { strictLayout: true }), 0);
        assert.equal(safeHeadEnd(list, index, { strictLayout: true }), 3);
        assert.equal(safePartialHeadEnd(list, index, { strictLayout: true }), 3);
      }
    }
    const valid = [
      user('q'),
      assistant(call('t')),
      results('t'),
      assistant(call('t')),
      results('t'),
      { ...user('d'), role: 'developer' as const },
    ];
    assert.equal(safeTailStart(valid, 3, { strictLayout: true }), 3);
  });

  it('truncates a fraction and takes what is no number as 0', () => {
    const messages = [user('a'), user('b'), user('c')];
    assert.equal(safeTailStart(messages, 1.9), 1);
    assert.equal(safeTailStart(messages, NaN), 0);
    assert.equal(cutMap(messages).length, 3);
  });
});
