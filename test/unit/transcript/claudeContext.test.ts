// What Claude Code itself loads of compacted sessions, tried with the real program; one test a variant.
import assert from 'node:assert/strict';
import type { Transcript } from '../../../src/core/model/transcript';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { answers, boundary, bytes, calls, line, says, summary, user } from './claudeLines';

const HEAD = [user({ uuid: 'p1', parent: null }, 'TURN-1'), says('q1', 'p1', 'm1', 'REPLY-1')];
const TAIL = [
  user({ uuid: 'p2', parent: 'q1' }, 'TURN-2'),
  calls('a1', 'p2', 'm2', 't1'),
  calls('a2', 'a1', 'm2', 't2'),
  answers('r1', 'a1', 't1'),
  answers('r2', 'a2', 't2'),
  says('q2', 'r2', 'm3', 'REPLY-2'),
];
const TAIL_IDS = ['p2', 'a1', 'a2', 'r1', 'r2', 'q2'];

function read(...lines: readonly string[]): Transcript {
  return readTranscript(bytes(...lines));
}

function seen(transcript: Transcript): readonly string[] {
  return transcript.context.map((index) => transcript.messages[index]?.id ?? '?');
}

/** Hangs the first of some records on another parent. */
function hung(lines: readonly string[], parent: string): readonly string[] {
  const [first = '', ...others] = lines;
  return [first.replace(/"parentUuid":(?:null|"[^"]*")/, `"parentUuid":"${parent}"`), ...others];
}

describe('contexts of compacted Claude Code sessions', () => {
  it('own /compact: summary, preserved message, the rest', () => {
    const metadata = {
      postTokens: 90,
      durationMs: 12,
      preservedSegment: { headUuid: 'q2', anchorUuid: 's', tailUuid: 'q2' },
      preservedMessages: { anchorUuid: 's', uuids: ['q2'], allUuids: ['q2'] },
    };
    const transcript = read(
      ...HEAD,
      ...TAIL,
      boundary('B', metadata, { logicalParentUuid: 'q2', timestamp: '2026-01-05T10:00:00Z' }),
      summary('s', 'B'),
      user({ uuid: 'c', parent: 's', more: { isMeta: true } }, 'caveat'),
      user({ uuid: 'n', parent: 'c' }, 'next'),
    );
    assert.deepEqual(seen(transcript), ['s', 'q2', 'c', 'n']);
    assert.equal(transcript.messages.length, 12);
    assert.deepEqual(transcript.boundaries, [
      {
        index: 8,
        id: 'B',
        timestamp: '2026-01-05T10:00:00Z',
        trigger: 'manual',
        preTokens: 1000,
        postTokens: 90,
        durationMs: 12,
        summaryId: 's',
        preservedSegment: { startIndex: 7, count: 1, anchor: 's', direction: 'upTo', ids: ['q2'] },
        valid: true,
      },
    ]);
  });

  it('upto-phys: boundary, summary and tail alone in the file', () => {
    const transcript = read(boundary('B'), summary('s', 'B'), ...hung(TAIL, 's'));
    assert.deepEqual(seen(transcript), ['s', ...TAIL_IDS]);
    assert.equal(transcript.boundaries[0]?.valid, true);
  });

  it('upto-full: the old head before the boundary', () => {
    const transcript = read(...HEAD, boundary('B', {}, { logicalParentUuid: 'q1' }), summary('s', 'B'), ...hung(TAIL, 's'));
    assert.deepEqual(seen(transcript), ['s', ...TAIL_IDS]);
    assert.equal(transcript.messages.length, 10);
  });

  it('upto-seg: everything untouched, the tail named by the boundary', () => {
    const preserved = { preservedMessages: { anchorUuid: 's', allUuids: TAIL_IDS } };
    const transcript = read(...HEAD, ...TAIL, boundary('B', preserved, { logicalParentUuid: 'q2' }), summary('s', 'B'));
    assert.deepEqual(seen(transcript), ['s', ...TAIL_IDS]);
    assert.deepEqual(transcript.boundaries[0]?.preservedSegment?.startIndex, 2);
  });

  it('upto-seg without names: only the summary is left', () => {
    assert.deepEqual(seen(read(...HEAD, ...TAIL, boundary('B'), summary('s', 'B'))), ['s']);
  });

  it('a segment alone: the walk over the parents loses the first of two parallel calls and its result, as in the program', () => {
    const segment = { preservedSegment: { headUuid: 'p2', anchorUuid: 's', tailUuid: 'q2' } };
    const transcript = read(...HEAD, ...TAIL, boundary('B', segment), summary('s', 'B'));
    assert.deepEqual(seen(transcript), ['s', 'p2', 'a1', 'a2', 'r2', 'q2']);
  });

  it('from-phys: boundary, head, summary', () => {
    const transcript = read(boundary('B'), ...hung(HEAD, 'B'), summary('s', 'q1'));
    assert.deepEqual(seen(transcript), ['p1', 'q1', 's']);
    assert.equal(transcript.boundaries[0]?.summaryId, 's');
  });

  for (const parent of ['B', 'q1']) {
    it(`from-seg: head named by the boundary with itself as anchor, summary behind ${parent}`, () => {
      const preserved = { preservedMessages: { anchorUuid: 'B', allUuids: ['p1', 'q1'] } };
      const lines = [...HEAD, ...TAIL, boundary('B', preserved, { logicalParentUuid: 'q2' })];
      const transcript =
        parent === 'B' ? read(...lines, summary('s', 'B')) : read(...lines, summary('s', 'B'), user({ uuid: 'n', parent: 's' }, 'n'));
      assert.deepEqual(seen(transcript).slice(0, 3), ['p1', 'q1', 's']);
      assert.equal(transcript.boundaries[0]?.preservedSegment?.direction, 'from');
    });
  }

  it('from-naive: a head before an ordinary boundary is lost', () => {
    assert.deepEqual(seen(read(...HEAD, boundary('B'), summary('s', 'B'))), ['s']);
  });

  it('no boundary: everything on the chain', () => {
    assert.deepEqual(seen(read(summary('s', null), ...hung(TAIL, 's'))), ['s', ...TAIL_IDS]);
    assert.deepEqual(seen(read(...HEAD, summary('s', 'q1'))), ['p1', 'q1', 's']);
  });

  it('old versions: a summary that begins a tree of its own is a compaction', () => {
    const transcript = read(...HEAD, summary('s', null), user({ uuid: 'n', parent: 's' }, 'next'));
    assert.deepEqual(seen(transcript), ['s', 'n']);
    assert.deepEqual([transcript.messages.length, transcript.boundaries.length], [4, 0]);
  });

  it('the last of several boundaries counts', () => {
    const transcript = read(
      ...HEAD,
      boundary('B1'),
      summary('s1', 'B1'),
      user({ uuid: 'n', parent: 's1' }, 'next'),
      boundary('B2', { trigger: 'auto' }),
      summary('s2', 'B2'),
    );
    assert.deepEqual(seen(transcript), ['s2']);
    assert.deepEqual(
      transcript.boundaries.map((one) => [one.id, one.trigger, one.summaryId]),
      [
        ['B1', 'manual', 's1'],
        ['B2', 'auto', 's2'],
      ],
    );
  });

  it('a microcompact hides nothing', () => {
    const micro = line('system', 'M', 'q1', { subtype: 'microcompact_boundary', content: 'Context microcompacted' });
    const transcript = read(...HEAD, micro, user({ uuid: 'n', parent: 'M' }, 'next'));
    assert.deepEqual(seen(transcript), ['p1', 'q1', 'n']);
    assert.deepEqual([transcript.boundaries.length, transcript.messages[2]?.kind], [0, 'microBoundary']);
  });

  it('names that are not in the file make a boundary invalid and are reported', () => {
    const preserved = { preservedMessages: { anchorUuid: 's', allUuids: ['gone', 'q1'] } };
    const transcript = read(...HEAD, boundary('B', preserved), summary('s', 'B'));
    assert.deepEqual(seen(transcript), ['s', 'q1']);
    assert.equal(transcript.boundaries[0]?.valid, false);
    assert.deepEqual(transcript.diagnostics, [{ line: 3, code: 'missing_preserved', severity: 'warning', detail: '1 of 2' }]);
  });

  it('a boundary without a summary is invalid', () => {
    const transcript = read(...HEAD, boundary('B'));
    assert.deepEqual([seen(transcript), transcript.boundaries[0]?.valid], [[], false]);
  });

  it('loops among preserved parents end', () => {
    const segment = { preservedSegment: { headUuid: 'x', anchorUuid: 's', tailUuid: 'q1' } };
    const looped = HEAD.map((one) => one.replace('"parentUuid":null', '"parentUuid":"q1"'));
    assert.ok(read(...looped, boundary('B', segment), summary('s', 'B')).boundaries.length === 1);
  });
});
