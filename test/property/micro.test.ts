import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findViolations } from '../../src/core/cut/invariants';
import { isToolResult, type ContentBlock, type Message, type ToolOutcome } from '../../src/core/model/message';
import { planCacheEdits } from '../../src/core/micro/cacheEdits';
import { EMPTY_CACHE_EDITS } from '../../src/core/micro/cacheEditState';
import { CLEARED_TEXT } from '../../src/core/micro/compactableTools';
import { DEFAULT_MICROCOMPACT, type MicrocompactOptions } from '../../src/core/micro/config';
import { clearIdleToolResults } from '../../src/core/micro/timeBased';
import { anyConversation, anyId, anyText, validConversation } from '../support/arbitraries';
import { assistant, user } from '../support/messages';
import { clearingProperty, idleProperty, pairsProperty } from '../support/microProperties';
import { property } from '../support/property';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const TOOLS = ['Read', 'Bash', 'AskUser', 'Inspect', 'Run', 'ApplyPatch', '__proto__'] as const;
const OUTCOMES: readonly ToolOutcome[] = ['succeeded', 'failed', 'partial', 'denied', 'cancelled', 'timed_out'];

const pair: fc.Arbitrary<readonly Message[]> = fc
  .record({
    tool: fc.constantFrom(...TOOLS),
    own: fc.nat({ max: 200 }),
    shared: anyId,
    text: fc.oneof(anyText, fc.constant('long '.repeat(200)), fc.constant(CLEARED_TEXT)),
    outcome: fc.constantFrom(...OUTCOMES),
  })
  .map(({ tool, own, shared, text, outcome }) => {
    const id = own > 20 ? `c${own}` : shared;
    const result: ContentBlock = { type: 'toolResult', toolUseId: id, content: text, outcome };
    return [assistant([{ type: 'toolUse', id, name: tool, input: {} }]), user('', { content: [result, { type: 'text', text }] })];
  });

const pairs: fc.Arbitrary<readonly Message[]> = fc.array(pair, { maxLength: 12 }).map((list) => list.flat());
const conversation = fc.oneof(
  { weight: 3, arbitrary: pairs },
  { weight: 1, arbitrary: validConversation },
  { weight: 1, arbitrary: anyConversation },
);

const options: fc.Arbitrary<MicrocompactOptions> = fc
  .record({
    keepRecent: fc.constantFrom(-4, 0, 1, 2, 5, 100, NaN, Infinity),
    timeBased: fc.boolean(),
    source: fc.constantFrom<MicrocompactOptions['source']>('main', 'main', 'main', 'other', undefined),
    idleThresholdMs: fc.constantFrom(HOUR_MS, HOUR_MS, 0, -1, NaN, Infinity),
    lastActivity: fc.constantFrom(undefined, NOW - HOUR_MS, NOW - HOUR_MS + 1, NOW + HOUR_MS, NaN, 0),
    proofs: fc.boolean(),
  })
  .map(({ lastActivity, ...rest }) => ({ ...DEFAULT_MICROCOMPACT, ...rest, ...(lastActivity === undefined ? {} : { lastActivity }) }));

const idle: fc.Arbitrary<MicrocompactOptions> = fc
  .tuple(fc.constantFrom(0, 1, 2, 5), fc.boolean())
  .map(([keepRecent, proofs]) => ({ ...DEFAULT_MICROCOMPACT, keepRecent, proofs, source: 'main', lastActivity: NOW - HOUR_MS }));

describe('clearing old tool results by time', () => {
  property('P65: idempotent, oldest first, newest kept, nothing else touched', fc.tuple(conversation, idle), ([messages, chosen]) =>
    assert.equal(clearingProperty(messages, { ...chosen, proofs: false }, NOW), undefined),
  );

  property(
    'P65: idempotent with proofs too, and a proof is shorter than what it replaces',
    fc.tuple(conversation, idle),
    ([messages, chosen]) => {
      const withProofs = { ...chosen, proofs: true };
      const once = clearIdleToolResults(messages, withProofs, NOW);
      assert.equal(clearIdleToolResults(once.messages, withProofs, NOW).changed, false);
      const before = messages.flatMap(({ content }) => content.filter(isToolResult));
      const after = once.messages.flatMap(({ content }) => content.filter(isToolResult));
      after.forEach((result, at) => {
        const raw = before[at]?.content;
        if (result.content === raw || result.content === CLEARED_TEXT) return;
        assert.ok(typeof result.content === 'string' && typeof raw === 'string' && result.content.length < raw.length * 3);
        assert.ok(Buffer.byteLength(result.content) < Buffer.byteLength(raw));
      });
    },
  );

  property('P66: only for the main source, after a known idle time', fc.tuple(conversation, options), ([messages, chosen]) =>
    assert.equal(idleProperty(messages, chosen, NOW), undefined),
  );

  property('P01: no pair is torn', fc.tuple(conversation, options), ([messages, chosen]) =>
    assert.equal(pairsProperty(messages, chosen, NOW), undefined),
  );
});

describe('clearing in the provider’s cache', () => {
  const cached: fc.Arbitrary<MicrocompactOptions> = fc
    .tuple(fc.constantFrom(0, 1, 3), fc.constantFrom(0, 1, 2), fc.boolean())
    .map(([cacheTriggerCount, cacheKeepRecent, proofs]) => ({
      ...DEFAULT_MICROCOMPACT,
      source: 'main',
      cacheEdits: true,
      cacheTriggerCount,
      cacheKeepRecent,
      keepRecent: 2,
      proofs,
    }));

  property(
    'orders stay in their places, no id is deleted twice, no block of the history is lost',
    fc.tuple(conversation, conversation, cached),
    ([first, later, chosen]) => {
      const one = planCacheEdits(first, chosen, EMPTY_CACHE_EDITS);
      const same = planCacheEdits(first, chosen, one.state);
      const two = planCacheEdits([...first, ...later], chosen, one.state);
      assert.equal(same.result.changed, false);
      assert.deepEqual(same.result.messages, one.result.messages);
      if (
        two.result.messages.length > first.length &&
        !two.state.pinned.slice(one.state.pinned.length).some(({ messageIndex }) => messageIndex < first.length)
      ) {
        assert.deepEqual(two.result.messages.slice(0, first.length), one.result.messages);
      }
      const deleted = two.state.pinned.flatMap(({ block }) => block.edits.map((edit) => edit.cache_reference));
      assert.equal(new Set(deleted).size, deleted.length);
      assert.deepEqual(findViolations(two.result.messages), findViolations([...first, ...later]));
      [...first, ...later].forEach(({ content }, at) => {
        const shown = new Set(two.result.messages[at]?.content);
        assert.ok(content.every((block) => shown.has(block)));
      });
    },
  );
});
