import assert from 'node:assert/strict';
import { THANKS, snapshotText } from '../../../../src/core/session/copy/snapshot';
import { compact, jsonl, recordsOf, saying, type Json } from './chats';
import { NEW_ID, NOW, SUMMARY } from './roundTrip';

const ENVELOPE = { sessionId: 's-1', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p', version: '0.15.10' };
const PAIR = [
  { role: 'user', parts: [{ text: snapshotText(SUMMARY) }] },
  { role: 'model', parts: [{ text: THANKS }] },
];
const record = (uuid: string, parentUuid: string | null, type: string, more: Json): Json => ({
  uuid,
  parentUuid,
  ...ENVELOPE,
  type,
  ...more,
});
const prompt = (uuid: string, parent: string | null, text: string): Json =>
  record(uuid, parent, 'user', { message: { role: 'user', parts: [{ text }] }, other: { n: 1 } });
const answer = (uuid: string, parent: string, parts: readonly Json[]): Json =>
  record(uuid, parent, 'assistant', { model: 'm', message: { role: 'model', parts }, usageMetadata: { promptTokenCount: 900_000 } });
const result = (uuid: string, parent: string, id: string): Json =>
  record(uuid, parent, 'tool_result', {
    message: { role: 'user', parts: [{ functionResponse: { id, name: 'read_file', response: { output: id } } }] },
  });
const call = (id: string): Json => ({ functionCall: { id, name: 'read_file', args: {} } });

const SOURCE = jsonl([
  prompt('u1', null, 'one'),
  record('s1', 'u1', 'system', { subtype: 'ui_telemetry', systemPayload: { uiEvent: { input_token_count: 900_000 } } }),
  answer('a1', 's1', [{ text: 'said one' }]),
  prompt('u2', 'a1', 'two'),
  answer('a2', 'u2', [{ text: 'both' }, call('c1'), call('c2')]),
  result('r1', 'a2', 'c1'),
  result('r2', 'r1', 'c2'),
  answer('a3', 'r2', [{ text: 'said two' }]),
]);

describe('copies of Qwen Code sessions', () => {
  it('begins with a compression and chains the kept records to it for a summary of the earlier part', () => {
    const trip = compact(SOURCE, { kind: 'partialUpTo', pivotId: 'u2' });
    const [compression, first, ...rest] = recordsOf(trip);
    const { uuid } = compression ?? {};
    assert.deepEqual(compression, {
      type: 'system',
      subtype: 'chat_compression',
      systemPayload: { info: { originalTokenCount: 2000, newTokenCount: 500, compressionStatus: 1 }, compressedHistory: PAIR },
      uuid,
      parentUuid: null,
      sessionId: NEW_ID,
      timestamp: NOW,
      cwd: '/p',
      version: '0.15.10',
    });
    assert.deepEqual(first, { ...prompt('u2', null, 'two'), parentUuid: uuid, sessionId: NEW_ID });
    assert.deepEqual(
      rest.map((one) => [one['uuid'], one['parentUuid'], one['usageMetadata']]),
      [
        ['a2', 'u2', undefined],
        ['r1', 'a2', undefined],
        ['r2', 'r1', undefined],
        ['a3', 'r2', undefined],
      ],
    );
    assert.equal(trip.read.boundaries[0]?.summaryId, trip.copy.boundary.summaryId);
  });

  it('ends with a compression that states the kept messages before the summary of the later part', () => {
    const trip = compact(SOURCE, { kind: 'partialFrom', pivotId: 'u2' });
    const records = recordsOf(trip);
    assert.deepEqual(
      records.map((one) => one['uuid']),
      ['u1', 'a1', trip.copy.boundary.id],
    );
    const messages = records.slice(0, 2).map((one) => one['message']);
    assert.deepEqual(records[2]?.['systemPayload'], {
      info: { originalTokenCount: 2000, newTokenCount: 500, compressionStatus: 1 },
      compressedHistory: [...messages, ...PAIR],
    });
    assert.deepEqual([trip.read.boundaries[0]?.preservedSegment?.direction, trip.read.boundaries[0]?.valid], ['from', true]);
  });

  it('compacts its own copies again, with the contents that only a compression states', () => {
    const first = compact(SOURCE, { kind: 'partialFrom', pivotId: 'u2' });
    const again = jsonl([
      ...first.copy.records,
      prompt('u3', String(first.copy.boundary.id), 'three'),
      answer('a4', 'u3', [{ text: 'said three' }]),
    ]);
    for (const pivotId of [saying(again, 'three'), saying(again, 'said one')]) {
      compact(again, { kind: 'partialUpTo', pivotId });
      compact(again, { kind: 'partialFrom', pivotId });
    }
  });

  it('keeps the bytes of kept records but for identity, parent and usage', () => {
    const odd =
      '{"uuid":"u2","parentUuid":"a1","sessionId":"s-1","type":"user","big":12345678901234567890,"message":{"role":"user","parts":[{"text":"tw\\u006f","f":1.0}]}}';
    const source = jsonl([prompt('u1', null, 'one'), answer('a1', 'u1', [{ text: 'said one' }]), odd]);
    const { copy } = compact(source, { kind: 'partialUpTo', pivotId: 'u2' });
    assert.equal(copy.records[1], odd.replace('"a1"', `"${copy.boundary.id ?? ''}"`).replace('"s-1"', `"${NEW_ID}"`));
  });
});
