import assert from 'node:assert/strict';
import { firstIndexWithin, keptTailStart } from '../../../src/core/cut/splitForKeep';
import type { Message } from '../../../src/core/model/message';
import { assistant, call, results, user } from '../../support/messages';

const m1 = { messageId: 'm1' };

interface Row {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly sizes: readonly number[];
  readonly budget: number;
  readonly kept: number;
  readonly first: number;
}

const PLAIN = [user('a'), assistant('b'), user('c'), assistant('d')];

const ROWS: readonly Row[] = [
  { name: 'two fit', messages: PLAIN, sizes: [9, 9, 1, 1], budget: 3, kept: 2, first: 2 },
  { name: 'an exact fit fits', messages: PLAIN, sizes: [9, 9, 1, 1], budget: 2, kept: 2, first: 2 },
  { name: 'one less does not', messages: PLAIN, sizes: [9, 9, 1, 1], budget: 1, kept: 3, first: 3 },
  { name: 'all fit', messages: PLAIN, sizes: [1, 1, 1, 1], budget: 4, kept: 4, first: 0 },
  { name: 'none fits', messages: PLAIN, sizes: [1, 1, 1, 9], budget: 4, kept: 4, first: 4 },
  { name: 'a budget below 0', messages: PLAIN, sizes: [0, 0, 0, 0], budget: -1, kept: 4, first: 4 },
  { name: 'an empty list', messages: [], sizes: [], budget: 5, kept: 0, first: 0 },
  { name: 'only results', messages: [results('x'), results('y')], sizes: [1, 1], budget: 5, kept: 2, first: 2 },
  { name: 'results that lead', messages: [results('x'), user('a')], sizes: [1, 1], budget: 5, kept: 2, first: 1 },
  {
    name: 'roles that start no tail',
    messages: [user('a'), { ...user('s'), role: 'system' }, user('b')],
    sizes: [9, 1, 1],
    budget: 2,
    kept: 2,
    first: 2,
  },
  {
    name: 'not on a result',
    messages: [user('a'), assistant(call('t')), results('t'), assistant('d')],
    sizes: [1, 1, 9, 1],
    budget: 10,
    kept: 3,
    first: 3,
  },
  {
    name: 'not inside a response',
    messages: [user('a'), assistant('b', m1), assistant('c', m1), user('d')],
    sizes: [1, 9, 1, 1],
    budget: 5,
    kept: 3,
    first: 3,
  },
  {
    name: 'not between a call and its late result',
    messages: [assistant(call('t')), user('wait'), results('t'), user('d')],
    sizes: [9, 1, 1, 1],
    budget: 5,
    kept: 3,
    first: 3,
  },
];

describe('cuts by a budget', () => {
  for (const { name, messages, sizes, budget, kept, first } of ROWS) {
    it(name, () => {
      const sizeOf = (message: Message): number => sizes[messages.indexOf(message)] ?? NaN;
      assert.equal(keptTailStart(messages, budget, sizeOf), kept);
      assert.equal(firstIndexWithin(messages, budget, sizeOf), first);
    });
  }
});
