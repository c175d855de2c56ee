import assert from 'node:assert/strict';
import fc from 'fast-check';
import { forEachAnswer } from '../../src/core/cut/answers';
import { findViolations } from '../../src/core/cut/invariants';
import { cutMap, safeHeadEnd, safePartialHeadEnd, safeTailStart } from '../../src/core/cut/pairing';
import { groupByRound } from '../../src/core/cut/rounds';
import { firstIndexWithin, keptTailStart } from '../../src/core/cut/splitForKeep';
import { isToolResult, isToolUse, type Message, type ToolResultBlock } from '../../src/core/model/message';
import { anyConversation, validConversation } from '../support/arbitraries';
import { property } from '../support/property';

type Adjuster = (messages: readonly Message[], index: number) => number;
const ADJUSTERS: readonly (readonly [string, Adjuster, 'tailStart' | 'headEnd' | 'partialHeadEnd'])[] = [
  ['tail start', safeTailStart, 'tailStart'],
  ['head end', safeHeadEnd, 'headEnd'],
  ['partial head end', safePartialHeadEnd, 'partialHeadEnd'],
];
const index = fc.oneof(fc.integer({ min: -3, max: 60 }), fc.constantFrom(NaN, Infinity, -Infinity));
const either = fc.oneof(validConversation, anyConversation);

describe('cuts', () => {
  for (const [name, adjust, method] of ADJUSTERS) {
    property(`P06: the ${name} is in range, settles at once and keeps the order of indexes`, fc.tuple(either, index), ([messages, at]) => {
      const once = adjust(messages, at);
      assert.ok(Number.isInteger(once) && once >= 0 && once <= messages.length);
      assert.equal(adjust(messages, once), once);
      const map = cutMap(messages);
      assert.equal(map[method](at), once);
      let before = 0;
      for (let i = 0; i <= messages.length; i++) {
        const cut = map[method](i);
        assert.ok(cut >= before, `${i}`);
        before = cut;
      }
    });
  }

  property(
    'P01, P05: on a valid conversation a kept tail is whole and as short as can be',
    fc.tuple(validConversation, index),
    ([messages, at]) => {
      const cut = safeTailStart(messages, at);
      assert.deepEqual(findViolations(messages.slice(cut), messages), []);
      assert.equal(cut, slowTailStart(messages, at));
    },
  );

  property(
    'P01: on a valid conversation a kept head is whole and as short as can be',
    fc.tuple(validConversation, index),
    ([messages, at]) => {
      const cut = safePartialHeadEnd(messages, at);
      assert.deepEqual(findViolations(messages.slice(0, cut), messages), []);
      assert.equal(cut, slowHeadEnd(messages, at));
      assert.ok(safeHeadEnd(messages, at) <= cut);
      assert.ok(!findViolations(messages.slice(0, safeHeadEnd(messages, at)), messages).some(({ kind }) => kind === 'missingResult'));
    },
  );

  property('every result is told its call, as a table of all ids tells it', either, (messages) => {
    const told = new Map<ToolResultBlock, ReadonlySet<number | undefined>>();
    forEachAnswer(messages, (block, at, call) => {
      assert.ok(messages[at]?.content.includes(block));
      told.set(block, new Set([...(told.get(block) ?? []), call?.index]));
    });
    const expected = new Map([...slowAnswers(messages)].map(([block, call]) => [block, new Set([call])]));
    assert.deepEqual(told, expected);
  });

  property('P09: rounds are the list, and tear no pair and no response', either, (messages) => {
    const rounds = groupByRound(messages);
    assert.deepEqual(rounds.flat(), messages);
    assert.ok(rounds.every((round) => round.length > 0));
    const place = new Map(rounds.flatMap((round, number) => round.map((message) => [message, number] as const)));
    const responses = new Map<string, number>();
    forEachAnswer(messages, (_, at, call) => {
      if (call !== undefined) assert.equal(roundOf(place, messages[at]), roundOf(place, messages[call.index]));
    });
    for (const message of messages) {
      if (message.role !== 'assistant' || message.messageId === undefined || message.messageId === '') continue;
      const first = responses.get(message.messageId) ?? roundOf(place, message);
      responses.set(message.messageId, first);
      assert.equal(roundOf(place, message), first);
    }
  });

  property('P03: no question changes the list', fc.tuple(either, index), ([messages, at]) => {
    const copy = structuredClone(messages);
    safeTailStart(messages, at);
    safePartialHeadEnd(messages, at);
    keptTailStart(messages, 10, () => 1);
    findViolations(messages);
    assert.deepEqual(messages, copy);
  });

  property(
    'P01, P05: whatever the messages, a tail opens on no result and loses no earlier call',
    fc.tuple(anyConversation, index),
    ([messages, at]) => {
      const cut = safeTailStart(messages, at);
      if (cut === 0 || cut === messages.length) return;
      assert.ok(!(messages[cut]?.content.some((block) => isToolResult(block) && block.server !== true) ?? false));
      const earlier = new Set(messages.slice(0, cut).flatMap(openCalls));
      const lost = findViolations(messages.slice(cut), messages).filter(({ kind, id }) => kind === 'orphanResult' && earlier.has(id));
      assert.deepEqual(lost, []);
    },
  );

  property(
    'a tail cut by a budget fits it, and one more place would not',
    fc.tuple(validConversation, fc.nat({ max: 60 })),
    ([messages, budget]) => {
      const start = keptTailStart(messages, budget, () => 1);
      if (messages.length <= budget) {
        assert.equal(start, messages.length);
        return;
      }
      assert.ok(messages.length - start <= budget);
      assert.ok(start === messages.length || safeTailStart(messages, start) === start);
      const map = cutMap(messages);
      for (let longer = Math.max(messages.length - budget, 0); longer < start; longer++) assert.notEqual(map.tailStart(longer), longer);
      assert.equal(
        firstIndexWithin(messages, budget, () => 1),
        start,
      );
    },
  );
});

