import assert from 'node:assert/strict';
import { AGENT_PROFILES, agentLimit, effectiveProfile, profileOfFormat, type AgentProfile } from '../../../src/core/window/agentLimits';
import { contextCounters, countedBy, isAgentCompactDue } from '../../../src/core/window/counters';
import type { ContextUsage } from '../../../src/core/window/contextUsage';
import { warningState } from '../../../src/core/window/warningState';

const usage: ContextUsage = {
  usedTokens: 110_000,
  measurement: 'providerReported',
  reportedTokens: 100_000,
  estimatedTailTokens: 10_000,
  replyTokens: 4_000,
  errorTokens: 300,
  outputTokens: 4_000,
  cacheReadTokens: undefined,
  cacheCreationTokens: undefined,
  atMessage: 'm',
  atIndex: 3,
  tailFrom: 3,
};

describe('the rules by which agents decide to compact', () => {
  const rows: readonly (readonly [AgentProfile, number, number | undefined, boolean, number, boolean])[] = [
    // profile, window, largest output, stated by the transcript: compacts at, inclusive
    ['claude-code', 200_000, 32_000, false, 167_000, true],
    ['claude-code', 200_000, undefined, false, 167_000, true],
    ['claude-code', 1_000_000, undefined, false, 967_000, true],
    ['codex', 258_400, undefined, true, 244_800, true],
    ['codex', 272_000, undefined, false, 244_800, true],
    ['docker-agent', 200_000, undefined, false, 180_000, false],
    ['docker-agent', 8192, undefined, false, 7372, false],
    ['gemini', 1_048_576, undefined, false, 524_288, true],
    ['qwen', 262_144, undefined, false, 183_500, true],
    ['continue', 200_000, undefined, false, 121_000, true],
    ['continue', 200_000, 8_000, false, 177_000, true],
    ['continue', 8_192, undefined, false, 2_456, true],
    ['opencode', 200_000, 64_000, false, 168_000, true],
    ['opencode', 200_000, 8_192, false, 191_808, true],
    ['opencode', 200_000, undefined, false, 168_000, true],
    ['cline', 64_000, undefined, false, 37_000, true],
    ['cline', 128_000, undefined, false, 98_000, true],
    ['cline', 200_000, undefined, false, 160_000, true],
    ['cline', 1_000_000, undefined, false, 960_000, true],
    ['cline', 100_000, undefined, false, 80_000, true],
    ['roo', 200_000, undefined, false, 171_808, false],
    ['roo', 200_000, 64_000, false, 140_000, false],
    ['goose', 128_000, undefined, false, 102_400, false],
    ['pi', 200_000, undefined, false, 183_616, false],
    ['copilot-cli', 128_000, undefined, false, 102_400, true],
  ];
  for (const [profile, maxTokens, maxOutputTokens, isStated, at, inclusive] of rows) {
    it(`${profile}: ${maxTokens} → ${at}`, () => {
      const limit = agentLimit(profile, { maxTokens, maxOutputTokens }, isStated);
      assert.deepEqual([limit?.compactsAt, limit?.isInclusive], [at, inclusive]);
    });
  }

  it('has none for an unknown or too small window', () => {
    for (const profile of AGENT_PROFILES) {
      for (const maxTokens of [undefined, 0, -5, NaN])
        assert.equal(agentLimit(profile, { maxTokens, maxOutputTokens: undefined }), undefined);
    }
    assert.equal(agentLimit('pi', { maxTokens: 16_384, maxOutputTokens: undefined }), undefined);
    assert.equal(agentLimit('claude-code', { maxTokens: 30_000, maxOutputTokens: undefined }), undefined);
  });

  it('blocks where the agent has such a limit of its own', () => {
    const window = { maxTokens: 200_000, maxOutputTokens: undefined };
    assert.equal(agentLimit('claude-code', window)?.blocksAt, 177_000);
    assert.equal(agentLimit('copilot-cli', window)?.blocksAt, 190_000);
    assert.equal(agentLimit('codex', window)?.blocksAt, undefined);
  });

  it('is that of the format unless another one is chosen', () => {
    assert.equal(profileOfFormat('codex'), 'codex');
    assert.equal(profileOfFormat('kilo'), 'roo');
    assert.equal(profileOfFormat('openai-chat'), undefined);
    assert.equal(effectiveProfile('auto', 'docker-agent'), 'docker-agent');
    assert.equal(effectiveProfile('seed', 'docker-agent'), undefined);
    assert.equal(effectiveProfile('pi', 'docker-agent'), 'pi');
  });
});

describe('numbers for one context', () => {
  it('counts the prompt, the prompt with its reply, or all of the next request', () => {
    assert.equal(countedBy('prompt', usage), 100_000);
    assert.equal(countedBy('promptAndReply', usage), 104_000);
    assert.equal(countedBy('nextRequest', usage), 110_000);
    const unreported = { ...usage, reportedTokens: undefined };
    for (const counter of ['prompt', 'promptAndReply', 'nextRequest'] as const) assert.equal(countedBy(counter, unreported), 110_000);
  });

  it('decides at or above the limit, by the rule', () => {
    const window = { maxTokens: 122_223, maxOutputTokens: undefined };
    const docker = agentLimit('docker-agent', window);
    assert.ok(docker !== undefined && docker.compactsAt === 110_000);
    assert.equal(isAgentCompactDue(docker, usage), false);
    assert.equal(isAgentCompactDue(docker, { ...usage, usedTokens: 110_001 }), true);
    assert.equal(isAgentCompactDue({ ...docker, isInclusive: true }, usage), true);
  });

  it('names none that is of nothing, as in a window that the reserve fills', () => {
    const warning = warningState({
      maxTokens: 10_000,
      maxOutputTokens: undefined,
      usedTokens: 110_000,
      autoCompactEnabled: true,
      suppressWarning: false,
    });
    const counters = contextCounters(10_000, usage, warning, undefined);
    assert.deepEqual(
      counters.map(({ kind, percent }) => [kind, percent]),
      [['window', 1100]],
    );
    assert.deepEqual(contextCounters(undefined, usage, warning, undefined), []);
  });

  it('names all that are shown for it, and each says what it counts', () => {
    const limits = { maxTokens: 258_400, maxOutputTokens: undefined };
    const warning = warningState({ ...limits, usedTokens: usage.usedTokens, autoCompactEnabled: true, suppressWarning: false });
    const counters = contextCounters(258_400, usage, warning, agentLimit('codex', limits, true));
    assert.deepEqual(
      counters.map(({ kind, usedTokens, ofTokens, percent, isLeft }) => [
        kind,
        usedTokens,
        ofTokens,
        Math.round(percent * 10) / 10,
        isLeft,
      ]),
      [
        ['window', 110_000, 258_400, 42.6, false],
        ['usable', 110_000, 238_400, 46.1, false],
        ['untilCompact', 110_000, 225_400, 51.2, true],
        ['agentShows', 92_000, 246_400, 62.7, true],
        ['agentDecides', 104_000, 244_800, 42.5, false],
      ],
    );
  });

  it('says nothing of an unknown window, and nothing of a limit that is off', () => {
    const off = warningState({
      maxTokens: 200_000,
      maxOutputTokens: undefined,
      usedTokens: 1,
      autoCompactEnabled: false,
      suppressWarning: false,
    });
    assert.deepEqual(contextCounters(undefined, usage, off, undefined), []);
    assert.deepEqual(
      contextCounters(200_000, usage, off, undefined).map(({ kind }) => kind),
      ['window', 'usable'],
    );
  });
});
