import assert from 'node:assert/strict';
import { arrayOf } from '../../../../src/core/util/json';
import { snapshotText, THANKS } from '../../../../src/core/session/copy/snapshot';
import { compact, jsonl, recordOf, recordsOf, saying, type Json } from './chats';
import { NEW_ID, NOW, session, SUMMARY } from './roundTrip';

const TIME = '2026-01-01T00:00:00.000Z';
const HEADER = { sessionId: 's-1', projectHash: 'h', startTime: TIME, lastUpdated: TIME, kind: 'main' };
const prompt = (id: string, text: string): Json => ({ id, timestamp: TIME, type: 'user', content: [{ text }] });
const answer = (id: string, text: string, more: Json = {}): Json => {
  return {
    id,
    timestamp: TIME,
    type: 'gemini',
    content: text,
    thoughts: [],
    tokens: { input: 900_000, output: 1, cached: 0 },
    model: 'm',
    ...more,
  };
};
const response = (id: string): Json => ({ functionResponse: { id, name: 'read_file', response: { output: `result ${id}` } } });
const call = (id: string, more: Json = {}): Json => ({
  id,
  name: 'read_file',
  args: {},
  result: [response(id)],
  status: 'success',
  ...more,
});
const calling = answer('a2', 'both', { toolCalls: [call('c1', { resultDisplay: 'shown' }), call('c2')] });
const results = (id: string): Json => ({ id, timestamp: TIME, type: 'user', content: [response('c1'), response('c2')] });

const LIST = [prompt('u1', 'one'), answer('a1', 'said one'), prompt('u2', 'two'), calling, results('r1'), answer('a3', 'said two')];
const LOG = jsonl([HEADER, ...LIST.slice(0, 3), { $set: { lastUpdated: TIME } }, { ...calling, toolCalls: undefined }, ...LIST.slice(3)]);

/** The pair that stands for a summary, without its ids. */
function assertPair([snapshot, thanks]: readonly (Json | undefined)[]): void {
  assert.deepEqual({ ...snapshot, id: '' }, { id: '', timestamp: NOW, type: 'user', content: [{ text: snapshotText(SUMMARY) }] });
  assert.deepEqual({ ...thanks, id: '' }, { id: '', timestamp: NOW, type: 'gemini', content: THANKS, thoughts: [], model: 'm' });
}

describe('copies of Gemini CLI sessions', () => {
  it('writes header, summary, its thanks and the kept records in place of the log', () => {
    const trip = compact(LOG, { kind: 'partialUpTo', pivotId: 'u2' });
    const [header, snapshot, thanks, ...kept] = recordsOf(trip);
    assert.deepEqual(header, { ...HEADER, sessionId: NEW_ID, startTime: NOW, lastUpdated: NOW });
    assertPair([snapshot, thanks]);
    assert.deepEqual(
      kept.map(({ id, tokens }) => [id, tokens]),
      [
        ['u2', undefined],
        ['a2', undefined],
        ['r1', undefined],
        ['a3', undefined],
      ],
    );
    assert.equal(snapshot?.['id'], trip.copy.boundary.summaryId);
    assert.equal(trip.read.boundaries[0]?.summaryId, trip.copy.boundary.summaryId);
  });

  it('writes the pair behind the kept records for a summary of the later part', () => {
    const records = recordsOf(compact(LOG, { kind: 'partialFrom', pivotId: 'u2' }));
    assert.deepEqual(
      records.slice(1, 3).map(({ id }) => id),
      ['u1', 'a1'],
    );
    assertPair(records.slice(3));
  });

  it('holds each result once: the agent sends those inside of a call as well as the message of them', () => {
    const twice = jsonl([HEADER, ...LIST.slice(0, 5), results('a2_response'), ...LIST.slice(5)]);
    for (const source of [LOG, twice]) {
      const [, , , , kept, ...rest] = recordsOf(compact(source, { kind: 'partialUpTo', pivotId: 'u2' }));
      assert.deepEqual(kept?.['toolCalls'], [
        { id: 'c1', name: 'read_file', args: {}, status: 'success', resultDisplay: 'shown' },
        { id: 'c2', name: 'read_file', args: {}, status: 'success' },
      ]);
      assert.deepEqual(
        rest.map(({ id }) => id),
        ['r1', 'a3'],
      );
    }
  });

  it('leaves results inside of their call where no message holds them, and says still that a call failed', () => {
    const inside = answer('a2', 'both', { toolCalls: [call('c1'), call('c2', { status: 'error' })] });
    const source = jsonl([HEADER, ...LIST.slice(0, 3), inside, answer('a3', 'said two')]);
    const records = recordsOf(compact(source, { kind: 'partialUpTo', pivotId: 'u2' }));
    assert.deepEqual(records[4]?.['toolCalls'], inside['toolCalls']);
    assert.equal(records.length, 6);
  });

  it('keeps a document a document, with its other fields', () => {
    const inside = [...LIST.slice(0, 4), answer('a3', 'said two')];
    for (const space of [undefined, 2]) {
      const source = session(JSON.stringify({ ...HEADER, kind: undefined, summary: 'Stones', messages: inside }, null, space));
      assert.equal(source.transcript.format, 'gemini');
      for (const kind of ['partialUpTo', 'partialFrom'] as const) {
        const { copy } = compact(source, { kind, pivotId: saying(source, 'two') });
        const document = recordOf(copy.records.join('\n'));
        assert.deepEqual([document['sessionId'], document['summary'], document['projectHash']], [NEW_ID, 'Stones', 'h']);
        assert.equal(arrayOf(document, 'messages')?.length, kind === 'partialUpTo' ? 5 : 4);
      }
    }
  });

  it('takes messages of the newest list, each under an id of its own', () => {
    const list = {
      $set: { messages: [...LIST.slice(0, 2), prompt('u1', 'one'), prompt('u2', 'two'), { content: [{ text: 'no id' }], type: 'user' }] },
    };
    const source = jsonl([HEADER, ...LIST.slice(0, 2), list, answer('a9', 'last')]);
    const records = recordsOf(compact(source, { kind: 'partialUpTo', pivotId: 'u2' }));
    const ids = records.slice(1).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('keeps the bytes of kept records but for usage', () => {
    const odd = '{"id":"u2","type":"user","big":12345678901234567890,"content":[{"text":"tw\\u006f","f":1.0}]}';
    const { copy } = compact(jsonl([HEADER, ...LIST.slice(0, 2), odd]), { kind: 'partialUpTo', pivotId: 'u2' });
    assert.equal(copy.records[3], odd);
  });
});
