import assert from 'node:assert/strict';
import type { ContextReport, Transcript } from '../../../src/core/model/transcript';
import type { Message } from '../../../src/core/model/message';
import { ERROR_BAND } from '../../../src/core/tokens/errorBand';
import { contextUsage, type ContextUsage } from '../../../src/core/window/contextUsage';
import { assistant, boundary, call, reported, results, user } from '../../support/messages';
import { transcriptOf } from '../../support/transcriptOf';

/** Every message counts 10, boundaries 0. */
function usageOf(messages: readonly Message[], more: Partial<Transcript> = {}): ContextUsage {
  const numbered = messages.map((message, index): Message => ({ ...message, id: `m${index}` }));
  return contextUsage(
    transcriptOf(numbered, more),
    messages.map((message) => (message.kind === 'boundary' ? 0 : 10)),
  );
}

interface Row {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly more?: Partial<Transcript>;
  readonly reportedTokens: number | undefined;
  readonly tail: number;
  readonly at?: string;
}

const m1 = { messageId: 'r1' };
const ROWS: readonly Row[] = [
  { name: 'nothing', messages: [], reportedTokens: undefined, tail: 0 },
  { name: 'no report: all is estimated', messages: [user('q'), assistant('a')], reportedTokens: undefined, tail: 20 },
  {
    name: 'the prompt is fresh and cached input',
    messages: [user('q'), assistant('a', reported(3, 200, 150_000, 2000))],
    reportedTokens: 152_003,
    tail: 200,
    at: 'm1',
  },
  {
    name: 'the reply is at least what it holds',
    messages: [user('q'), assistant('a', reported(100, 1))],
    reportedTokens: 100,
    tail: 10,
    at: 'm1',
  },
  {
    name: 'what came later is estimated',
    messages: [user('q'), assistant('a', reported(100, 50)), user('r'), user('s')],
    reportedTokens: 100,
    tail: 70,
    at: 'm1',
  },
  {
    name: 'fragments are one reply, and results between them came after the request',
    messages: [
      user('q'),
      assistant(call('a'), { ...m1, ...reported(100, 5) }),
      results('a'),
      assistant(call('b'), { ...m1, ...reported(100, 15) }),
      results('b'),
    ],
    reportedTokens: 100,
    tail: 20 + 20,
    at: 'm3',
  },
  {
    name: 'the last report wins',
    messages: [assistant('a', reported(900, 5)), user('q'), assistant('b', reported(400, 30))],
    reportedTokens: 400,
    tail: 30,
    at: 'm2',
  },
  {
    name: 'a report of 0 is none',
    messages: [assistant('a', reported(900, 15)), user('q'), assistant('b', reported(0, 0))],
    reportedTokens: 900,
    tail: 35,
    at: 'm0',
  },
  {
    name: 'a made-up reply is none',
    messages: [
      assistant('a', reported(900, 15)),
      assistant('e', { model: '<synthetic>', ...reported(5, 5) }),
      assistant('e', { kind: 'apiError', ...reported(5, 5) }),
    ],
    reportedTokens: 900,
    tail: 35,
    at: 'm0',
  },
  {
    name: 'side chains are no part of it',
    messages: [assistant('a', reported(900, 15)), assistant('s', { isSidechain: true, ...reported(5000, 900) }), user('q')],
    reportedTokens: 900,
    tail: 25,
    at: 'm0',
  },
  {
    name: 'a report before the boundary is void',
    messages: [assistant('a', reported(900, 15)), boundary(), user('s', { kind: 'summary' }), user('q')],
    reportedTokens: undefined,
    tail: 20,
  },
  {
    name: 'so is that of a preserved message',
    messages: [assistant('a', reported(900, 15)), boundary(), user('s', { kind: 'summary' })],
    more: { context: [2, 0] },
    reportedTokens: undefined,
    tail: 20,
  },
  {
    name: 'and that of the compaction itself',
    messages: [boundary(), user('s', { kind: 'summary' }), assistant('x', { isCompactionReply: true, ...reported(5000, 900) })],
    reportedTokens: undefined,
    tail: 20,
  },
  {
    name: 'also where it stands on the summary',
    messages: [boundary(), assistant('s', { kind: 'summary', ...reported(5000, 900) }), user('q')],
    reportedTokens: undefined,
    tail: 20,
  },
  {
    name: 'a report after the boundary counts',
    messages: [assistant('a', reported(900, 15)), boundary(), user('s', { kind: 'summary' }), assistant('b', reported(300, 12))],
    reportedTokens: 300,
    tail: 12,
    at: 'm3',
  },
  {
    name: 'a report that holds the reply already',
    messages: [
      user('q'),
      assistant('a', { usage: { inputTokens: 80, outputTokens: 50, cacheReadTokens: 0, cacheCreationTokens: 0, contextTokens: 130 } }),
      user('r'),
    ],
    reportedTokens: 130,
    tail: 10,
    at: 'm1',
  },
  {
    name: 'a relay’s constant id: only the last run is the reply',
    messages: [assistant('a', { ...m1, ...reported(100, 5) }), user('q'), assistant('b', { ...m1, ...reported(300, 5) })],
    reportedTokens: 300,
    tail: 10,
    at: 'm2',
  },
  {
    name: 'counts that stand apart hold the reply',
    messages: [user('q'), assistant('a'), user('r')],
    more: { reports: [report(2, 500)] },
    reportedTokens: 500,
    tail: 10,
    at: 'm1',
  },
  {
    name: 'the newest of them wins',
    messages: [user('q'), assistant('a'), user('r')],
    more: { reports: [report(2, 500), report(3, 700)] },
    reportedTokens: 700,
    tail: 0,
    at: 'm2',
  },
  {
    name: 'none after the boundary',
    messages: [user('q'), boundary(), user('s')],
    more: { reports: [report(1, 500)] },
    reportedTokens: undefined,
    tail: 10,
  },
  {
    name: 'one right after the boundary',
    messages: [user('q'), boundary(), user('s')],
    more: { reports: [report(2, 400)] },
    reportedTokens: 400,
    tail: 10,
    at: 'm1',
  },
  { name: 'one of 0 is none', messages: [user('q')], more: { reports: [report(1, 0)] }, reportedTokens: undefined, tail: 10 },
  { name: 'one before any message', messages: [user('q')], more: { reports: [report(0, 12_000)] }, reportedTokens: 12_000, tail: 10 },
];

