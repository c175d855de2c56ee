import assert from 'node:assert/strict';
import { compact, jsonl, recordsOf, type Json } from './chats';
import { NEW_ID, NOW, SUMMARY } from './roundTrip';

const TIME = '2026-01-01T00:00:00.000Z';
const HEADER = { type: 'session', version: 3, id: 's-1', timestamp: TIME, cwd: '/p' };
const USAGE = { input: 5, output: 6, cacheRead: 190_000, cacheWrite: 7, totalTokens: 190_018, cost: { input: 0.1, total: 0.2 } };
const ZERO = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { input: 0, total: 0 } };
const entry = (id: string, parentId: string | null, more: Json): Json => ({ type: 'message', id, parentId, timestamp: TIME, ...more });
const prompt = (id: string, parent: string | null, text: string): Json =>
  entry(id, parent, { message: { role: 'user', content: [{ type: 'text', text }], timestamp: 1 } });
const answer = (id: string, parent: string, content: readonly Json[]): Json =>
  entry(id, parent, { message: { role: 'assistant', content, provider: 'p', model: 'm', usage: USAGE, stopReason: 'stop' } });
const said = (text: string): Json => ({ type: 'text', text });
const call = (id: string): Json => ({ type: 'toolCall', id, name: 'read', arguments: {} });
const result = (id: string, parent: string, toolCallId: string): Json =>
  entry(id, parent, { message: { role: 'toolResult', toolCallId, toolName: 'read', content: [said('r')], isError: false } });

const LIST = [
  { type: 'model_change', id: 'm1', parentId: null, timestamp: TIME, provider: 'p', modelId: 'old' },
  { type: 'thinking_level_change', id: 't1', parentId: 'm1', timestamp: TIME, thinkingLevel: 'low' },
  prompt('u1', 't1', 'one'),
  answer('a1', 'u1', [said('said one')]),
  { type: 'model_change', id: 'm2', parentId: 'a1', timestamp: TIME, provider: 'p', modelId: 'm' },
  prompt('u2', 'm2', 'two'),
  answer('a2', 'u2', [call('c1'), call('c2')]),
  result('r1', 'a2', 'c1'),
  result('r2', 'r1', 'c2'),
  answer('a3', 'r2', [said('said two')]),
];
const SOURCE = jsonl([HEADER, ...LIST]);
const CHOSEN = [
  { type: 'model_change', id: 'm2', parentId: null, timestamp: TIME, provider: 'p', modelId: 'm' },
  { type: 'thinking_level_change', id: 't1', parentId: 'm2', timestamp: TIME, thinkingLevel: 'low' },
];

describe('copies of pi sessions', () => {
  it('writes the kept entries and a compaction that keeps them for a summary of the earlier part', () => {
    const trip = compact(SOURCE, { kind: 'partialUpTo', pivotId: 'u2' });
    const records = recordsOf(trip);
    assert.deepEqual(records.slice(0, 4), [{ ...HEADER, id: NEW_ID, timestamp: NOW }, ...CHOSEN, prompt('u2', 't1', 'two')]);
    assert.deepEqual(
      records.slice(3).map(({ id, parentId }) => [id, parentId]),
      [
        ['u2', 't1'],
        ['a2', 'u2'],
        ['r1', 'a2'],
        ['r2', 'r1'],
        ['a3', 'r2'],
        [trip.copy.boundary.id, 'a3'],
      ],
    );
    assert.deepEqual(
      { ...records.at(-1), id: '' },
      { type: 'compaction', timestamp: NOW, summary: SUMMARY, firstKeptEntryId: 'u2', tokensBefore: 2000, id: '', parentId: 'a3' },
    );
    assert.deepEqual(answer('a3', 'r2', [said('said two')]), {
      ...records[7],
      message: { role: 'assistant', content: [said('said two')], provider: 'p', model: 'm', usage: USAGE, stopReason: 'stop' },
    });
    assert.match(trip.copy.records[7] ?? '', new RegExp(JSON.stringify(ZERO)));
    const [boundary] = trip.read.boundaries;
    assert.deepEqual([boundary?.id, boundary?.summaryId, boundary?.valid], [trip.copy.boundary.id, trip.copy.boundary.summaryId, true]);
  });

  it('writes a message behind the kept entries for a summary of the later part, since a compaction always comes first', () => {
    const trip = compact(SOURCE, { kind: 'partialFrom', pivotId: 'u2' });
    const last = recordsOf(trip).at(-1);
    assert.deepEqual(
      { ...last, id: '' },
      { type: 'custom_message', timestamp: NOW, customType: 'summary', content: SUMMARY, display: true, id: '', parentId: 'a1' },
    );
    assert.match(String(last?.['id']), /^[\da-f]{8}$/);
    assert.deepEqual(trip.read.boundaries, []);
  });

  it('keeps an earlier compaction at the beginning where its summary is kept', () => {
    const earlier = {
      type: 'compaction',
      id: 'k1',
      parentId: 'a3',
      timestamp: TIME,
      summary: 'old',
      firstKeptEntryId: 'u2',
      tokensBefore: 9,
    };
    const source = jsonl([HEADER, ...LIST, earlier, prompt('u3', 'k1', 'three'), answer('a4', 'u3', [said('said three')])]);
    const records = recordsOf(compact(source, { kind: 'partialFrom', pivotId: 'u3' }));
    assert.deepEqual(records[3], { ...earlier, firstKeptEntryId: '', parentId: 't1' });
    compact(source, { kind: 'partialUpTo', pivotId: 'u3' });
    compact(source, { kind: 'full', keepMessages: 3 });
  });

  it('gives entries of the first version ids and parents', () => {
    const bare = LIST.filter(({ type }) => type === 'message').map((one) => ({ ...one, id: undefined, parentId: undefined }));
    const source = jsonl([{ type: 'session', id: 's-1', timestamp: TIME, cwd: '/p', provider: 'p', modelId: 'm' }, ...bare]);
    const [header, ...entries] = recordsOf(compact(source, { kind: 'partialUpTo', pivotId: 'line:4' }));
    assert.equal(header?.['version'], 2);
    assert.deepEqual(
      entries.map(({ parentId }) => parentId),
      [null, ...entries.slice(0, -1).map(({ id }) => id)],
    );
  });

  it('keeps the bytes of kept entries but for id, parent and usage', () => {
    const odd =
      '{"type":"message","id":"u2","parentId":"a1","big":12345678901234567890,"message":{"role":"user","content":"tw\\u006f","f":1.0}}';
    const { copy } = compact(jsonl([HEADER, ...LIST.slice(0, 4), odd]), { kind: 'partialUpTo', pivotId: 'u2' });
    assert.equal(copy.records[3], odd.replace('"a1"', '"t1"'));
  });
});
