import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toolResultText, type Message, type ToolResultBlock } from '../../src/core/model/message';
import { admitBatch, decide } from '../../src/core/projection/admission';
import { projectToolResults } from '../../src/core/projection/apply';
import type { Admission } from '../../src/core/projection/types';
import { EMPTY_REPLACEMENTS } from '../../src/core/toolResults/replacementState';
import { utf8Length } from '../../src/core/util/text';
import { anyConversation, anyText } from '../support/arbitraries';
import { conversationOf, COLD, inspectResult, runResult, type Step } from '../support/inspections';
import { property } from '../support/property';
import { DECISION_NAMES } from '../support/seed2Projection';

const MOSTLY = 12;
const tokens = fc.oneof({ weight: MOSTLY, arbitrary: fc.nat({ max: 120_000 }) }, fc.constantFrom(0, 1, 2000, 90_000, 100_000));
const broken = fc.constantFrom(-1, NaN, Infinity, -Infinity, 0.5);
const odd = fc.oneof({ weight: MOSTLY, arbitrary: tokens }, broken);
const unsure = fc.oneof({ weight: MOSTLY, arbitrary: tokens }, fc.constant(undefined), broken);
const price = fc.oneof(fc.double({ min: 0, max: 50, noNaN: true }), fc.constantFrom(0, 0.5, 5));
const mostlyTrue = fc.oneof({ weight: MOSTLY, arbitrary: fc.constant(true) }, fc.constant(false));
// A cache read costs no more than the same tokens anew, as every provider has it.
const prices = fc
  .tuple(price, price)
  .map(([one, other]) => ({ inputPerMtok: Math.max(one, other), cacheReadPerMtok: Math.min(one, other) }));

/** Mostly such that something is admitted. */
const admission: fc.Arbitrary<Admission> = fc
  .record({
    pressure: fc.boolean(),
    benefitTrigger: fc.boolean(),
    shadow: mostlyTrue.map((value) => !value),
    enabled: mostlyTrue,
    rawRequestTokens: unsure,
    previousCacheReadTokens: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, unsure),
    autoCompactThreshold: odd,
    pricing: fc.oneof({ weight: MOSTLY, arbitrary: prices }, fc.constant(undefined)),
    minTokenSavings: fc.oneof(fc.nat({ max: 4000 }), fc.constantFrom(-1, 0, 1)),
    benefitMinTokenSavings: fc.oneof(fc.nat({ max: 6000 }), fc.constantFrom(-1, 0)),
    reuseHorizon: fc.integer({ min: -1, max: 5 }),
    cacheRecoveryRequests: fc.integer({ min: -1, max: 5 }),
    imminentCompactResetsCache: fc.boolean(),
    requireConsumedMutation: mostlyTrue.map((value) => !value),
    minNetSavingsUsd: fc.constantFrom(-1, 0, 0, 0, 0.01, 1),
    remainingTools: fc.oneof({ weight: MOSTLY, arbitrary: fc.integer({ min: 1, max: 24 }) }, fc.constantFrom(-1, 0)),
    remainingProjectedTokens: fc.oneof(fc.nat({ max: 3000 }), fc.constantFrom(-1, 48_000, 48_000)),
  })
  .map((values) => ({ ...COLD, ...values, allowsTool: () => true }));
/** Tokens of a batch, which has to fit into what the session has left. */
const batchTokens = fc.oneof({ weight: MOSTLY, arbitrary: fc.nat({ max: 1500 }) }, broken);

/** Half of them with nothing in the way but triggers and limits. */
const generous = admission.map(({ pressure, benefitTrigger, requireConsumedMutation, remainingTools, remainingProjectedTokens }) => {
  const switches = { pressure, benefitTrigger, requireConsumedMutation, remainingTools, remainingProjectedTokens };
  return { ...COLD, ...switches, minTokenSavings: 1, allowsTool: () => true };
});
const either = fc.oneof(admission, generous);

/** How often something was projected, so that a generator that gives nothing to project is noticed. */
let projections = 0;

