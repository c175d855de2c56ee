import assert from 'node:assert/strict';
import { toolResultText, type Message, type ToolResultBlock } from '../../../src/core/model/message';
import { projectToolResults } from '../../../src/core/projection/apply';
import { normalizeProjection } from '../../../src/core/projection/config';
import { pendingProjection } from '../../../src/core/projection/pending';
import { projectionGates } from '../../../src/core/projection/rollout';
import { projectionBudgetLeft, projectionBudgetUsed } from '../../../src/core/projection/sessionBudget';
import { isProjectionHalted, settleProjection } from '../../../src/core/projection/settle';
import { EMPTY_REPLACEMENTS } from '../../../src/core/toolResults/replacementState';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { conversationOf, COLD, inspectResult, runResult, type Step } from '../../support/inspections';

const inspects = (count: number, words = 4000): readonly Step[] =>
  Array.from({ length: count }, (_, index) => ({ name: 'Inspect', result: inspectResult(`i${index}`, words) }));
const PATCH: ToolResultBlock = { type: 'toolResult', toolUseId: 'p', content: 'applied', outcome: 'succeeded' };
const PRESSURE = { ...COLD, pressure: true };
const idsOf = (result: ReturnType<typeof projectToolResults>): readonly string[] => result.records.map(({ toolUseId }) => toolUseId);

