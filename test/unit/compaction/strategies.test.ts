import assert from 'node:assert/strict';
import type { CompactionPlan, PlanRefusal, PlanRequest } from '../../../src/core/compaction/plan';
import { resolvePivot } from '../../../src/core/compaction/planInput';
import { planCompaction } from '../../../src/core/compaction/strategies';
import { partialDirection } from '../../../src/core/compaction/strategies/partial';
import type { Message } from '../../../src/core/model/message';
import { call, result, text } from '../../support/transcripts';
import { inputOf } from './planInputs';

/** n messages of alternating roles, ids m0, m1 … */
function chat(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => text(index % 2 === 0 ? 'user' : 'assistant', `words ${index}`, { id: `m${index}` }));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, offset) => from + offset);
}

const upTo = (pivotId: string): PlanRequest => ({ kind: 'partialUpTo', pivotId });
const from = (pivotId: string): PlanRequest => ({ kind: 'partialFrom', pivotId });
const full = (keepMessages: number): PlanRequest => ({ kind: 'full', keepMessages });

function planned(outcome: CompactionPlan | PlanRefusal): CompactionPlan {
  assert.equal(outcome.outcome, 'plan', JSON.stringify(outcome));
  return outcome;
}

function refused(outcome: CompactionPlan | PlanRefusal): string {
  assert.equal(outcome.outcome, 'refusal');
  return outcome.detail === undefined ? outcome.code : `${outcome.code}/${outcome.detail}`;
}

/** 0 user, 1 text, 2 call t1 (first fragment of r1), 3 its result, 4 second fragment of r1, 5 user, 6 text. */
function conversationWithTools(): Message[] {
  return [
    text('user', 'go', { id: 'u0' }),
    text('assistant', 'well', { id: 'a1', messageId: 'r0' }),
    call('t1', 'Read', {}, { id: 'a2', messageId: 'r1' }),
    result('t1', 'ok', { id: 'u3' }),
    text('assistant', 'read it', { id: 'a4', messageId: 'r1' }),
    text('user', 'and now', { id: 'u5' }),
    text('assistant', 'done', { id: 'a6', messageId: 'r2' }),
  ];
}

describe('a full compaction', () => {
  it('keeps the newest messages and summarizes the rest', () => {
    const plan = planned(planCompaction(full(2), inputOf(chat(8), { unattributedTokens: 7 })));
    assert.deepEqual(plan, {
      outcome: 'plan',
      kind: 'full',
      direction: undefined,
      revision: 1,
      summarized: range(0, 6),
      kept: [6, 7],
      order: 'summaryFirst',
      requestedCut: 6,
      cut: 6,
      tokensBefore: 8000,
      tokensKept: 2000,
      tokensSummarized: 6000,
      unattributedTokens: 7,
    });
  });

  it('keeps ten where the number makes no sense', () => {
    for (const keep of [0, -1, 2.5, NaN, Infinity]) {
      assert.deepEqual(planned(planCompaction(full(keep), inputOf(chat(14)))).kept, range(4, 14), String(keep));
    }
  });

  it('moves the cut back to the first fragment of a response and says so', () => {
    // Keep 3 begins at 4, the second fragment of r1, whose first is 2.
    const plan = planned(planCompaction(full(3), inputOf(conversationWithTools())));
    assert.deepEqual([plan.requestedCut, plan.cut, plan.summarized], [4, 2, [0, 1]]);
  });

  it('summarizes an earlier summary again instead of dropping it', () => {
    const messages = [text('user', 'earlier summary', { kind: 'summary' }), ...chat(6)];
    assert.deepEqual(planned(planCompaction(full(2), inputOf(messages))).summarized, range(0, 5));
  });

  const refusals: readonly [string, string, CompactionPlan | PlanRefusal][] = [
    ['an empty context', 'notEnoughMessages', planCompaction(full(2), inputOf([]))],
    ['as many messages as are kept', 'notEnoughMessages/allKept', planCompaction(full(8), inputOf(chat(8)))],
    ['fewer messages than are kept', 'notEnoughMessages/allKept', planCompaction(full(9), inputOf(chat(8)))],
    [
      'a kept part that reaches back to the start',
      'notEnoughMessages/nothingToSummarize',
      planCompaction(full(2), inputOf([call('t', 'Read', {}), result('t', 'ok'), result('t', 'more')])),
    ],
    [
      'a kept part of nothing but orphan results',
      'notEnoughMessages/nothingKept',
      planCompaction(full(1), inputOf([...chat(3), result('gone', 'x')])),
    ],
    [
      'nothing new beside the last summary',
      'nothingToDo',
      planCompaction(full(4), inputOf([text('user', 'summary', { kind: 'summary' }), ...chat(4)])),
    ],
    ['a part that is smaller than any summary', 'notSmaller/tooSmall', planCompaction(full(2), inputOf(chat(8), { each: 5 }))],
  ];
  for (const [name, expected, outcome] of refusals) it(`refuses ${name}`, () => assert.equal(refused(outcome), expected));
});

