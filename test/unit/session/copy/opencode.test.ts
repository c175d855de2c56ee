import assert from 'node:assert/strict';
import { arrayOf, isRecord, recordOf as memberOf } from '../../../../src/core/util/json';
import { compact, recordOf, saying, type Json } from './chats';
import { NEW_ID, NOW, session, SUMMARY, type RoundTrip } from './roundTrip';

const START = 1_700_000_000_000;
const TOKENS = { total: 190_000, input: 1, output: 2, reasoning: 3, cache: { read: 189_000, write: 4 } };
const NO_TOKENS = { total: 0, input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
const MODEL = { providerID: 'p', modelID: 'm' };
const part = (id: string, messageID: string, more: Json): Json => ({ id, sessionID: 'ses_1', messageID, ...more });
const user = (n: number, text: string): Json => ({
  info: { id: `msg_u${n}`, sessionID: 'ses_1', role: 'user', time: { created: START + n * 10 }, agent: 'build', model: MODEL },
  parts: [part(`prt_u${n}`, `msg_u${n}`, { type: 'text', text })],
});
const answer = (n: number, parts: readonly Json[]): Json => ({
  info: {
    ...{ id: `msg_a${n}`, sessionID: 'ses_1', role: 'assistant', parentID: `msg_u${n}`, ...MODEL, mode: 'build', agent: 'build' },
    ...{ path: { cwd: '/p', root: '/' }, cost: 0.5, tokens: TOKENS, time: { created: START + n * 10 + 1, completed: START + n * 10 + 5 } },
  },
  parts: parts.map((one, at) => part(`prt_a${n}${at}`, `msg_a${n}`, one)),
});
const call = (callID: string): Json => ({
  ...{ type: 'tool', tool: 'read', callID },
  state: { status: 'completed', input: {}, output: `result ${callID}`, metadata: {}, time: { start: 1, end: 2 } },
});
const step = (parts: readonly Json[]): readonly Json[] => [
  { type: 'step-start' },
  ...parts,
  { type: 'step-finish', reason: 'x', tokens: TOKENS, cost: 0.1 },
];

const EXPORT = {
  info: {
    id: 'ses_1',
    slug: 's',
    projectID: 'p1',
    directory: '/p',
    title: 'Stones',
    version: '1.18.33',
    time: { created: START, updated: START },
  },
  messages: [
    user(1, 'one'),
    answer(1, step([{ type: 'text', text: 'said one' }])),
    user(2, 'two'),
    answer(2, [...step([{ type: 'text', text: 'both' }, call('c1'), call('c2')]), ...step([{ type: 'text', text: 'said two' }])]),
  ],
};
const SOURCE = session(JSON.stringify(EXPORT, null, 1));

interface Stored {
  readonly info: Json;
  readonly parts: readonly Json[];
}

function messagesOf({ copy }: RoundTrip): readonly Stored[] {
  return (arrayOf(recordOf(copy.records.join('\n')), 'messages') ?? []).map((value) => {
    assert.ok(isRecord(value));
    return { info: memberOf(value, 'info') ?? {}, parts: (arrayOf(value, 'parts') ?? []).filter(isRecord) };
  });
}

describe('copies of opencode sessions', () => {
  it('writes a compaction pair before the kept messages for a summary of the earlier part', () => {
    const trip = compact(SOURCE, { kind: 'partialUpTo', pivotId: saying(SOURCE, 'two') });
    const [asked, said, ...kept] = messagesOf(trip);
    assert.deepEqual([asked?.info['role'], asked?.info['model'], asked?.parts[0]?.['type']], ['user', MODEL, 'compaction']);
    assert.equal(said?.info['parentID'], asked?.info['id']);
    assert.deepEqual([said?.info['summary'], said?.info['finish'], said?.parts[0]?.['text']], [true, 'stop', SUMMARY]);
    assert.equal(kept.length, 2);
    assert.deepEqual(kept[1]?.info['tokens'], NO_TOKENS);
    assert.equal(kept[1].info['parentID'], kept[0]?.info['id']);
    assert.deepEqual(
      [trip.read.boundaries[0]?.id, trip.read.boundaries[0]?.summaryId],
      [trip.copy.boundary.id, trip.copy.boundary.summaryId],
    );
  });

  it('writes the summary as a text of the user behind the kept messages otherwise, since a compaction hides what is before it', () => {
    const last = messagesOf(compact(SOURCE, { kind: 'partialFrom', pivotId: saying(SOURCE, 'two') })).at(-1);
    assert.deepEqual([last?.info['role'], last?.parts.length, last?.parts[0]?.['text']], ['user', 1, SUMMARY]);
  });

  it('gives session, messages and parts new ids, in ascending order as their times, none in the future', () => {
    for (const kind of ['partialUpTo', 'partialFrom'] as const) {
      const trip = compact(SOURCE, { kind, pivotId: saying(SOURCE, 'two') });
      const messages = messagesOf(trip);
      const ids = messages.map(({ info }) => String(info['id']));
      const times = messages.map(({ info }) => Number(memberOf(info, 'time')?.['created']));
      assert.deepEqual(ids, ids.toSorted());
      assert.equal(new Set(ids).size, ids.length);
      for (const id of ids) assert.match(id, /^msg_[\da-f]{26}$/);
      assert.deepEqual(
        times,
        [...new Set(times)].sort((a, b) => a - b),
      );
      assert.ok(times.every((time) => time < Date.parse(NOW)));
      const parts = messages.flatMap((message) =>
        message.parts.map((one) => ({ id: String(one['id']), of: one['messageID'], info: message.info })),
      );
      assert.ok(parts.every(({ of, info }) => of === info['id']));
      assert.deepEqual(
        parts.map(({ id }) => id),
        parts.map(({ id }) => id).toSorted(),
      );
      assert.doesNotMatch(trip.copy.records.join(''), /ses_1|msg_[ua]|prt_[ua]/);
      assert.equal(memberOf(recordOf(trip.copy.records.join('')), 'info')?.['id'], NEW_ID);
    }
  });

  it('moves times that lie behind the copy before it', () => {
    const late = {
      ...EXPORT,
      messages: EXPORT.messages.map((one) => JSON.parse(JSON.stringify(one).replaceAll('17000000', '27000000')) as Json),
    };
    const source = session(JSON.stringify(late));
    const times = messagesOf(compact(source, { kind: 'partialUpTo', pivotId: saying(source, 'two') })).map(({ info }) => {
      return Number(memberOf(info, 'time')?.['created']);
    });
    assert.deepEqual(
      times,
      [4, 3, 2, 1].map((before) => Date.parse(NOW) - before),
    );
  });

  it('cuts a message between two of its requests', () => {
    const messages = messagesOf(compact(SOURCE, { kind: 'partialUpTo', pivotId: saying(SOURCE, 'said two') }));
    assert.equal(messages.length, 3);
    assert.deepEqual(
      messages[2]?.parts.map(({ type }) => type),
      ['step-start', 'text', 'step-finish'],
    );
    assert.equal(messages[2].info['parentID'], messages[0]?.info['id']);
  });

  it('keeps an earlier compaction a pair where its summary is kept at the beginning', () => {
    const first = compact(SOURCE, { kind: 'partialUpTo', pivotId: saying(SOURCE, 'two') });
    const again = session(first.copy.records.join('\n'));
    const messages = messagesOf(compact(again, { kind: 'partialFrom', pivotId: saying(again, 'two') }));
    assert.deepEqual(
      messages.map(({ info, parts }) => [info['role'], parts[0]?.['type']]),
      [
        ['user', 'compaction'],
        ['assistant', 'text'],
        ['user', 'text'],
      ],
    );
  });
});