describe('projection', () => {
  it('shows the recorded texts, freezes them, and leaves the rest and the input alone', () => {
    const messages = conversationOf([...inspects(4), { name: 'ApplyPatch', result: PATCH }]);
    const before = structuredClone(messages);
    const result = projectToolResults(messages, EMPTY_REPLACEMENTS, COLD);
    assert.deepEqual(result.decision, { admit: true, reason: 'netSavings' });
    assert.deepEqual(idsOf(result), ['i0', 'i1']);
    assert.deepEqual(messages, before);
    assert.equal(EMPTY_REPLACEMENTS.replacements.size, 0);
    const texts = textsOf(result.messages);
    for (const { toolUseId, replacement } of result.records) {
      assert.equal(texts.get(toolUseId), replacement);
      assert.equal(result.state.replacements.get(toolUseId), replacement);
    }
    assert.equal(texts.get('i3'), textsOf(messages).get('i3'));
    assert.equal(result.messages[0], messages[0]);
  });

  it('needs a patch that succeeded where there is no pressure', () => {
    const failed = { ...PATCH, outcome: 'failed' as const };
    for (const steps of [inspects(4), [...inspects(4), { name: 'ApplyPatch', result: failed }]]) {
      assert.deepEqual(projectToolResults(conversationOf(steps), EMPTY_REPLACEMENTS, COLD).decision, { admit: false, reason: 'disabled' });
    }
    const unseen = conversationOf([...inspects(4), { name: 'ApplyPatch', result: PATCH }], true);
    assert.equal(projectToolResults(unseen, EMPTY_REPLACEMENTS, COLD).changed, false);
  });

  it('keeps two runs and the latest patch after a patch', () => {
    const admission = { ...COLD, minTokenSavings: 1, allowsTool: () => true };
    const long = { ...PATCH, content: 'applied '.repeat(500) };
    const steps = [
      ...['r0', 'r1', 'r2'].map((id) => ({ name: 'Run', result: runResult(id, 4000) })),
      { name: 'ApplyPatch', result: { ...long, toolUseId: 'p0' } },
      { name: 'ApplyPatch', result: { ...long, toolUseId: 'p1' } },
      { name: 'ApplyPatch', result: long },
    ];
    assert.deepEqual(idsOf(projectToolResults(conversationOf(steps), EMPTY_REPLACEMENTS, admission)), ['r0', 'p0']);
  });

  it('takes the fewest oldest results that pay under pressure', () => {
    const result = projectToolResults(conversationOf(inspects(5)), EMPTY_REPLACEMENTS, PRESSURE);
    assert.deepEqual(idsOf(result), ['i0']);
    const more = projectToolResults(conversationOf(inspects(5)), result.state, PRESSURE);
    assert.equal(more.trigger, 'workingSetPressureTopUp');
    assert.deepEqual(idsOf(more), ['i1']);
  });

  it('makes indexes of rewrites where rewrites save too little', () => {
    const messages = conversationOf(inspects(3, 300));
    const { size: rewrites } = projectToolResults(messages, EMPTY_REPLACEMENTS, { ...PRESSURE, minTokenSavings: 1 });
    assert.equal(rewrites.indexedTools, 0);
    const { size } = projectToolResults(messages, EMPTY_REPLACEMENTS, { ...PRESSURE, minTokenSavings: 1_000_000 });
    assert.equal(size.indexedTools, 2);
    const result = projectToolResults(messages, EMPTY_REPLACEMENTS, { ...PRESSURE, minTokenSavings: size.tokensSaved });
    assert.ok(result.changed && result.size.indexedTools === 2);
    assert.ok(result.records.every(({ replacement }) => replacement.startsWith('{"schema":"progressive-inspect-index/v1"')));
  });

  it('projects early once, newest first, behind what is stable in the cache', () => {
    const admission = { ...COLD, benefitTrigger: true, previousCacheReadTokens: 50_000 };
    const messages = conversationOf(inspects(3));
    assert.equal(projectToolResults(messages, EMPTY_REPLACEMENTS, admission).changed, false);
    const seen: string[] = [];
    const stablePrefixTokens = (messageIndex: number, toolUseId: string): number => {
      seen.push(`${messageIndex} ${toolUseId}`);
      return toolUseId === 'i2' ? 50_000 : 0;
    };
    const result = projectToolResults(messages, EMPTY_REPLACEMENTS, { ...admission, stablePrefixTokens });
    assert.deepEqual([idsOf(result), result.trigger], [['i2'], 'benefitThreshold']);
    assert.ok(seen.includes('6 i2'));
    assert.equal(projectToolResults(messages, result.state, { ...admission, stablePrefixTokens }).changed, false);
  });

  it('tries the early projection before the pressure', () => {
    const both = { ...PRESSURE, benefitTrigger: true };
    const messages = conversationOf(inspects(3));
    assert.equal(projectToolResults(messages, EMPTY_REPLACEMENTS, both).trigger, 'benefitThreshold');
    const kept = projectToolResults(messages, EMPTY_REPLACEMENTS, { ...both, benefitMinTokenSavings: 1_000_000 });
    assert.deepEqual([kept.trigger, idsOf(kept)], ['workingSetPressure', ['i0']]);
  });

  it('stays inside the limits of the session', () => {
    const messages = conversationOf([...inspects(6), { name: 'ApplyPatch', result: PATCH }]);
    assert.deepEqual(idsOf(projectToolResults(messages, EMPTY_REPLACEMENTS, { ...COLD, remainingTools: 1 })), ['i0']);
    const tight = projectToolResults(messages, EMPTY_REPLACEMENTS, { ...COLD, remainingProjectedTokens: 10 });
    assert.deepEqual(tight.decision, { admit: false, reason: 'sessionBudget' });
    assert.equal(projectToolResults(messages, EMPTY_REPLACEMENTS, { ...COLD, remainingTools: -1 }).changed, false);
  });

  it('measures in a shadow, with the answer of the gate, and changes nothing', () => {
    const messages = conversationOf([...inspects(4), { name: 'ApplyPatch', result: PATCH }]);
    const result = projectToolResults(messages, EMPTY_REPLACEMENTS, { ...COLD, shadow: true });
    assert.deepEqual(result.decision, { admit: false, reason: 'shadow' });
    assert.deepEqual(result.evaluation?.decision, { admit: true, reason: 'netSavings' });
    assert.equal(result.messages, messages);
    assert.equal(result.state, EMPTY_REPLACEMENTS);
    assert.deepEqual(result.records, []);
    assert.equal(result.size.projectedTools, 2);
  });
});

describe('pending projection', () => {
  const messages = conversationOf(inspects(5));

  it('counts the oldest results that fit into what the session has left', () => {
    const all = pendingProjection(messages, EMPTY_REPLACEMENTS, COLD);
    assert.equal(all.tools, 4);
    const two = pendingProjection(messages, EMPTY_REPLACEMENTS, { ...COLD, remainingProjectedTokens: 300 });
    assert.ok(two.tools >= 1 && two.tools < 4, String(two.tools));
    assert.deepEqual(pendingProjection(messages, EMPTY_REPLACEMENTS, { ...COLD, remainingProjectedTokens: 0 }), {
      tools: 0,
      tokensSaved: 0,
    });
  });

  it('ignores the price and the required patch, and is zero when nothing could come of it', () => {
    const asked = { ...COLD, pricing: undefined, requireConsumedMutation: true, rawRequestTokens: undefined };
    assert.equal(pendingProjection(messages, EMPTY_REPLACEMENTS, asked).tools, 4);
    for (const none of [
      { ...COLD, shadow: true },
      { ...COLD, enabled: false },
      { ...COLD, counter: undefined },
    ]) {
      assert.equal(pendingProjection(messages, EMPTY_REPLACEMENTS, none).tools, 0);
    }
  });
});

