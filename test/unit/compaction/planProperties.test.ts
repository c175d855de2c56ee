import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CompactionPlan, PlanRequest } from '../../../src/core/compaction/plan';
import { planCompaction } from '../../../src/core/compaction/strategies';
import type { ContentBlock, Message } from '../../../src/core/model/message';
import { property } from '../../support/property';
import { inputOf } from './planInputs';

/** Few ids, so that repeats and collisions happen; some are named like members of every object. */
const toolId = fc.constantFrom('t1', 't2', 't3', 't4', '__proto__', 'constructor', '');
const messageId = fc.constantFrom('r1', 'r2', 'r3', 'toString', '', undefined);
const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text): ContentBlock => ({ type: 'text', text })),
  toolId.map((id): ContentBlock => ({ type: 'toolUse', id, name: 'Read', input: {} })),
  toolId.map((toolUseId): ContentBlock => ({ type: 'toolResult', toolUseId, content: 'ok' })),
  fc.constant<ContentBlock>({ type: 'thinking', text: 'hm', signature: 'sig' }),
  fc.constant<ContentBlock>({ type: 'image' }),
);

/** Anything that a damaged or hostile file may hold. */
const randomMessage = fc.record({
  role: fc.constantFrom<Message['role']>('user', 'assistant', 'system', 'developer', 'tool'),
  kind: fc.constantFrom<Message['kind']>('message', 'message', 'message', 'summary', 'attachment', 'meta', 'apiError'),
  content: fc.array(block, { maxLength: 4 }),
  messageId,
});
type Draft = Omit<Message, 'id' | 'line' | 'messageId'> & { readonly messageId?: string | undefined };

/** One step of a well-formed session; `fragments` splits a response and lets results stand between its calls. */
const step = fc.record({
  kind: fc.constantFrom('ask', 'answer', 'tools', 'tools', 'interrupted', 'reminder', 'summary'),
  calls: fc.integer({ min: 1, max: 4 }),
  fragments: fc.boolean(),
  reversed: fc.boolean(),
});

function drafts(steps: readonly { kind: string; calls: number; fragments: boolean; reversed: boolean }[]): Draft[] {
  return steps.flatMap(({ kind, calls, fragments, reversed }, index): Draft[] => {
    const said = (role: Message['role'], more: Partial<Draft> = {}): Draft => ({
      role,
      kind: 'message',
      content: [{ type: 'text', text: `${kind} ${index}` }],
      ...more,
    });
    const ids = Array.from({ length: calls }, (_, number) => `t${index}-${number}`);
    const use = (id: string): ContentBlock => ({ type: 'toolUse', id, name: 'Read', input: {} });
    const answer = (id: string): Draft => said('user', { content: [{ type: 'toolResult', toolUseId: id, content: 'ok' }] });
    const reply = (content: ContentBlock[]): Draft => said('assistant', { content, messageId: `r${index}` });
    switch (kind) {
      case 'answer':
        return [said('assistant', { messageId: `r${index}` })];
      case 'tools':
        return fragments
          ? ids.flatMap((id) => [reply([use(id)]), answer(id)])
          : [reply(ids.map(use)), ...(reversed ? [...ids].reverse() : ids).map(answer)];
      case 'interrupted':
        return [reply(ids.map(use)), said('user')];
      case 'reminder':
        return [said('user', { kind: 'attachment' })];
      case 'summary':
        return [said('user', { kind: 'summary' })];
      default:
        return [said('user')];
    }
  });
}