function report(afterIndex: number, contextTokens: number, isAgentEstimate = false): ContextReport {
  return { afterIndex, contextTokens, inputTokens: contextTokens, outputTokens: 7, cacheReadTokens: 3, isAgentEstimate, line: 0 };
}

describe('use of the context', () => {
  for (const { name, messages, more, reportedTokens, tail, at } of ROWS) {
    it(name, () => {
      const usage = usageOf(messages, more);
      assert.deepEqual(
        { reportedTokens: usage.reportedTokens, tail: usage.estimatedTailTokens, used: usage.usedTokens, at: usage.atMessage },
        { reportedTokens, tail, used: (reportedTokens ?? 0) + tail, at },
      );
      assert.equal(usage.atIndex, at === undefined ? undefined : Number(at.slice(1)));
    });
  }

  it('says where its numbers come from', () => {
    assert.equal(usageOf([]).measurement, 'unknown');
    assert.equal(usageOf([user('q')]).measurement, 'localLowerBound');
    assert.equal(usageOf([assistant('a', reported(5, 5))]).measurement, 'providerReported');
    assert.equal(usageOf([user('q')], { reports: [report(1, 500)] }).measurement, 'providerReported');
    const estimate = usageOf([user('q')], { reports: [report(1, 500, true)] });
    assert.deepEqual([estimate.measurement, estimate.outputTokens, estimate.cacheReadTokens], ['localEstimate', undefined, undefined]);
  });

  it('gives the parts of the report', () => {
    const { outputTokens, cacheReadTokens, cacheCreationTokens } = usageOf([assistant('a', reported(1, 2, 3, 4))]);
    assert.deepEqual([outputTokens, cacheReadTokens, cacheCreationTokens], [2, 3, 4]);
    const apart = usageOf([user('q')], { reports: [report(1, 500)] });
    assert.deepEqual([apart.outputTokens, apart.cacheReadTokens, apart.cacheCreationTokens], [7, 3, undefined]);
    assert.deepEqual(usageOf([user('q')]).outputTokens, undefined);
  });

  it('puts a band around what is estimated, and only that', () => {
    const band = (tokens: number): number => Math.ceil(tokens * ERROR_BAND.share) + ERROR_BAND.tokens;
    assert.equal(usageOf([assistant('a', reported(100, 50))]).errorTokens, 0);
    assert.equal(usageOf([assistant('a', reported(100, 50)), user('q')]).errorTokens, band(10));
    assert.equal(usageOf([assistant('a', reported(100, 1)), user('q')]).errorTokens, band(20));
    assert.equal(usageOf([user('q')]).errorTokens, band(10));
    assert.equal(usageOf([user('q')], { reports: [report(1, 500, true)] }).errorTokens, band(500));
  });

  it('tells from where on the tail begins', () => {
    const fragments = [user('q'), assistant('a', { ...m1, ...reported(100, 5) }), results('t'), assistant('b', m1)];
    assert.equal(usageOf(fragments).tailFrom, 1);
    assert.equal(usageOf([user('q'), user('r')], { reports: [report(1, 500)] }).tailFrom, 1);
    assert.equal(usageOf([user('q')]).tailFrom, 0);
  });

  it('keeps reports valid over a microcompact', () => {
    const micro: Message = { ...boundary(), kind: 'microBoundary' };
    const messages = [assistant('a', reported(900, 15)), micro, user('q')];
    const at = transcriptOf([boundary()]).boundaries.map((one) => ({ ...one, index: 1 }));
    assert.equal(usageOf(messages, { boundaries: at }).reportedTokens, 900);
  });
});
