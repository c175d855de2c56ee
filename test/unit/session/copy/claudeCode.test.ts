import assert from 'node:assert/strict';
import type { PlanRequest } from '../../../../src/core/compaction/plan';
import { isRecord } from '../../../../src/core/util/json';
import { buildCopy } from '../../../../src/core/session/copy/copyWriter';
import { assertFaithful, copyInput, NEW_ID, NOW, planFor, roundTrip, session, SUMMARY, type RoundTrip, type Session } from './roundTrip';

type Json = Readonly<Record<string, unknown>>;

const BOUNDARY = '00000000-0000-4000-8000-000000000001';
const SUMMARY_ID = '00000000-0000-4000-8000-000000000002';
const ENVELOPE = { cwd: '/p', version: '2.1.9', gitBranch: 'main', userType: 'external', entrypoint: 'cli', sessionId: 's-1' };
const USAGE = {
  input_tokens: 1,
  cache_creation_input_tokens: 2,
  cache_read_input_tokens: 190_000,
  output_tokens: 4,
  cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 0 },
  server_tool_use: { web_search_requests: 1 },
  iterations: [{ input_tokens: 1 }],
  service_tier: 'standard',
  inference_geo: null,
};

function record(uuid: string, parentUuid: string | null, type: string, more: Json): Json {
  return { parentUuid, isSidechain: false, type, uuid, timestamp: '2026-01-01T00:00:00.000Z', ...ENVELOPE, ...more };
}

const prompt = (uuid: string, parent: string | null, text: string): Json =>
  record(uuid, parent, 'user', { message: { role: 'user', content: text }, unknown: { big: 1 } });
const answer = (uuid: string, parent: string, id: string, block: Json): Json =>
  record(uuid, parent, 'assistant', {
    requestId: `r-${id}`,
    message: { id, role: 'assistant', model: 'm', content: [block], usage: USAGE },
  });
const text = (uuid: string, parent: string, id: string): Json => answer(uuid, parent, id, { type: 'text', text: `said ${id}` });
const call = (uuid: string, parent: string, id: string, tool: string): Json =>
  answer(uuid, parent, id, { type: 'tool_use', id: tool, name: 'Read', input: {} });
const result = (uuid: string, parent: string, tool: string): Json =>
  record(uuid, parent, 'user', { message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: tool, content: 'r' }] } });

const CONVERSATION: readonly Json[] = [
  prompt('u1', null, 'one'),
  text('a1', 'u1', 'm1'),
  prompt('u2', 'a1', 'two'),
  text('a2', 'u2', 'm2'),
  { type: 'last-prompt', leafUuid: 'a2', sessionId: 's-1' },
  { type: 'custom-title', customTitle: 'Stones', sessionId: 's-1' },
];

function sessionOf(records: readonly (Json | string)[]): Session {
  return session(records.map((item) => `${typeof item === 'string' ? item : JSON.stringify(item)}\n`).join(''));
}

function compact(source: Session, request: PlanRequest): RoundTrip {
  const plan = planFor(source, request);
  assert.ok(plan, 'the plan is made');
  const trip = roundTrip(source, plan);
  assertFaithful(trip);
  return trip;
}

function recordsOf({ copy }: RoundTrip): readonly Json[] {
  return copy.records.map((line) => {
    const value: unknown = JSON.parse(line);
    assert.ok(isRecord(value));
    return value;
  });
}

function parentsOf(trip: RoundTrip): Json {
  return Object.fromEntries(recordsOf(trip).map(({ uuid, parentUuid }) => [String(uuid), parentUuid]));
}

