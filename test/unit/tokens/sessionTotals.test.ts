import assert from 'node:assert/strict';
import { sessionTotals } from '../../../src/core/tokens/sessionTotals';
import type { Message } from '../../../src/core/model/message';
import { assistant, reported, results, user } from '../../support/messages';

describe('session totals (R23)', () => {
  const m1 = { messageId: 'm1', requestId: 'r1' };
  const rows: readonly (readonly [string, readonly Message[], { readonly responses: number; readonly outputTokens: number }])[] = [
    ['nothing', [], { responses: 0, outputTokens: 0 }],
    [
      'a growing record counts once, with its largest output',
      [
        assistant('a', { ...m1, ...reported(5, 1) }),
        assistant('b', { ...m1, ...reported(5, 300) }),
        assistant('c', { ...m1, ...reported(5, 40) }),
      ],
      { responses: 1, outputTokens: 300 },
    ],
    [
      'a tool result does not close a run',
      [assistant('a', { ...m1, ...reported(5, 10) }), results('t'), assistant('b', { ...m1, ...reported(5, 10) })],
      { responses: 1, outputTokens: 10 },
    ],
    [
      'what a program adds in the user’s name does not either',
      [
        assistant('a', { ...m1, ...reported(5, 10) }),
        user('reminder', { kind: 'attachment' }),
        assistant('b', { ...m1, ...reported(5, 10) }),
      ],
      { responses: 1, outputTokens: 10 },
    ],
    [
      'a user turn does',
      [assistant('a', { ...m1, ...reported(5, 10) }), user('next'), assistant('b', { ...m1, ...reported(5, 10) })],
      { responses: 2, outputTokens: 20 },
    ],
    [
      'two request ids are two responses',
      [assistant('a', { ...m1, ...reported(5, 10) }), assistant('b', { ...m1, requestId: 'r2', ...reported(5, 10) })],
      { responses: 2, outputTokens: 20 },
    ],
    [
      'a missing request id agrees',
      [
        assistant('a', { messageId: 'm1', ...reported(5, 10) }),
        assistant('b', { ...m1, ...reported(5, 10) }),
        assistant('c', { messageId: 'm1', ...reported(5, 10) }),
      ],
      { responses: 1, outputTokens: 10 },
    ],
    [
      'messages without an id stand alone',
      [assistant('a', reported(5, 10)), assistant('b', reported(5, 10)), assistant('c', { messageId: '', ...reported(5, 10) })],
      { responses: 3, outputTokens: 30 },
    ],
    [
      'side chains count',
      [assistant('a', { ...m1, ...reported(5, 10) }), assistant('s', { messageId: 's1', isSidechain: true, ...reported(9, 90) })],
      { responses: 2, outputTokens: 100 },
    ],
    [
      'a side chain’s turn closes no run of the main chain',
      [assistant('a', { ...m1, ...reported(5, 10) }), user('task', { isSidechain: true }), assistant('b', { ...m1, ...reported(5, 10) })],
      { responses: 1, outputTokens: 10 },
    ],
    [
      'parallel side chains interleave',
      [side('s1', 'x1'), user('task 2', { isSidechain: true }), side('s1', 'x1')],
      { responses: 1, outputTokens: 7 },
    ],
    [
      'inherited ones do not count again',
      [assistant('a', { ...m1, isInherited: true, ...reported(5, 10) })],
      { responses: 0, outputTokens: 0 },
    ],
    [
      'made-up replies do not count',
      [assistant('error', { kind: 'apiError', ...reported(5, 10) }), assistant('x', { model: '<synthetic>', ...reported(5, 10) })],
      { responses: 0, outputTokens: 0 },
    ],
    [
      'ids like keys of objects',
      [assistant('a', { messageId: '__proto__', ...reported(5, 10) }), assistant('b', { messageId: '__proto__', ...reported(5, 10) })],
      { responses: 1, outputTokens: 10 },
    ],
  ];
  for (const [name, messages, expected] of rows) {
    it(name, () => {
      const { responses, outputTokens } = sessionTotals(messages);
      assert.deepEqual({ responses, outputTokens }, expected);
    });
  }

  it('keeps the parts of the input apart', () => {
    assert.deepEqual(sessionTotals([assistant('a', reported(1, 2, 3, 4))]), {
      responses: 1,
      inputTokens: 1,
      outputTokens: 2,
      cacheReadTokens: 3,
      cacheCreationTokens: 4,
    });
  });
});

function side(messageId: string, requestId: string): Message {
  return assistant('s', { messageId, requestId, isSidechain: true, ...reported(3, 7) });
}
