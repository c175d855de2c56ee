import assert from 'node:assert/strict';
import type { Message } from '../../../src/core/model/message';
import type { ContextReport, Transcript } from '../../../src/core/model/transcript';
import { contextTimeline, type TimelineMark } from '../../../src/core/session/timeline';
import { plainErrorBand } from '../../../src/core/tokens/errorBand';
import { assistant, boundary, call, reported, results, user } from '../../support/messages';
import { transcriptOf } from '../../support/transcriptOf';

/** Every message counts 100 tokens and every boundary 0, so that what is expected can be read off. */
function timelineOf(messages: readonly Message[], more: Partial<Transcript> = {}, from = 0): ReturnType<typeof contextTimeline> {
  const named = messages.map((message, index) => ({ ...message, id: `m${index}` }));
  const tokens = named.map(({ kind }) => (kind === 'boundary' || kind === 'microBoundary' ? 0 : 100));
  return contextTimeline(transcriptOf(named, more), { tokens: tokens.slice(from), bandOf: plainErrorBand }, from);
}

function marksOf(messages: readonly Message[], more: Partial<Transcript> = {}): readonly TimelineMark[] {
  return timelineOf(messages, more).marks;
}

let responses = 0;
function answer(prompt: number, output: number, more: Partial<Message> = {}): Message {
  responses += 1;
  return assistant('a', { messageId: `r${responses}`, model: 'claude-opus-4-8', ...reported(prompt, output), ...more });
}

const micro: Message = { ...boundary(), kind: 'microBoundary' };
const image = user('', { content: [{ type: 'image' }] });
const reminder = user('r', { kind: 'attachment' });
const thinking = { content: [{ type: 'thinking' as const, text: 'hm' }] };
const at = (minutes: number): Partial<Message> => ({ timestamp: new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString() });