describe('a partial compaction', () => {
  it('up to a message summarizes what is before it', () => {
    const plan = planned(planCompaction(upTo('m4'), inputOf(chat(6))));
    assert.deepEqual([plan.kind, plan.direction, plan.order], ['partialUpTo', 'upTo', 'summaryFirst']);
    assert.deepEqual([plan.summarized, plan.kept], [range(0, 4), [4, 5]]);
  });

  it('from a message summarizes it and what follows', () => {
    const plan = planned(planCompaction(from('m2'), inputOf(chat(6))));
    assert.deepEqual([plan.kind, plan.direction, plan.order], ['partialFrom', 'from', 'keptFirst']);
    assert.deepEqual([plan.summarized, plan.kept], [range(2, 6), [0, 1]]);
  });

  it('moves a pivot on a result back to its call, or past it', () => {
    const messages = conversationWithTools();
    assert.deepEqual(planned(planCompaction(upTo('u3'), inputOf(messages))).kept, range(2, 7));
    const plan = planned(planCompaction(from('u3'), inputOf(messages)));
    assert.deepEqual([plan.requestedCut, plan.cut, plan.kept], [3, 5, range(0, 5)]);
  });

  it('works in the order of the context, not of the file', () => {
    // The context begins with what an earlier compaction carried over: messages 4 and 5 of the file, then 2 and 3.
    const input = inputOf(chat(6), { context: [4, 5, 2, 3] });
    const plan = planned(planCompaction(upTo('m2'), input));
    assert.deepEqual([plan.summarized, plan.kept, plan.cut], [[4, 5], [2, 3], 2]);
  });

  it('leaves an earlier summary on the kept side where it is', () => {
    const messages = [...chat(3), text('user', 'summary', { kind: 'summary' }), ...chat(2)];
    const plan = planned(planCompaction({ kind: 'partialUpTo', pivotId: '2' }, inputOf(messages)));
    assert.deepEqual(plan.kept, [2, 3, 4, 5]);
  });

  it('counts reminders and program text like other messages', () => {
    const messages = [
      text('user', 'a'),
      text('user', 'reminder', { kind: 'attachment' }),
      text('assistant', 'b'),
      text('user', 'c', { id: 'c' }),
    ];
    assert.deepEqual(planned(planCompaction(upTo('c'), inputOf(messages))).summarized, [0, 1, 2]);
  });

  const outcomes: readonly [string, string, PlanRequest][] = [
    ['up to the first message', 'notEnoughMessages/nothingToSummarize', upTo('m0')],
    ['from the first message', 'notEnoughMessages/nothingKept', from('m0')],
    ['at an index past the end', 'unknownMessage', upTo('17')],
    ['at the index after the last', 'unknownMessage', from('6')],
    ['at an id that is nowhere', 'unknownMessage', from('nobody')],
    ['at an inherited name', 'unknownMessage', upTo('__proto__')],
    ['at an empty id', 'unknownMessage', upTo('')],
  ];
  for (const [name, expected, request] of outcomes) {
    it(`refuses one ${name}`, () => assert.equal(refused(planCompaction(request, inputOf(chat(6)))), expected));
  }

  it('refuses one in an empty context, whatever the id', () => {
    assert.equal(refused(planCompaction(upTo('m0'), inputOf([]))), 'notEnoughMessages');
  });

  it('reads directions as agents write them', () => {
    const words = ['', null, undefined, 'from', 'up_to', 'sideways', 'FROM'];
    assert.deepEqual(words.map(partialDirection), ['from', 'from', 'from', 'from', 'upTo', undefined, undefined]);
  });
});

