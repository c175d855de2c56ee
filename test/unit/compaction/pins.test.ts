import assert from 'node:assert/strict';
import fc from 'fast-check';
import { planMicro } from '../../../src/core/compaction/microPlan';
import type { CompactionPlan, PlanRefusal, PlanRequest } from '../../../src/core/compaction/plan';
import { contextMessages } from '../../../src/core/compaction/planInput';
import { planCompaction } from '../../../src/core/compaction/strategies';
import { findViolations } from '../../../src/core/cut/invariants';
import type { Message } from '../../../src/core/model/message';
import { validConversation } from '../../support/arbitraries';
import { property } from '../../support/property';
import { call, result, text } from '../../support/transcripts';
import { inputOf, tokensOf } from './planInputs';

/** 0 user, 1 text, 2 call t1 and 4 call t2 of one response, 3 and 5 their results, 6 user, 7 text, 8 user, 9 text. */
const MESSAGES: readonly Message[] = [
  text('user', 'go', { id: 'u0' }),
  text('assistant', 'well', { id: 'a1', messageId: 'r0' }),
  call('t1', 'Read', {}, { id: 'a2', messageId: 'r1' }),
  result('t1', 'ok', { id: 'u3' }),
  call('t2', 'Read', {}, { id: 'a4', messageId: 'r1' }),
  result('t2', 'ok', { id: 'u5' }),
  text('user', 'and now', { id: 'u6' }),
  text('assistant', 'done', { id: 'a7', messageId: 'r2' }),
  text('user', 'more', { id: 'u8' }),
  text('assistant', 'done too', { id: 'a9', messageId: 'r3' }),
];

function outcome(request: PlanRequest): string {
  const plan: CompactionPlan | PlanRefusal = planCompaction(request, inputOf(MESSAGES));
  if (plan.outcome === 'refusal') return `${plan.code}/${plan.detail ?? ''}`;
  return `${plan.summarized.join(' ')} | ${plan.kept.join(' ')}`;
}

describe('pinned messages', () => {
  const full = (pinned: readonly string[]): PlanRequest => ({ kind: 'full', keepMessages: 2, pinned });
  const table: readonly (readonly [string, PlanRequest, string])[] = [
    ['of none', full([]), '0 1 2 3 4 5 6 7 | 8 9'],
    ['stay', full(['u0', 'u6']), '1 2 3 4 5 7 | 0 6 8 9'],
    ['that are kept anyway change nothing', full(['a9']), '0 1 2 3 4 5 6 7 | 8 9'],
    ['named by index or by the provider’s id', full(['0', 'r2']), '1 2 3 4 5 6 | 0 7 8 9'],
    ['with a result keep its call and all of the response', full(['u5']), '0 1 6 7 | 2 3 4 5 8 9'],
    ['with a fragment keep the others and their results', full(['a2']), '0 1 6 7 | 2 3 4 5 8 9'],
    ['named by a call', full(['t1']), '0 1 6 7 | 2 3 4 5 8 9'],
    ['twice are once', full(['u0', 'u0']), '1 2 3 4 5 6 7 | 0 8 9'],
    ['for a partial compaction up to a message', { kind: 'partialUpTo', pivotId: 'u6', pinned: ['u0'] }, '1 2 3 4 5 | 0 6 7 8 9'],
    ['for one from a message', { kind: 'partialFrom', pivotId: 'u6', pinned: ['u8'] }, '6 7 9 | 0 1 2 3 4 5 8'],
    ['that nobody knows', full(['nobody']), 'unknownMessage/'],
    ['that are all there is', { kind: 'partialUpTo', pivotId: 'a1', pinned: ['u0'] }, 'notEnoughMessages/allPinned'],
  ];
  for (const [name, request, expected] of table) it(name, () => assert.equal(outcome(request), expected));

  it('that are not in the context any more are refused with the reason', () => {
    const plan = planCompaction(full(['u0']), inputOf(MESSAGES, { context: [1, 2, 3, 4, 5, 6, 7, 8, 9] }));
    assert.deepEqual(plan, { outcome: 'refusal', code: 'unknownMessage', detail: 'notInContext' });
  });

  it('keep an earlier summary alone from being summarized again', () => {
    const messages = [text('user', 'old', { id: 's', kind: 'summary' }), ...MESSAGES.slice(6)];
    assert.deepEqual(planCompaction(full(['u6', 'a7']), inputOf(messages)), { outcome: 'refusal', code: 'nothingToDo' });
  });

  it('keep their results when others are cleared', () => {
    const long = 'x'.repeat(4_000);
    const messages = MESSAGES.map((message) =>
      message.id === 'u3' ? result('t1', long, { id: 'u3' }) : message.id === 'u5' ? result('t2', long, { id: 'u5' }) : message,
    );
    const micro = (pinned: readonly string[]) =>
      planMicro({ keepResults: 1, toolUseIds: ['t1'], pinned }, inputOf(messages, { each: 2_000 }), tokensOf);
    assert.equal(micro([]).outcome, 'plan');
    assert.equal(micro(['u3']).outcome, 'refusal');
  });

  property(
    'are in every plan, nothing is in two places or in none, and no pair or response is torn',
    fc.tuple(validConversation, fc.array(fc.nat(), { maxLength: 4 }), fc.nat(), fc.constantFrom('full', 'upTo', 'from')),
    ([messages, picks, place, kind]) => {
      if (messages.length < 2) return;
      const named = messages.map((message, index) => ({ ...message, id: `m${index}` }));
      const pinned = picks.map((pick) => `m${pick % named.length}`);
      const pivotId = `m${place % named.length}`;
      const request: PlanRequest =
        kind === 'full'
          ? { kind, keepMessages: 1 + (place % named.length), pinned }
          : { kind: kind === 'upTo' ? 'partialUpTo' : 'partialFrom', pivotId, pinned };
      const input = inputOf(named);
      const plan = planCompaction(request, input);
      if (plan.outcome === 'refusal') return;
      const kept = new Set(plan.kept);
      for (const id of pinned) assert.ok(kept.has(Number(id.slice(1))), id);
      assert.deepEqual(
        [...plan.kept, ...plan.summarized].sort((a, b) => a - b),
        input.context,
      );
      const view = plan.kept.flatMap((index) => named[index] ?? []);
      const source = contextMessages(input);
      const torn = findViolations(view, source).filter(
        ({ kind: violation }) => violation === 'tornResponse' || violation === 'missingResult',
      );
      assert.deepEqual(torn, []);
    },
  );
});
