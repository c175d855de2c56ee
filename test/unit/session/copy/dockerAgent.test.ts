import assert from 'node:assert/strict';
import { compact, recordOf, saying, type Json } from './chats';
import { NEW_ID, NOW, session, SUMMARY, type RoundTrip } from './roundTrip';

const item = (message: Json): Json => ({ message: { agentName: 'root', message, implicit: false } });
const user = (content: string): Json => item({ role: 'user', content, created_at: 'then' });
const answer = (content: string, more: Json = {}): Json =>
  item({ role: 'assistant', content, usage: { input_tokens: 90_000, output_tokens: 1 }, cost: 0.5, model: 'm', ...more });
const result = (id: string): Json => item({ role: 'tool', tool_call_id: id, content: `result ${id}` });
const calls = ['c1', 'c2'].map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } }));
const LIST = [
  user('one'),
  answer('said one'),
  user('two'),
  answer('', { tool_calls: calls }),
  result('c1'),
  result('c2'),
  answer('said two'),
];
const FIELDS = {
  id: 's-1',
  title: 'Stones',
  working_dir: '/p',
  tools_approved: true,
  created_at: 'then',
  input_tokens: 90_000,
  output_tokens: 5,
  cost: 3,
};
const SOURCE = session(JSON.stringify({ ...FIELDS, messages: LIST }));

const itemsOf = ({ copy }: RoundTrip): readonly Json[] => {
  const { messages, ...fields } = recordOf(copy.records.join('\n'));
  assert.deepEqual(fields, { ...FIELDS, id: NEW_ID, created_at: NOW, input_tokens: 0, output_tokens: 0, cost: 0 });
  assert.ok(Array.isArray(messages));
  return messages.map((one: unknown) => recordOf(JSON.stringify(one)));
};
const kept = (list: readonly Json[]): unknown => JSON.parse(JSON.stringify(list).replaceAll(/"usage":\{[^}]*\},"cost":0.5,/g, ''));

describe('copies of docker agent sessions', () => {
  it('writes a summary item and the kept items behind it for a summary of the earlier part', () => {
    const trip = compact(SOURCE, { kind: 'partialUpTo', pivotId: saying(SOURCE, 'two') });
    const [summary, ...rest] = itemsOf(trip);
    assert.deepEqual(summary, { summary: SUMMARY });
    assert.deepEqual(rest, kept(LIST.slice(2)));
    assert.deepEqual(
      [trip.read.boundaries[0]?.id, trip.read.boundaries[0]?.summaryId],
      [trip.copy.boundary.id, trip.copy.boundary.summaryId],
    );
  });

  it('writes the summary as a generated message behind the kept items otherwise, since a summary item stands before all that it keeps', () => {
    const items = itemsOf(compact(SOURCE, { kind: 'partialFrom', pivotId: saying(SOURCE, 'two') }));
    assert.deepEqual(items.slice(0, 2), kept(LIST.slice(0, 2)));
    assert.deepEqual(items[2], {
      message: { agentName: '', message: { role: 'user', content: SUMMARY, created_at: NOW }, implicit: true },
    });
  });

  it('keeps an earlier summary the first item', () => {
    const source = session(
      JSON.stringify({ ...FIELDS, messages: [...LIST, { summary: 'old', first_kept_entry: 6 }, user('three'), answer('said three')] }),
    );
    const items = itemsOf(compact(source, { kind: 'partialFrom', pivotId: saying(source, 'three') }));
    assert.deepEqual(items.slice(0, 2), [{ summary: 'old' }, ...(kept(LIST.slice(6)) as Json[])]);
  });
});
