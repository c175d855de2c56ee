import assert from 'node:assert/strict';
import fc from 'fast-check';
import { neighbourCuts } from '../../../src/core/compaction/neighbours';
import type { CompactionPlan, PivotChoice, PlanRequest } from '../../../src/core/compaction/plan';
import type { PlanInput } from '../../../src/core/compaction/planInput';
import { planCompaction } from '../../../src/core/compaction/strategies';
import { isTurnStart } from '../../../src/core/cut/turns';
import type { Message } from '../../../src/core/model/message';
import { anyConversation, validConversation } from '../../support/arbitraries';
import { property } from '../../support/property';
import { call, result, text } from '../../support/transcripts';
import { inputOf } from './planInputs';

/** Positions: 0 ask, 1 answer, 2 ask, 3 call, 4 result, 5 answer, 6 ask, 7 two calls in fragments, 8 and 9 results, 10 answer, 11 ask, 12 answer. */
const SESSION: readonly Message[] = [
  text('user', 'first', { id: 'm0' }),
  text('assistant', 'fine', { id: 'm1' }),
  text('user', 'second', { id: 'm2' }),
  call('t1', 'Read', {}, { id: 'm3' }),
  result('t1', 'ok', { id: 'm4' }),
  text('assistant', 'read', { id: 'm5' }),
  text('user', 'third', { id: 'm6' }),
  call('t2', 'Read', {}, { id: 'm7', messageId: 'r' }),
  result('t2', 'ok', { id: 'm8' }),
  call('t3', 'Read', {}, { id: 'm9', messageId: 'r' }),
  result('t3', 'ok', { id: 'm10' }),
  text('assistant', 'done', { id: 'm11' }),
  text('user', 'fourth', { id: 'm12' }),
  text('assistant', 'bye', { id: 'm13' }),
];

function cutOf(request: PlanRequest, input: PlanInput = inputOf(SESSION)): number | string {
  const plan = planCompaction(request, input);
  return plan.outcome === 'plan' ? plan.cut : `${plan.code}${plan.detail === undefined ? '' : `/${plan.detail}`}`;
}

describe('where a plan cuts', () => {
  const upTo: readonly (readonly [PivotChoice, number | string])[] = [
    [{ position: 6 }, 6],
    [{ position: 4 }, 3],
    [{ position: 10 }, 7],
    [{ position: 0 }, 'notEnoughMessages/nothingToSummarize'],
    [{ position: 14 }, 'notEnoughMessages/nothingKept'],
    [{ position: 1_000_000 }, 'notEnoughMessages/nothingKept'],
    [{ position: -1 }, 'unknownMessage'],
    [{ position: NaN }, 'unknownMessage'],
    [{ keepTurns: 1 }, 12],
    [{ keepTurns: 2 }, 6],
    [{ keepTurns: 3 }, 2],
    [{ keepTurns: 4 }, 'notEnoughMessages/nothingToSummarize'],
    [{ keepTurns: 9 }, 'notEnoughMessages/nothingToSummarize'],
    [{ keepTurns: 0 }, 'notEnoughMessages/nothingKept'],
    [{ keepTurns: NaN }, 'unknownMessage'],
    // Each message counts 1,000 tokens.
    [{ keepTokens: 1 }, 13],
    [{ keepTokens: 1_000 }, 13],
    [{ keepTokens: 1_001 }, 12],
    [{ keepTokens: 4_000 }, 7],
    [{ keepTokens: 10_500 }, 3],
    [{ keepTokens: 14_001 }, 'notEnoughMessages/nothingToSummarize'],
    [{ keepTokens: -1 }, 'unknownMessage'],
  ];
  for (const [choice, cut] of upTo) {
    it(`up to ${JSON.stringify(choice)}: ${cut}`, () => assert.equal(cutOf({ kind: 'partialUpTo', ...choice }), cut));
  }

  for (const [position, cut] of [
    [4, 5],
    [8, 11],
    [6, 6],
    [0, 'notEnoughMessages/nothingKept'],
    [14, 'notEnoughMessages/nothingToSummarize'],
  ] as const) {
    it(`from position ${position}: ${cut}`, () => assert.equal(cutOf({ kind: 'partialFrom', position }), cut));
  }

  property(
    'keeps at least the turns and the tokens that were asked for, at a place where nothing moves any more',
    fc.tuple(fc.oneof(validConversation, anyConversation), fc.nat(6), fc.nat(20_000)),
    ([messages, keepTurns, keepTokens]) => {
      const input = inputOf(messages);
      for (const choice of [{ keepTurns }, { keepTokens }]) {
        const plan = planCompaction({ kind: 'partialUpTo', ...choice }, input);
        if (plan.outcome !== 'plan') continue;
        assert.equal(plan.requestedCut, plan.cut);
        const kept = messages.slice(plan.cut);
        if ('keepTurns' in choice) assert.ok(kept.filter(isTurnStart).length >= keepTurns);
        else assert.ok(kept.length * 1000 >= keepTokens);
      }
    },
  );
});