describe('timeline of the context', () => {
  it('has a point for each reported context of the main conversation', () => {
    const { points, marks } = timelineOf([
      user('q'),
      answer(10_000, 100),
      user('task', { isSidechain: true }),
      answer(90_000, 100, { isSidechain: true }),
      answer(500, 5, { kind: 'apiError' }),
      user('q'),
      answer(10_300, 200),
      boundary(),
      answer(99_000, 100, { isCompactionReply: true }),
      user('s', { kind: 'summary' }),
      answer(3000, 50),
    ]);
    assert.deepEqual(
      points.map(({ index, promptTokens, totalTokens, stretch }) => [index, promptTokens, totalTokens, stretch]),
      [
        [1, 10_000, 10_100, 0],
        [6, 10_300, 10_500, 0],
        [10, 3000, 3100, 1],
      ],
    );
    assert.deepEqual(marks, []);
  });

  it('takes fragments for one reply, and results between them for what came after its request', () => {
    const fragment = { messageId: 'one', model: 'm', ...reported(10_000, 300) };
    const messages = [assistant(call('t1'), fragment), results('t1'), assistant(call('t2'), fragment), results('t2'), answer(10_500, 100)];
    const { points, marks } = timelineOf(messages);
    assert.deepEqual(
      points.map(({ index, totalTokens, sizeBefore }) => [index, totalTokens, sizeBefore]),
      [
        [0, 10_300, 0],
        [4, 10_600, 200],
      ],
    );
    assert.deepEqual(marks, []);
  });

  it('reads counts that stand apart, and leaves what the model wrote to them', () => {
    const report = (afterIndex: number, contextTokens: number, isAgentEstimate = false): ContextReport => ({
      afterIndex,
      contextTokens,
      inputTokens: contextTokens - 100,
      outputTokens: 100,
      cacheReadTokens: 0,
      isAgentEstimate,
      line: 0,
    });
    const messages = [user('q'), assistant('a'), user('q'), assistant('a'), user('q'), assistant('a')];
    const { points, marks } = timelineOf(messages, { reports: [report(2, 8000), report(3, 1, true), report(4, 8200), report(6, 20_000)] });
    assert.deepEqual(
      points.map(({ index, promptTokens, totalTokens, sizeBefore }) => [index, promptTokens, totalTokens, sizeBefore]),
      [
        [1, 7900, 8000, 100],
        [3, 8100, 8200, 200],
        [5, 19_900, 20_000, 300],
      ],
    );
    assert.deepEqual(marks, [{ kind: 'jump', index: 5, tokens: 11_600, cause: 'hidden' }]);
  });

  it('looks at the newest messages only, when told so', () => {
    const messages = [user('q'), answer(10_000, 100), user('q'), answer(50_000, 100), user('q'), answer(50_200, 100)];
    assert.equal(timelineOf(messages).marks.length, 1);
    const newest = timelineOf(messages, {}, 3);
    assert.deepEqual(
      newest.points.map(({ index }) => index),
      [3, 5],
    );
    assert.deepEqual(newest.marks, []);
  });

  const steps: readonly (readonly [string, readonly Message[], Omit<TimelineMark, 'index'> | undefined])[] = [
    ['a step that the messages explain', [answer(10_000, 100), user('q'), answer(10_200, 100)], undefined],
    ['a small difference', [answer(10_000, 100), user('q'), answer(12_200, 100)], undefined],
    [
      'a jump that nothing explains',
      [answer(10_000, 100), user('q'), answer(18_200, 100)],
      { kind: 'jump', tokens: 8000, cause: 'hidden' },
    ],
    ['one beside pictures', [answer(10_000, 100), image, answer(18_200, 100)], { kind: 'jump', tokens: 8000, cause: 'pictures' }],
    ['one beside reminders', [answer(10_000, 100), reminder, answer(18_200, 100)], { kind: 'jump', tokens: 8000, cause: 'reminders' }],
    [
      'one after a pause',
      [answer(10_000, 100, at(0)), user('q'), answer(18_200, 100, at(61))],
      { kind: 'jump', tokens: 8000, cause: 'pause' },
    ],
    [
      'one with another model',
      [answer(10_000, 100), image, answer(18_200, 100, { model: 'claude-opus-4-6' })],
      { kind: 'jump', tokens: 8000, cause: 'otherModel' },
    ],
    ['a silent drop', [answer(30_000, 100), user('q'), answer(12_200, 100)], { kind: 'drop', tokens: 18_000, cause: 'silent' }],
    [
      'one by cleared results',
      [answer(30_000, 100), micro, user('q'), answer(12_200, 100)],
      { kind: 'drop', tokens: 18_000, cause: 'clearedResults' },
    ],
    [
      'one with another model',
      [answer(30_000, 100), user('q'), answer(12_200, 100, { model: 'other' })],
      { kind: 'drop', tokens: 18_000, cause: 'otherModel' },
    ],
    [
      'one by thinking of an earlier turn',
      [answer(30_000, 5000, thinking), user('q'), answer(30_200, 100)],
      { kind: 'drop', tokens: 4900, cause: 'thinkingLeftOut' },
    ],
  ];
  for (const [name, messages, expected] of steps) {
    it(name, () => assert.deepEqual(marksOf(messages), expected === undefined ? [] : [{ ...expected, index: messages.length - 1 }]));
  }

  describe('after a compaction', () => {
    const summary = user('s', { kind: 'summary' });
    const read = (path: string): Message['content'] => [{ type: 'toolUse', id: 't', name: 'Read', input: { path } }];

    it('marks nothing while what was freed stays free', () => {
      assert.deepEqual(marksOf([answer(150_000, 100), boundary(), summary, answer(30_000, 100), user('q'), answer(30_200, 100)]), []);
    });

    it('marks when half of it is back, with what brought it', () => {
      const before = [answer(150_000, 100, { content: read('a.ts') }), results('t'), boundary(), summary, answer(30_000, 100)];
      const grown = (content: Message['content'], more: readonly Message[]): readonly Message[] => [
        ...before,
        answer(30_200, 200, { content }),
        ...more,
        answer(92_000, 100),
      ];
      const found = (messages: readonly Message[]): unknown =>
        marksOf(messages)
          .filter(({ kind }) => kind === 'refill')
          .map(({ kind, cause, tokens }) => [kind, cause, tokens]);
      assert.deepEqual(found(grown(read('a.ts'), [])), [['refill', 'repeatedCalls', 62_100]]);
      assert.deepEqual(found(grown(read('b.ts'), [results('t')])), [['refill', 'largeResults', 62_100]]);
      assert.deepEqual(found(grown([], [])), [['refill', 'newWork', 62_100]]);
    });

    it('marks a compaction that freed nothing', () => {
      const marks = marksOf([answer(150_000, 100), boundary(), summary, answer(145_000, 100)]);
      assert.deepEqual(marks, [{ kind: 'refill', index: 3, tokens: 145_000, cause: 'reinjected' }]);
    });

    it('does not mark small sessions, nor growth behind the next compaction', () => {
      assert.deepEqual(marksOf([answer(9000, 100), boundary(), summary, answer(8000, 100)]), []);
      const messages = [answer(150_000, 100), boundary(), summary, answer(30_000, 100), boundary(), summary, answer(12_000, 100)];
      assert.deepEqual(marksOf(messages), []);
    });
  });
});