function finish(list: readonly Draft[]): readonly Message[] {
  return list.map(({ messageId: shared, ...rest }, index) =>
    deepFreeze({ ...rest, id: `m${index}`, line: index + 1, ...(shared === undefined ? {} : { messageId: shared }) }),
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

const valid = fc.array(step, { maxLength: 40 }).map((steps) => finish(drafts(steps)));
const random = fc.array(randomMessage, { maxLength: 40 }).map((list) => finish(list));
const wish = fc.record({ kind: fc.constantFrom('full', 'partialUpTo', 'partialFrom'), place: fc.nat(60) });

/** A request that fits the conversation: most of them can be planned. */
function requestFor({ kind, place }: { readonly kind: PlanRequest['kind']; readonly place: number }, count: number): PlanRequest {
  const index = place % Math.max(1, count);
  return kind === 'full' ? { kind, keepMessages: index + 1 } : { kind, pivotId: `m${index}` };
}

/** A rule that holds for each plan; conversations that cannot be cut as wanted do not count as runs. */
function rule(
  name: string,
  conversations: fc.Arbitrary<readonly Message[]>,
  holds: (plan: CompactionPlan, messages: readonly Message[]) => void,
): void {
  property(name, fc.tuple(conversations, wish), ([messages, wanted]) => {
    const outcome = planCompaction(requestFor(wanted, messages.length), inputOf(messages));
    fc.pre(outcome.outcome === 'plan');
    holds(outcome, messages);
  });
}

function usesOf(message: Message): readonly string[] {
  return message.content.flatMap((part) => (part.type === 'toolUse' ? part.id : []));
}

function resultsOf(message: Message): readonly string[] {
  return message.content.flatMap((part) => (part.type === 'toolResult' ? part.toolUseId : []));
}

describe('every plan', () => {
  const any = fc.oneof(valid, random);

  rule('puts each message on exactly one side (P02), in order (P03)', any, (plan, messages) => {
    // Instructions that begin a chat stay first, whatever is summarized.
    const end = messages.findIndex((message) => !isInstruction(message));
    const instructions = plan.kept.filter((index) => index < (end === -1 ? messages.length : end));
    const rest = plan.kept.slice(instructions.length);
    const [first, second] = plan.order === 'summaryFirst' ? [plan.summarized, rest] : [rest, plan.summarized];
    assert.deepEqual(
      [...instructions, ...first, ...second],
      messages.map((_, index) => index),
    );
    assert.ok(rest.length > 0 && plan.summarized.length > 0);
    assert.equal(plan.order, plan.kind === 'partialFrom' ? 'keptFirst' : 'summaryFirst');
    assert.equal(plan.cut, instructions.length + first.length);
  });

  rule('adds its tokens up', any, (plan) => {
    assert.equal(plan.tokensBefore, plan.tokensKept + plan.tokensSummarized);
    assert.equal(plan.tokensKept, plan.kept.length * 1000);
  });

  rule('keeps calls and results together (P01)', valid, (plan, messages) => {
    const kept = new Set(plan.kept);
    for (const [index, message] of messages.entries()) {
      for (const id of usesOf(message)) {
        messages.forEach((other, at) => {
          if (resultsOf(other).includes(id)) assert.equal(kept.has(at), kept.has(index), `call ${id} at ${index}, result at ${at}`);
        });
      }
    }
  });

  rule('keeps fragments of one response together (R02)', any, (plan, messages) => {
    const sides = new Map<string, boolean>();
    const kept = new Set(plan.kept);
    messages.forEach((message, index) => {
      if (message.role !== 'assistant' || message.messageId === undefined || message.messageId === '') return;
      const side = sides.get(message.messageId);
      if (side === undefined) sides.set(message.messageId, kept.has(index));
      else assert.equal(kept.has(index), side, `response ${message.messageId} is torn at ${index}`);
    });
  });

  rule('never lets a kept tail open on a result (P05)', any, (plan, messages) => {
    if (plan.order === 'keptFirst') return;
    const opening = messages[plan.kept[0] ?? -1];
    assert.ok(opening !== undefined);
    assert.deepEqual(resultsOf(opening), []);
  });

  rule('leaves a call that waits for its result alone (P07)', any, (plan, messages) => {
    const last = messages.findLastIndex(({ role, kind }) => role === 'assistant' && kind === 'message');
    const message = messages[last];
    if (message === undefined || !plan.summarized.includes(last)) return;
    const answered = new Set(messages.slice(last).flatMap(resultsOf));
    for (const id of usesOf(message)) assert.ok(answered.has(id), `the call ${id} at ${last} still waits`);
  });

  rule('moves the cut only as far as it must, and to the right side', valid, (plan) => {
    if (plan.kind === 'partialFrom') assert.ok(plan.cut >= plan.requestedCut);
    else assert.ok(plan.cut <= plan.requestedCut);
  });

  rule('is the same when it is made again', any, (plan, messages) => {
    const again: PlanRequest =
      plan.kind === 'full'
        ? { kind: 'full', keepMessages: messages.length - plan.requestedCut }
        : { kind: plan.kind, pivotId: `m${plan.requestedCut}` };
    assert.deepEqual(planCompaction(again, inputOf(messages)), plan);
  });
});

function isInstruction(message: Message): boolean {
  const isSystem = message.role === 'system' || message.role === 'developer';
  return isSystem && message.kind === 'message' && message.content.every((block) => block.type === 'text');
}