describe('the cuts beside a cut', () => {
  function neighbours(request: PlanRequest, input: PlanInput = inputOf(SESSION)): readonly (number | undefined)[] {
    const plan = planCompaction(request, input);
    assert.ok(plan.outcome === 'plan');
    const { previous, next } = neighbourCuts(plan, request, input);
    return [previous, plan.cut, next];
  }

  it('jump over pairs and responses', () => {
    assert.deepEqual(neighbours({ kind: 'partialUpTo', position: 6 }), [5, 6, 7]);
    assert.deepEqual(neighbours({ kind: 'partialUpTo', position: 7 }), [6, 7, 11]);
    assert.deepEqual(neighbours({ kind: 'partialUpTo', position: 4 }), [2, 3, 5]);
    assert.deepEqual(neighbours({ kind: 'partialFrom', position: 8 }), [7, 11, 12]);
  });
  it('are none at the ends', () => {
    assert.deepEqual(neighbours({ kind: 'partialUpTo', position: 1 }), [undefined, 1, 2]);
    assert.deepEqual(neighbours({ kind: 'partialUpTo', position: 13 }), [12, 13, undefined]);
    assert.deepEqual(neighbours({ kind: 'partialFrom', position: 13 }), [12, 13, undefined]);
  });
  it('of a full compaction are cuts of one up to a message', () =>
    assert.deepEqual(neighbours({ kind: 'full', keepMessages: 2 }), [11, 12, 13]));
  it('leave out cuts whose summarized side is all pinned, or waits for a result', () => {
    assert.deepEqual(neighbours({ kind: 'partialUpTo', position: 2, pinned: ['m0'] }), [undefined, 2, 3]);
    const open = [...SESSION, call('t9', 'Bash', {}, { id: 'm14', messageId: 'o' }), text('user', 'wait', { id: 'm15' })];
    assert.deepEqual(neighbours({ kind: 'partialUpTo', position: 14 }, inputOf(open)), [13, 14, undefined]);
  });

  property(
    'are the nearest places that give another plan, and give exactly themselves',
    fc.tuple(fc.oneof(validConversation, anyConversation), fc.nat(60), fc.boolean(), fc.nat(60)),
    ([messages, place, isFrom, pin]) => {
      const input = inputOf(messages);
      const pins = pin < messages.length ? { pinned: [messages[pin]?.id ?? ''] } : {};
      const kind = isFrom ? 'partialFrom' : 'partialUpTo';
      const at = (position: number): CompactionPlan | undefined => {
        const plan = planCompaction({ kind, position, ...pins }, input);
        return plan.outcome === 'plan' ? plan : undefined;
      };
      const plan = at(place % Math.max(1, messages.length));
      fc.pre(plan !== undefined);
      const cuts = new Set(Array.from({ length: messages.length + 1 }, (_, position) => at(position)?.cut));
      const beside = [...cuts].filter((cut) => cut !== undefined).toSorted((a, b) => a - b);
      const { previous, next } = neighbourCuts(plan, pins, input);
      assert.equal(
        previous,
        beside.findLast((cut) => cut < plan.cut),
      );
      assert.equal(
        next,
        beside.find((cut) => cut > plan.cut),
      );
    },
  );
});
