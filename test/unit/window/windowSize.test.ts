import assert from 'node:assert/strict';
import { contextWindowFor, type WindowQuery, type WindowSize } from '../../../src/core/window/windowSize';

describe('the window of the model that answers next (R17)', () => {
  const unknown: WindowSize = { tokens: undefined, source: undefined, maxOutputTokens: undefined };
  const rows: readonly (readonly [string, WindowQuery, WindowSize])[] = [
    ['nothing is known', { model: undefined }, unknown],
    ['an unknown model', { model: 'my-model' }, unknown],
    ['a listed model', { model: 'claude-opus-4-1-20250805' }, { tokens: 200_000, source: 'catalogue', maxOutputTokens: 32_000 }],
    ['the longest name wins', { model: 'claude-opus-4-5' }, { tokens: 200_000, source: 'catalogue', maxOutputTokens: 64_000 }],
    [
      'a name does not stand for a longer one',
      { model: 'gpt-4o-2024-08-06' },
      { tokens: 128_000, source: 'catalogue', maxOutputTokens: 16_384 },
    ],
    [
      'routers and clouds',
      { model: 'us.anthropic.claude-sonnet-4-20250514-v1:0' },
      { tokens: 200_000, source: 'catalogue', maxOutputTokens: 64_000 },
    ],
    ['a router', { model: 'openrouter/openai/GPT-4.1' }, { tokens: 1_047_576, source: 'catalogue', maxOutputTokens: 32_768 }],
    ['an unlisted Claude model', { model: 'claude-novel-9' }, { tokens: 200_000, source: 'assumed', maxOutputTokens: undefined }],
    [
      'one whose prompt did not fit',
      { model: 'claude-novel-9', maxReported: 200_001 },
      { tokens: 1_000_000, source: 'assumed', maxOutputTokens: undefined },
    ],
    [
      'a listed one whose prompt did not fit',
      { model: 'claude-sonnet-4-5', maxReported: 300_000 },
      { tokens: 1_000_000, source: 'assumed', maxOutputTokens: 64_000 },
    ],
    [
      'a full one is no larger one',
      { model: 'claude-sonnet-4-5', maxReported: 200_000 },
      { tokens: 200_000, source: 'catalogue', maxOutputTokens: 64_000 },
    ],
    ['one with a large window', { model: 'claude-opus-4-8' }, { tokens: 1_000_000, source: 'catalogue', maxOutputTokens: undefined }],
    [
      'the same in a session that compacts below',
      { model: 'claude-opus-4-8', largestAutoCompact: 178_144, maxReported: 178_000 },
      { tokens: 200_000, source: 'assumed', maxOutputTokens: undefined },
    ],
    [
      'one that compacted far above',
      { model: 'claude-opus-4-6', largestAutoCompact: 967_000, format: 'claude-code', agentVersion: '2.1.49' },
      { tokens: 1_000_000, source: 'catalogue', maxOutputTokens: undefined },
    ],
    [
      'a version of Claude Code that took the small one',
      { model: 'claude-opus-4-6', format: 'claude-code', agentVersion: '2.1.49', maxReported: 200_000 },
      { tokens: 200_000, source: 'assumed', maxOutputTokens: undefined },
    ],
    [
      'such a version with a prompt that did not fit',
      { model: 'claude-opus-4-6', format: 'claude-code', agentVersion: '2.1.49', maxReported: 200_001 },
      { tokens: 1_000_000, source: 'catalogue', maxOutputTokens: undefined },
    ],
    [
      'a later version',
      { model: 'claude-opus-4-6', format: 'claude-code', agentVersion: '2.1.75' },
      { tokens: 1_000_000, source: 'catalogue', maxOutputTokens: undefined },
    ],
    [
      'an older minor version',
      { model: 'claude-opus-4-6', format: 'claude-code', agentVersion: '2.0.99' },
      { tokens: 200_000, source: 'assumed', maxOutputTokens: undefined },
    ],
    [
      'an older major version',
      { model: 'claude-opus-4-6', format: 'claude-code', agentVersion: '1.9.99' },
      { tokens: 200_000, source: 'assumed', maxOutputTokens: undefined },
    ],
    [
      'a later major version',
      { model: 'claude-opus-4-6', format: 'claude-code', agentVersion: '3.0.0' },
      { tokens: 1_000_000, source: 'catalogue', maxOutputTokens: undefined },
    ],
    [
      'a version that is none',
      { model: 'claude-opus-4-6', format: 'claude-code', agentVersion: 'dev' },
      { tokens: 1_000_000, source: 'catalogue', maxOutputTokens: undefined },
    ],
    [
      'another number names another model',
      { model: 'claude-opus-4-9' },
      { tokens: 200_000, source: 'assumed', maxOutputTokens: undefined },
    ],
    ['a window that the package lacks', { model: 'gemini-2.5-pro' }, { tokens: 1_048_576, source: 'catalogue', maxOutputTokens: 65_536 }],
    ['a name that says it', { model: 'claude-sonnet-4-5[1m]' }, { tokens: 1_000_000, source: 'catalogue', maxOutputTokens: 64_000 }],
    [
      'Claude Code before its first answer',
      { model: undefined, format: 'claude-code' },
      { tokens: 200_000, source: 'assumed', maxOutputTokens: undefined },
    ],
    [
      'what the transcript states',
      { model: 'gpt-5', transcriptTokens: 258_400 },
      { tokens: 258_400, source: 'transcript', maxOutputTokens: 128_000 },
    ],
    [
      'a setting wins over it',
      { model: 'gpt-5', transcriptTokens: 258_400, overrides: { 'gpt-*': 100_000 } },
      { tokens: 100_000, source: 'setting', maxOutputTokens: 128_000 },
    ],
    [
      'the longest pattern wins',
      { model: 'gpt-5', overrides: { '*': 1, 'gpt-?': 2, 'gpt*': 3 } },
      { tokens: 2, source: 'setting', maxOutputTokens: 128_000 },
    ],
    [
      'patterns know no case and see the plain name',
      { model: 'X/GPT-5', overrides: { 'Gpt-5': 7 } },
      { tokens: 7, source: 'setting', maxOutputTokens: 128_000 },
    ],
    [
      'a star at the end stands for nothing too',
      { model: 'gpt-5', overrides: { 'gpt-5**': 7 } },
      { tokens: 7, source: 'setting', maxOutputTokens: 128_000 },
    ],
    ['a pattern that does not fit', { model: 'my-model', overrides: { my: 7, 'my-?': 8, 'model*': 9 } }, unknown],
    ['a useless override is passed over', { model: 'my-model', overrides: { '*': -5 }, override: 0 }, unknown],
    [
      'the user’s own number wins over all',
      { model: 'gpt-5', transcriptTokens: 258_400, overrides: { '*': 5 }, override: 42_000 },
      { tokens: 42_000, source: 'setting', maxOutputTokens: 128_000 },
    ],
  ];
  for (const [name, query, expected] of rows) it(name, () => assert.deepEqual(contextWindowFor(query), expected));

  it('compares a hostile pattern in bounded time', () => {
    const start = process.cpuUsage();
    assert.equal(contextWindowFor({ model: 'a'.repeat(5000), overrides: { [`${'*a'.repeat(50)}b`]: 5 } }).tokens, undefined);
    assert.ok(process.cpuUsage(start).user < 2e6);
  });
});