describe('a call that waits for its result', () => {
  const waiting = [...chat(4), call('t1', 'Bash', {}, { id: 'w' })];

  it('is not summarized, even when the user has typed on', () => {
    assert.equal(refused(planCompaction(full(1), inputOf([...waiting, text('user', 'and hurry')]))), 'pendingToolCall');
    assert.equal(refused(planCompaction(from('m2'), inputOf(waiting))), 'pendingToolCall');
  });

  it('may be kept', () => {
    assert.deepEqual(planned(planCompaction(full(2), inputOf(waiting))).kept, [3, 4]);
  });

  it('is found among all fragments of the latest response', () => {
    const messages = [
      ...chat(2),
      call('t1', 'A', {}, { messageId: 'r' }),
      call('t2', 'B', {}, { messageId: 'r' }),
      result('t2', 'ok'),
      text('user', 'x'),
    ];
    assert.equal(refused(planCompaction(full(1), inputOf(messages))), 'pendingToolCall');
  });

  it('is found among parallel calls that a format stores without a message id', () => {
    const messages = [...chat(2), call('t1', 'A', {}), call('t2', 'B', {}), result('t2', 'ok'), text('user', 'x')];
    assert.equal(refused(planCompaction(full(1), inputOf(messages))), 'pendingToolCall');
  });

  it('was interrupted when a later response exists, and does not block', () => {
    const messages = [
      ...chat(2),
      call('t1', 'A', {}, { messageId: 'r1' }),
      text('user', 'never mind'),
      text('assistant', 'fine', { messageId: 'r2' }),
      ...chat(3),
    ];
    assert.deepEqual(planned(planCompaction(full(2), inputOf(messages))).kept, [6, 7]);
  });

  it('still waits behind an error record of the agent', () => {
    const messages = [...chat(2), call('t1', 'A', {}), text('assistant', 'API Error', { kind: 'apiError' }), text('user', 'x')];
    assert.equal(refused(planCompaction(full(1), inputOf(messages))), 'pendingToolCall');
  });
});

describe('finding the pivot', () => {
  const messages = [
    text('user', 'a', { id: 'x' }),
    text('assistant', 'b', { id: 'y', messageId: 'resp' }),
    text('assistant', 'c', { id: '3', messageId: 'resp' }),
    text('user', 'd', { id: 'z' }),
  ];
  const position = (id: string, context = [0, 1, 2, 3]): number | string => {
    const pivot = resolvePivot(inputOf(messages, { context }), id);
    return pivot.outcome === 'pivot' ? pivot.position : (pivot.detail ?? pivot.code);
  };

  it('takes an id before an index, and the first fragment of a message id', () => {
    assert.deepEqual([position('y'), position('3'), position('1'), position('resp')], [1, 2, 1, 1]);
  });

  it('counts positions in the context', () => {
    assert.deepEqual([position('z', [3, 0]), position('0', [3, 0])], [0, 1]);
  });

  it('tells a message that is no longer in the context from one that never was', () => {
    assert.deepEqual(
      ['x', '0', 'resp', 'q', '4', '-1', '1.0', ' 1'].map((id) => position(id, [3])),
      [
        'notInContext',
        'notInContext',
        'notInContext',
        'unknownMessage',
        'unknownMessage',
        'unknownMessage',
        'unknownMessage',
        'unknownMessage',
      ],
    );
  });
});

describe('planning a long session', () => {
  it('takes under 50 ms for 10,000 messages', () => {
    const messages = Array.from({ length: 5000 }, (_, index) => [call(`t${index}`, 'Read', {}), result(`t${index}`, 'ok')]).flat();
    const input = inputOf(messages);
    // The best of several runs: other work on the machine is not what is measured.
    const times = range(0, 15).map((run) => {
      const begin = performance.now();
      planned(planCompaction(run % 2 === 0 ? full(11) : from('6001'), input));
      return performance.now() - begin;
    });
    assert.ok(Math.min(...times) < 50, `${Math.min(...times)} ms`);
  });
});