describe('progressive projection', () => {
  property(
    'P67: nothing is admitted on unknown numbers, below the least saving or over the budget, and only an admission changes something',
    fc.tuple(admission, odd, odd, batchTokens),
    ([asked, tokensSaved, stablePrefixTokens, projectedTokens]) => {
      const { decision, evaluation } = admitBatch(asked, { tokensSaved, stablePrefixTokens }, projectedTokens);
      assert.ok(Object.hasOwn(DECISION_NAMES, decision.reason));
      assert.equal(decision.admit, decision.reason === 'avoidsCompact' || decision.reason === 'netSavings');
      for (const value of Object.values(evaluation ?? {}))
        assert.ok(typeof value !== 'number' || Number.isFinite(value) || !decision.admit);
      if (!decision.admit) return;
      assert.ok(asked.enabled && !asked.shadow && asked.pricing !== undefined && asked.pricing.inputPerMtok > 0);
      assert.ok(asked.rawRequestTokens !== undefined && asked.rawRequestTokens > 0 && asked.previousCacheReadTokens !== undefined);
      const early = asked.benefitTrigger && asked.benefitMinTokenSavings > 0;
      assert.ok(tokensSaved >= Math.max(early ? asked.benefitMinTokenSavings : asked.minTokenSavings, 1));
      assert.ok(projectedTokens <= asked.remainingProjectedTokens);
      assert.ok((evaluation?.netSavingsUsd ?? -1) >= Math.max(asked.minNetSavingsUsd, 0));
    },
  );

  property(
    'P67: who is admitted stays so with more tokens saved, or with fewer cached tokens lost',
    fc.tuple(admission, tokens, tokens, tokens, tokens),
    ([asked, saved, more, prefix, longer]) => {
      const raw = asked.rawRequestTokens ?? 0;
      // What is stable comes before the first change, so it is part of the projected request too.
      const stable = Math.min(prefix, Math.max(raw - saved - more, 0));
      const stabler = Math.min(prefix + longer, Math.max(raw - saved - more, 0));
      if (!decide(asked, { tokensSaved: saved, stablePrefixTokens: stable }).decision.admit) return;
      assert.ok(decide(asked, { tokensSaved: saved + more, stablePrefixTokens: stable }).decision.admit);
      assert.ok(decide(asked, { tokensSaved: saved, stablePrefixTokens: Math.max(stable, stabler) }).decision.admit);
    },
  );

  property(
    'P68: only safe and consumed results change, each into its shorter record',
    fc.tuple(conversations(), either),
    ([steps, asked]) => {
      const isOpen = steps.length % 7 === 0;
      checkView(conversationOf(steps, isOpen), asked);
    },
  );

  property('P68: no conversation throws or loses more than its records say', fc.tuple(anyConversation, admission), ([messages, asked]) => {
    checkView(messages, asked);
  });

  it('projected something in at least 100 of these', () => assert.ok(projections >= 100, `only ${projections}`));

  property(
    'P61, P68: a frozen text never changes, and a second look at the view adds nothing to it',
    fc.tuple(conversations(), either),
    ([steps, asked]) => {
      const messages = conversationOf(steps);
      const first = projectToolResults(messages, EMPTY_REPLACEMENTS, asked);
      const second = projectToolResults(first.messages, first.state, asked);
      for (const [id, text] of first.state.replacements) {
        assert.equal(second.state.replacements.get(id), text);
        assert.equal(textsOf(second.messages).get(id), text);
      }
    },
  );
});

function conversations(): fc.Arbitrary<readonly Step[]> {
  const other = fc.constantFrom('run', 'patch', 'patch', 'failed', 'media', 'odd');
  const kind = fc.oneof({ weight: 2, arbitrary: fc.constant('inspect') }, other);
  const step = fc.tuple(kind, fc.constantFrom(0, 300, 1500, 2500), anyText);
  return fc
    .array(step, { minLength: 2, maxLength: 9 })
    .map((steps) => steps.map(([name, words, text], index) => stepOf(name, words, text, `t${index}`)));
}

function stepOf(kind: string, words: number, text: string, id: string): Step {
  const inspect = inspectResult(id, words);
  if (kind === 'run') return { name: 'Run', result: runResult(id, words) };
  if (kind === 'patch')
    return { name: 'ApplyPatch', result: { type: 'toolResult', toolUseId: id, content: text.repeat(99), outcome: 'succeeded' } };
  if (kind === 'failed') return { name: 'Inspect', result: { ...inspect, isError: true } };
  if (kind === 'media')
    return { name: 'Inspect', result: { ...inspect, content: [{ type: 'text', text: toolResultText(inspect) }, { type: 'image' }] } };
  if (kind === 'odd')
    return {
      name: 'Inspect',
      result: { ...inspect, content: JSON.stringify({ evidence: [{ path: text, chunks: [{ content: text.repeat(400) }] }] }) },
    };
  return { name: 'Inspect', result: inspect };
}

function checkView(messages: readonly Message[], asked: Admission): void {
  const before = structuredClone(messages);
  const result = projectToolResults(messages, EMPTY_REPLACEMENTS, asked);
  assert.deepEqual(messages, before);
  assert.equal(result.changed, result.decision.admit);
  assert.equal(result.changed, result.records.length > 0);
  if (!result.changed) {
    assert.equal(result.messages, messages);
    assert.equal(result.state, EMPTY_REPLACEMENTS);
    return;
  }
  projections++;
  const records = new Map(result.records.map(({ toolUseId, replacement }) => [toolUseId, replacement]));
  const lastResponse = messages.findLastIndex(({ role }) => role === 'assistant');
  let changed = 0;
  assert.equal(result.messages.length, messages.length);
  result.messages.forEach((message, index) => {
    message.content.forEach((block, at) => {
      const old = messages[index]?.content[at];
      if (block === old) return;
      changed++;
      assert.ok(block.type === 'toolResult' && old?.type === 'toolResult');
      checkChange(old, block, records.get(block.toolUseId));
      assert.ok(index < lastResponse);
    });
  });
  assert.equal(changed, records.size);
  assert.ok(result.size.projectedTokens <= asked.remainingProjectedTokens && result.records.length <= asked.remainingTools);
}

function checkChange(old: ToolResultBlock, block: ToolResultBlock, replacement: string | undefined): void {
  assert.equal(toolResultText(block), replacement);
  assert.ok(utf8Length(toolResultText(block)) < utf8Length(toolResultText(old)));
  assert.ok(old.isError !== true && (old.outcome === 'succeeded' || old.outcome === 'partial'));
  assert.ok(typeof old.content === 'string' || !old.content.some(({ type }) => type === 'image' || type === 'document'));
}

function textsOf(messages: readonly Message[]): ReadonlyMap<string, string> {
  return new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'toolResult' ? [[block.toolUseId, toolResultText(block)]] : [])),
    ),
  );
}
