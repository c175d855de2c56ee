import assert from 'node:assert/strict';
import type { Transcript } from '../../../src/core/model/transcript';
import { costSizes } from '../../../src/core/session/costSizes';
import { inspectTranscript } from '../../../src/core/session/inspection';
import { call, result, text, transcriptOf, usage } from '../../support/transcripts';

const WORDS = 'lorem ipsum dolor sit amet '.repeat(80);

function sizesOf(transcript: Transcript): {
  readonly system: number;
  readonly tokens: readonly number[];
  readonly used: number;
  readonly estimates: readonly number[];
} {
  const inspection = inspectTranscript(transcript, {});
  const { tokens, unattributedTokens } = costSizes(inspection);
  return { system: unattributedTokens, tokens, used: inspection.usage.usedTokens, estimates: inspection.sizes.tokens };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

describe('sizes of a context as its reports tell', () => {
  const messages = [
    text('user', WORDS),
    call('c1', 'Read', { file_path: '/a' }, { messageId: 'r1', usage: usage(12_000, 50) }),
    result('c1', WORDS),
    call('c2', 'Read', { file_path: '/b' }, { messageId: 'r2', usage: usage(14_000, 50) }),
    result('c2', WORDS),
    text('assistant', 'Done.', { messageId: 'r3', usage: usage(20_000, 10) }),
  ];

  it('add up to the tokens in use', () => {
    const { system, tokens, used } = sizesOf(transcriptOf(messages));
    assert.equal(system + sum(tokens), used);
  });

  it('give the first report to the system prompt, and each step to the messages between two reports', () => {
    const { system, tokens, estimates } = sizesOf(transcriptOf(messages));
    assert.equal(system, 12_000 - (estimates[0] ?? 0));
    assert.equal(tokens[0], estimates[0]);
    assert.equal((tokens[1] ?? 0) + (tokens[2] ?? 0), 2000);
    assert.equal((tokens[3] ?? 0) + (tokens[4] ?? 0), 6000);
  });

  it('give an answer what was recorded for it', () => {
    const thinking = messages.with(1, call('c1', 'Read', { file_path: '/a' }, { messageId: 'r1', usage: usage(12_000, 1500) }));
    const { tokens } = sizesOf(transcriptOf(thinking));
    assert.ok((tokens[1] ?? 0) > (tokens[2] ?? 0), tokens.join(' '));
    assert.equal((tokens[1] ?? 0) + (tokens[2] ?? 0), 2000);
  });

  it('count no beginning as more than a later prompt', () => {
    const shrunk = messages.with(5, text('assistant', 'Done.', { messageId: 'r3', usage: usage(13_000, 10) }));
    const { system, tokens, used } = sizesOf(transcriptOf(shrunk));
    assert.equal(system + sum(tokens.slice(0, 3)), 13_000);
    assert.equal(sum(tokens.slice(3, 5)), 0);
    assert.equal(system + sum(tokens), used);
  });

  it('leave out what the context holds no longer', () => {
    const { tokens, system, used } = sizesOf(transcriptOf(messages, { context: [0, 3, 4, 5] }));
    assert.equal(system + sum([0, 3, 4, 5].map((index) => tokens[index] ?? 0)), used);
  });

  it('take nothing from reports of before a compaction', () => {
    const compacted = [
      ...messages,
      text('system', '', { kind: 'boundary' }),
      text('user', WORDS, { kind: 'summary' }),
      text('user', 'Go on.'),
    ];
    const at = messages.length;
    const boundary = { index: at, id: 'b', timestamp: undefined, trigger: 'manual', preTokens: 20_000, postTokens: undefined };
    const facts = { durationMs: undefined, summaryId: undefined, preservedSegment: undefined, valid: true };
    const more = { boundaries: [{ ...boundary, ...facts }], context: [at + 1, at + 2] };
    // What an agent notes right after a compaction is its own estimate.
    const usages = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 };
    const reports = [
      { ...usages, afterIndex: 4, contextTokens: 14_000, isAgentEstimate: false, line: 0 },
      { ...usages, afterIndex: at + 2, contextTokens: 9000, isAgentEstimate: true, line: 0 },
    ];
    for (const transcript of [transcriptOf(compacted, more), transcriptOf(compacted, { ...more, reports })]) {
      const { tokens, estimates } = sizesOf(transcript);
      assert.deepEqual([tokens[at + 1], tokens[at + 2]], [estimates[at + 1], estimates[at + 2]]);
    }
  });

  it('are the estimates where nothing was reported', () => {
    const plain = [text('user', WORDS), text('assistant', WORDS)];
    const { tokens, system, estimates } = sizesOf(transcriptOf(plain));
    assert.deepEqual(tokens, estimates);
    assert.equal(system, 0);
  });
});