function roundOf(place: ReadonlyMap<Message, number>, message: Message | undefined): number {
  return (message === undefined ? undefined : place.get(message)) ?? assert.fail('a message without a round');
}

/** Every result and the place of its call; what was called and not yet answered is found by looking at all that stands before. */
function slowAnswers(messages: readonly Message[]): ReadonlyMap<ToolResultBlock, number | undefined> {
  const answers = new Map<ToolResultBlock, number | undefined>();
  const calls: { readonly id: string; readonly index: number; isAnswered: boolean }[] = [];
  messages.forEach(({ content }, index) => {
    for (const block of content) {
      const last = calls.findLast(({ id }) => id === (isToolUse(block) ? block.id : isToolResult(block) ? block.toolUseId : undefined));
      if (isToolUse(block) && last?.isAnswered !== false) calls.push({ id: block.id, index, isAnswered: false });
      if (!isToolResult(block)) continue;
      if (last !== undefined) last.isAnswered = true;
      answers.set(block, last?.index);
    }
  });
  return answers;
}

/** Asks every place, from the wanted one back, whether the tail is whole there. */
function slowTailStart(messages: readonly Message[], at: number): number {
  for (let start = clampSlow(messages, at); start > 0; start--) {
    if (findViolations(messages.slice(start), messages).length === 0) return start;
  }
  return 0;
}

function slowHeadEnd(messages: readonly Message[], at: number): number {
  let end = clampSlow(messages, at);
  while (findViolations(messages.slice(0, end), messages).length > 0) end++;
  return end;
}

function clampSlow(messages: readonly Message[], at: number): number {
  if (Number.isNaN(at)) return 0;
  return Math.min(Math.max(at, 0), messages.length);
}

/** Ids of calls in a message; a later call may take an id over, which the search above allows for by asking only for lost ones. */
function openCalls(message: Message): readonly string[] {
  return message.content.filter(isToolUse).map((block) => block.id);
}
