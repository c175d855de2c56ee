// Sessions that the real programs wrote on our own text: what is in their context, as their next request showed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../../src/core/model/message';
import type { Transcript } from '../../../src/core/model/transcript';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { contextUsage } from '../../../src/core/window/contextUsage';
import { AGENT_FIXTURES } from '../../support/folders';

function read(file: string): Transcript {
  return readTranscript(readFileSync(join(AGENT_FIXTURES, file)));
}

/** What the model sees: role, kind and first words of each message of the context. */
function seen({ context, messages }: Transcript): readonly string[] {
  return context.map((index) => {
    const message = messages[index];
    if (message === undefined) return '?';
    const [first] = message.content;
    const words = textOf(message).slice(0, 24).split('\n')[0] ?? '';
    return `${message.kind} ${words === '' ? (first?.type ?? '') : words}`;
  });
}

function reported(transcript: Transcript): number | undefined {
  return contextUsage(
    transcript,
    transcript.messages.map(() => 0),
  ).reportedTokens;
}

describe('sessions of real agents', () => {
  for (const [version, postTokens, attachments, reminders] of [
    ['claude-code-2.1.197', 920, 5, 0],
    ['claude-code-2.1.332', 2960, 9, 3],
  ] as const) {
    it(`${version} before its compaction: everything, with both results of the parallel calls`, () => {
      const transcript = read(`${version}/before-compact.jsonl`);
      assert.deepEqual(transcript.context, [...transcript.messages.keys()]);
      const results = transcript.messages.filter((message) => message.content.some((block) => block.type === 'toolResult'));
      assert.equal(results.length, 5);
      assert.deepEqual([transcript.boundaries.length, transcript.diagnostics.length, reported(transcript)], [0, 0, 23_196]);
      assert.deepEqual(transcript.totals, {
        responses: 8,
        inputTokens: 836,
        outputTokens: 356,
        cacheReadTokens: 160_360,
        cacheCreationTokens: 24_036,
      });
    });

    it(`${version} after its compaction: summary, the preserved answer, what the command wrote, attachments`, () => {
      const transcript = read(`${version}/after-compact.jsonl`);
      const [summary, preserved, ...rest] = seen(transcript);
      assert.deepEqual([summary, preserved], ['summary This session is being co', 'message REPLY-4 The total is 7.']);
      assert.deepEqual(
        rest.slice(0, 3).map((text) => text.slice(0, 27)),
        ['meta <local-command-caveat>', 'message <command-name>/comp', 'message <local-command-stdo'],
      );
      assert.equal(rest.slice(3).filter((text) => text.startsWith('attachment')).length, attachments);
      assert.equal(rest.length, 3 + attachments);
      const [boundary] = transcript.boundaries;
      assert.deepEqual(
        [boundary?.trigger, boundary?.preTokens, boundary?.postTokens, boundary?.valid],
        ['manual', 23_244, postTokens, true],
      );
      assert.deepEqual([boundary?.preservedSegment?.count, boundary?.preservedSegment?.direction], [1, 'upTo']);
      assert.equal(reported(transcript), undefined, 'no response follows the boundary');
    });

    it(`${version} after a resume: the same and the new turn`, () => {
      const transcript = read(`${version}/after-resume.jsonl`);
      const before = seen(read(`${version}/after-compact.jsonl`));
      const after = seen(transcript);
      assert.deepEqual(after.slice(0, before.length), before);
      assert.equal(after.at(-1), 'message REPLY-AFTER still 7.');
      assert.ok(after.includes('message AFTER the compaction, ch'));
      assert.equal(after.slice(before.length).filter((text) => text.startsWith('attachment')).length >= reminders, true);
      assert.equal(reported(transcript), 23_232);
      assert.deepEqual([transcript.totals.responses, transcript.diagnostics.length], [10, 0]);
    });
  }

  it('codex-0.171.0 before its compaction', () => {
    const transcript = read('codex-0.171.0/before-compact.jsonl');
    assert.deepEqual([transcript.messages.length, transcript.boundaries.length, reported(transcript)], [23, 0, 23_231]);
    assert.deepEqual([transcript.windowTokens, transcript.model, transcript.agentVersion], [258_400, 'fake-model', '0.171.0']);
  });

  const PROMPTS = [
    'message TURN-1 please list the f',
    'message TURN-2 read the readme a',
    'message TURN-3 write a note',
    'message TURN-4 what is the total',
  ];
  const ADDED = ['meta [vendor text removed, 21', 'meta <environment_context>'];

  it('codex-0.171.0 after two compactions: prompts, added context, summary, the answer', () => {
    const transcript = read('codex-0.171.0/after-compact.jsonl');
    assert.deepEqual(seen(transcript), [
      ...PROMPTS,
      ...ADDED,
      'message AFTER the compaction, ch',
      'summary Another language model s',
      'message OK-REPLY-11: noted.',
    ]);
    assert.deepEqual(
      transcript.boundaries.map((one) => [
        one.preTokens,
        one.postTokens,
        one.preservedSegment?.count,
        one.preservedSegment?.direction,
        one.valid,
      ]),
      [
        [23_244, 6104, 4, 'from', true],
        [23_270, 6114, 5, 'from', true],
      ],
    );
    assert.equal(reported(transcript), 23_283);
    assert.deepEqual(transcript.totals, {
      responses: 11,
      inputTokens: 34_232,
      outputTokens: 506,
      cacheReadTokens: 220_660,
      cacheCreationTokens: 0,
    });
  });

  it('codex-0.171.0 after a resume: the new turn behind it', () => {
    const after = seen(read('codex-0.171.0/after-resume.jsonl'));
    assert.deepEqual(after.slice(-2), ['message TURN-4 what is the total', 'message REPLY-4 The total is 7.']);
    assert.equal(after.length, 11);
  });
});