describe('copies of Claude Code sessions', () => {
  it('writes boundary, summary and kept records for a summary of the earlier part', () => {
    const trip = compact(sessionOf(CONVERSATION), { kind: 'partialUpTo', pivotId: 'u2' });
    const preserved = { anchorUuid: SUMMARY_ID, uuids: ['u2', 'a2'], allUuids: ['u2', 'a2'] };
    const zero = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
    assert.deepEqual(recordsOf(trip), [
      {
        parentUuid: null,
        isSidechain: false,
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        isMeta: false,
        timestamp: NOW,
        uuid: BOUNDARY,
        level: 'info',
        compactMetadata: {
          trigger: 'manual',
          preTokens: 2000,
          postTokens: 500,
          preservedSegment: { headUuid: 'u2', anchorUuid: SUMMARY_ID, tailUuid: 'a2' },
          preservedMessages: preserved,
        },
        ...ENVELOPE,
        sessionId: NEW_ID,
      },
      {
        parentUuid: BOUNDARY,
        isSidechain: false,
        type: 'user',
        message: { role: 'user', content: SUMMARY },
        isVisibleInTranscriptOnly: true,
        isCompactSummary: true,
        uuid: SUMMARY_ID,
        timestamp: NOW,
        ...ENVELOPE,
        sessionId: NEW_ID,
      },
      { ...CONVERSATION[2], parentUuid: SUMMARY_ID, sessionId: NEW_ID },
      {
        ...CONVERSATION[3],
        sessionId: NEW_ID,
        message: {
          id: 'm2',
          role: 'assistant',
          model: 'm',
          content: [{ type: 'text', text: 'said m2' }],
          usage: {
            ...zero,
            cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
            server_tool_use: { web_search_requests: 0 },
            iterations: [],
            service_tier: 'standard',
            inference_geo: null,
          },
        },
      },
    ]);
    assert.deepEqual(trip.copy.boundary, { id: BOUNDARY, summaryId: SUMMARY_ID, preservedIds: ['u2', 'a2'] });
    const [boundary] = trip.read.boundaries;
    assert.deepEqual(
      [boundary?.valid, boundary?.summaryId, boundary?.preservedSegment?.direction, boundary?.preservedSegment?.ids],
      [true, SUMMARY_ID, 'upTo', ['u2', 'a2']],
    );
  });

  it('writes boundary, kept records and summary for a summary of the later part', () => {
    const trip = compact(sessionOf(CONVERSATION), { kind: 'partialFrom', pivotId: 'u2' });
    assert.deepEqual(
      recordsOf(trip).map(({ uuid, parentUuid }) => [uuid, parentUuid]),
      [
        [BOUNDARY, null],
        ['u1', BOUNDARY],
        ['a1', 'u1'],
        [SUMMARY_ID, 'a1'],
      ],
    );
    const [boundary] = trip.read.boundaries;
    assert.deepEqual(
      [boundary?.valid, boundary?.preservedSegment?.anchor, boundary?.preservedSegment?.direction],
      [true, BOUNDARY, 'from'],
    );
  });

  it('keeps the bytes of kept records but for identity, parent and usage', () => {
    const odd =
      '{"type":"user","uuid":"u2","parentUuid":"a1","sessionId":"s-1","session_id":"s-1","big":12345678901234567890,"f":1.0,' +
      '"message":{"role":"user","content":[{"type":"text","text":"\\u0074wo \\ud83d\\ude00","1":0,"0":1}]},"__proto__":{"x":1},"timestamp":"t"}';
    const trip = compact(sessionOf([...CONVERSATION.slice(0, 2), odd]), { kind: 'partialUpTo', pivotId: 'u2' });
    assert.equal(trip.copy.records[2], odd.replaceAll('"s-1"', `"${NEW_ID}"`).replace('"a1"', `"${SUMMARY_ID}"`));
  });

  it('keeps the ladder of parallel calls, and hangs a result whose parent was no message on its call', () => {
    const ladder = [
      prompt('u1', null, 'one'),
      text('a1', 'u1', 'm1'),
      prompt('u2', 'a1', 'two'),
      call('c1', 'u2', 'm2', 't1'),
      call('c2', 'c1', 'm2', 't2'),
      record('p1', 'c1', 'progress', { data: {} }),
      result('r1', 'p1', 't1'),
      result('r2', 'c2', 't2'),
      text('a3', 'r2', 'm3'),
    ];
    const parents = parentsOf(compact(sessionOf(ladder), { kind: 'partialUpTo', pivotId: 'u2' }));
    assert.deepEqual(parents, {
      [BOUNDARY]: null,
      [SUMMARY_ID]: BOUNDARY,
      u2: SUMMARY_ID,
      c1: 'u2',
      c2: 'c1',
      r1: 'c1',
      r2: 'c2',
      a3: 'r2',
    });
  });

  it('puts messages that an earlier compaction preserved behind the old summary, where the model sees them', () => {
    const meta = {
      trigger: 'manual',
      preTokens: 100,
      preservedSegment: { headUuid: 'u2', anchorUuid: 's1', tailUuid: 'a2' },
      preservedMessages: { anchorUuid: 's1', uuids: ['u2', 'a2'], allUuids: ['u2', 'a2'] },
    };
    const source = sessionOf([
      ...CONVERSATION.slice(0, 4),
      record('b1', null, 'system', { subtype: 'compact_boundary', logicalParentUuid: 'a2', content: 'x', compactMetadata: meta }),
      record('s1', 'b1', 'user', { isCompactSummary: true, message: { role: 'user', content: 'old summary' } }),
      prompt('u3', 's1', 'three'),
      text('a3', 'u3', 'm3'),
    ]);
    const trip = compact(source, { kind: 'partialFrom', pivotId: 'u3' });
    assert.deepEqual(parentsOf(trip), { [BOUNDARY]: null, s1: BOUNDARY, u2: 's1', a2: 'u2', [SUMMARY_ID]: 'a2' });
    const upTo = compact(source, { kind: 'partialUpTo', pivotId: 'a2' });
    assert.deepEqual(parentsOf(upTo), { [BOUNDARY]: null, [SUMMARY_ID]: BOUNDARY, a2: SUMMARY_ID, u3: 'a2', a3: 'u3' });
  });

  it('reads records off damaged lines as the reader did: fused, padded with zero bytes, behind a torn one', () => {
    const [one, two, three, four] = CONVERSATION.map((item) => JSON.stringify(item));
    const source = sessionOf([`${one ?? ''}${two ?? ''}`, `\0\0${three ?? ''}`, `{"type":"user","mess${four ?? ''}`]);
    assert.equal(source.transcript.messages.length, 4);
    const trip = compact(source, { kind: 'partialFrom', pivotId: 'u2' });
    assert.deepEqual(Object.keys(parentsOf(trip)), [BOUNDARY, 'u1', 'a1', SUMMARY_ID]);
    assert.deepEqual(trip.read.diagnostics, []);
    const upTo = compact(source, { kind: 'partialUpTo', pivotId: 'a1' });
    assert.deepEqual(Object.keys(parentsOf(upTo)), [BOUNDARY, SUMMARY_ID, 'a1', 'u2', 'a2']);
    assert.deepEqual(upTo.read.diagnostics, []);
  });

  it('gives a record without a uuid one of its own', () => {
    const nameless = { ...prompt('x', 'a1', 'two'), uuid: undefined };
    const trip = compact(sessionOf([...CONVERSATION.slice(0, 2), nameless]), { kind: 'partialUpTo', pivotId: 'line:3' });
    assert.match(String(recordsOf(trip)[2]?.['uuid']), /^00000000-0000-4000-8000-\d{12}$/);
  });

  it('takes the envelope from the newest record, and does without one', () => {
    const moved = { ...prompt('u3', 'a2', 'three'), cwd: '/elsewhere', version: '3.0.0' };
    const trip = compact(sessionOf([...CONVERSATION, moved]), { kind: 'partialFrom', pivotId: 'u2' });
    assert.deepEqual([recordsOf(trip)[0]?.['cwd'], recordsOf(trip)[0]?.['version']], ['/elsewhere', '3.0.0']);
    const bare = ['one', 'two'].map((words, index) => ({
      type: 'user',
      uuid: `u${index}`,
      parentUuid: index === 0 ? null : 'u0',
      message: { role: 'user', content: words },
    }));
    const summary = recordsOf(compact(sessionOf(bare), { kind: 'partialUpTo', pivotId: 'u1' }))[1];
    assert.equal(summary && 'cwd' in summary, false);
  });

  it('refuses a source that does not hold the kept records any more', () => {
    const source = sessionOf(CONVERSATION);
    const plan = planFor(source, { kind: 'partialUpTo', pivotId: 'u2' });
    assert.ok(plan);
    for (const lines of [(): undefined => undefined, (): string => '', (): string => '{"type":"user","uuid":"other"}']) {
      assert.throws(() => buildCopy(copyInput(source, plan, { lines })), { name: 'CompactError', code: 'staleSource' });
    }
  });

  it('gives the same bytes for the same input (P72)', () => {
    const source = sessionOf(CONVERSATION);
    const plan = planFor(source, { kind: 'partialUpTo', pivotId: 'u2' });
    assert.ok(plan);
    assert.deepEqual(buildCopy(copyInput(source, plan)), buildCopy(copyInput(source, plan)));
  });
});