describe('limits of a session', () => {
  it('are read from the frozen texts and not from what only mentions them', () => {
    const { state, size } = projectToolResults(conversationOf(inspects(4)), EMPTY_REPLACEMENTS, PRESSURE);
    const used = projectionBudgetUsed(state, BYTES_PER_FOUR);
    assert.deepEqual(used, { tools: 1, tokens: size.projectedTokens });
    const quoted = new Map([['x', `Too much output: ${[...state.replacements.values()].join('')}`]]);
    assert.deepEqual(projectionBudgetUsed({ seen: new Set(), replacements: quoted }, BYTES_PER_FOUR), { tools: 0, tokens: 0 });
    assert.deepEqual(projectionBudgetLeft({ maxProjectedTools: 1, maxProjectedTokens: 10 }, used), { tools: 0, tokens: 0 });
  });
});

describe('a projection counted again', () => {
  const messages = conversationOf(inspects(4));
  const result = projectToolResults(messages, EMPTY_REPLACEMENTS, PRESSURE);
  const before = { messages, state: EMPTY_REPLACEMENTS, rawRequestTokens: 100_000 };

  it('holds when the request is known to have shrunk, which ends a row of anomalies', () => {
    assert.deepEqual(settleProjection(result, before, { knownTotal: 99_999, complete: true }, 2), { result, anomalies: 0 });
  });

  for (const recount of [
    { knownTotal: 100_000, complete: true },
    { knownTotal: 50_000, complete: false },
  ]) {
    it(`is taken back whole at ${recount.knownTotal}, ${recount.complete ? 'complete' : 'a lower bound'}`, () => {
      const settled = settleProjection(result, before, recount, 2);
      assert.deepEqual(settled.result.decision, { admit: false, reason: 'anomaly' });
      assert.equal(settled.result.messages, messages);
      assert.equal(settled.result.state, EMPTY_REPLACEMENTS);
      assert.deepEqual([settled.result.records, settled.result.changed, settled.anomalies], [[], false, 3]);
      assert.ok(isProjectionHalted(settled.anomalies, 3) && !isProjectionHalted(2, 3));
    });
  }

  it('is not asked about without a change', () => {
    const kept = projectToolResults(messages, EMPTY_REPLACEMENTS, COLD);
    assert.deepEqual(settleProjection(kept, before, { knownTotal: 1, complete: false }, 2), { result: kept, anomalies: 2 });
  });
});

describe('who may project', () => {
  const scope = { provider: 'OpenAI', model: 'm-1-2026', sessionId: 's' };

  it('is everybody whom no list excludes, once it is on', () => {
    assert.equal(projectionGates({}, scope).enabled, false);
    assert.equal(projectionGates({ enabled: true }, scope).enabled, true);
    assert.equal(projectionGates({ enabled: true, killSwitch: true }, scope).enabled, false);
    assert.equal(projectionGates({ enabled: true, modelAllowlist: [' M-1 '] }, scope).enabled, true);
    assert.equal(projectionGates({ enabled: true, providerModelAllowlist: ['openai/m-1'] }, scope).enabled, true);
    assert.equal(projectionGates({ enabled: true, providerModelAllowlist: ['openai'] }, scope).enabled, false);
    assert.equal(projectionGates({ enabled: true, providerModelAllowlist: ['open/ai/m-1'] }, scope).enabled, false);
  });

  it('is nobody by an empty list of imminent compactions', () => {
    assert.equal(projectionGates({ enabled: true }, scope).imminentCompact, false);
    const listed = { imminentCompactProviderAllowlist: ['openai'] };
    assert.equal(projectionGates({ ...listed, enabled: true }, scope).compactPolicy, true);
    assert.equal(projectionGates(listed, scope).compactPolicy, false);
  });

  it('falls back to safe numbers for what is no number', () => {
    const config = normalizeProjection({ rolloutPercent: NaN, maxProjectedTools: 0.5, minNetSavingsUsd: NaN, reuseHorizon: NaN });
    assert.deepEqual(
      [config.rolloutPercent, config.maxProjectedTools, config.minNetSavingsUsd, config.reuseHorizon, config.enabled],
      [100, 24, 0, 3, false],
    );
  });
});

function textsOf(messages: readonly Message[]): ReadonlyMap<string, string> {
  return new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'toolResult' ? [[block.toolUseId, toolResultText(block)]] : [])),
    ),
  );
}
