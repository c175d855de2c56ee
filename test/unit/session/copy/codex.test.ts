import assert from 'node:assert/strict';
import type { PlanRequest } from '../../../../src/core/compaction/plan';
import { buildCopy } from '../../../../src/core/session/copy/copyWriter';
import { isRecord } from '../../../../src/core/util/json';
import { assertFaithful, copyInput, NEW_ID, NOW, planFor, roundTrip, session, SUMMARY, type RoundTrip, type Session } from './roundTrip';

type Json = Readonly<Record<string, unknown>>;

let ordinal = 0;
const line = (type: string, payload: Json): Json => ({ timestamp: '2026-01-01T00:00:00Z', ordinal: ordinal++, type, payload });
const item = (payload: Json): Json => line('response_item', payload);
const said = (role: string, text: string, more: Json = {}): Json => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
  ...more,
});
const META: Json = {
  id: 'old',
  session_id: 'old',
  timestamp: '2026-01-01T00:00:00Z',
  cwd: '/p',
  originator: 'codex_exec',
  cli_version: '0.171.0',
  source: 'exec',
  history_mode: 'paginated',
  forked_from_id: 'parent',
  parent_thread_id: 'parent',
  base_instructions: { text: 'x' },
};
const PERMISSIONS = said('developer', 'permissions', { id: 'd1' });
const ENVIRONMENT = said('user', '<environment_context>\n<cwd>/p</cwd>\n</environment_context>', { id: 'e1' });
const ONE = said('user', 'one', { id: 'u1' });
const CALLS = ['t1', 't2'].map((id) => ({
  type: 'function_call',
  id: `f-${id}`,
  name: 'shell',
  arguments: '{"n":12345678901234567890}',
  call_id: id,
}));
const OUTPUTS = ['t1', 't2'].map((id) => ({ type: 'function_call_output', call_id: id, output: `ran ${id}` }));
const DONE = said('assistant', 'done', { id: 'a1', big: 1 });
const TWO = said('user', 'two', { id: 'u2' });
const FINE = said('assistant', 'fine', { id: 'a2' });
const usage = { input_tokens: 9, cached_input_tokens: 0, output_tokens: 1, reasoning_output_tokens: 0, total_tokens: 10 };
const TOKENS = line('event_msg', {
  type: 'token_count',
  info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 1000 },
});

const CONVERSATION: readonly Json[] = [
  line('session_meta', META),
  line('turn_context', { turn_id: 't', cwd: '/p', model: 'first' }),
  ...[PERMISSIONS, ENVIRONMENT, ONE, ...CALLS, ...OUTPUTS, DONE].map(item),
  line('world_state', { full: true, state: { a: 1 } }),
  TOKENS,
  line('turn_context', { turn_id: 't', cwd: '/p', model: 'second' }),
  ...[TWO, FINE].map(item),
  TOKENS,
];

function sessionOf(records: readonly Json[]): Session {
  return session(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

function compact(source: Session, request: PlanRequest): RoundTrip {
  const plan = planFor(source, request);
  assert.ok(plan, 'the plan is made');
  const trip = roundTrip(source, plan);
  assertFaithful(trip);
  assert.equal(trip.read.sessionId, NEW_ID);
  assert.equal(trip.read.boundaries[0]?.id, trip.copy.boundary.id);
  assert.equal(trip.read.boundaries[0]?.summaryId, trip.copy.boundary.summaryId);
  return trip;
}

function recordsOf({ copy }: RoundTrip): readonly Json[] {
  return copy.records.map((text) => {
    const value: unknown = JSON.parse(text);
    assert.ok(isRecord(value));
    return value;
  });
}

function types(trip: RoundTrip): readonly unknown[] {
  return recordsOf(trip).map(({ type }) => type);
}

describe('copies of Codex sessions', () => {
  it('writes meta, model and the whole new context for a summary of the earlier part', () => {
    const trip = compact(sessionOf(CONVERSATION), { kind: 'partialUpTo', pivotId: 'u2' });
    const { history_mode: _mode, forked_from_id: _fork, parent_thread_id: _parent, ...meta } = META;
    assert.deepEqual([_mode, _fork, _parent], ['paginated', 'parent', 'parent']);
    assert.deepEqual(recordsOf(trip), [
      { timestamp: NOW, type: 'session_meta', payload: { ...meta, id: NEW_ID, session_id: NEW_ID, timestamp: NOW } },
      { timestamp: '2026-01-01T00:00:00Z', type: 'turn_context', payload: { turn_id: 't', cwd: '/p', model: 'second' } },
      { timestamp: NOW, type: 'compacted', payload: { message: SUMMARY, replacement_history: [said('user', SUMMARY), TWO, FINE] } },
    ]);
    assert.equal(trip.read.model, 'second');
  });

  it('keeps injected context of the kept part and tells Codex that it is there', () => {
    const trip = compact(sessionOf(CONVERSATION), { kind: 'partialFrom', pivotId: 'u2' });
    assert.deepEqual(types(trip), ['session_meta', 'turn_context', 'compacted', 'world_state', 'turn_context']);
    const history = [PERMISSIONS, ENVIRONMENT, ONE, ...CALLS, ...OUTPUTS, DONE].map((one) => JSON.stringify(one)).join(',');
    assert.ok(trip.copy.records[2]?.includes(`"replacement_history":[${history},{`), 'items keep their bytes');
  });

  it('does not speak of context that the plan summarizes in part', () => {
    const partly = [...CONVERSATION.slice(0, -3), item(said('developer', 'more', { id: 'd2' })), ...CONVERSATION.slice(-3)];
    const trip = compact(sessionOf(partly), { kind: 'partialUpTo', pivotId: 'd2' });
    assert.deepEqual(types(trip), ['session_meta', 'turn_context', 'compacted']);
  });

  it('takes kept items out of an earlier replacement history, with ids of their own or without, also when an id repeats', () => {
    const twin = said('assistant', 'twin', { id: 'same' });
    const other = said('user', 'other', { id: 'same' });
    const history = [ONE, said('user', 'nameless'), twin, other, said('user', 'the gist', { id: 's0' })];
    const source = sessionOf([
      ...CONVERSATION,
      line('compacted', { message: 'the gist', replacement_history: history }),
      ...[said('user', 'three', { id: 'u3' }), said('assistant', 'yes', { id: 'a3' })].map(item),
    ]);
    const [, , compacted] = recordsOf(compact(source, { kind: 'partialFrom', pivotId: 'u3' }));
    assert.deepEqual(compacted?.['payload'], { message: SUMMARY, replacement_history: [...history, said('user', SUMMARY)] });
  });

  it('makes an item of a summary that stands alone', () => {
    const source = sessionOf([...CONVERSATION, line('compacted', { message: 'the gist' }), item(said('user', 'three', { id: 'u3' }))]);
    const trip = compact(source, { kind: 'partialFrom', pivotId: 'u3' });
    assert.ok(trip.copy.records[2]?.includes(JSON.stringify(said('user', 'the gist'))));
  });

  it('gives a session from before the envelope the newer form', () => {
    const source = sessionOf([
      { id: 'old', timestamp: '2025-06-01T00:00:00Z', instructions: 'be brief', git: {} },
      { record_type: 'state' },
      ...[ENVIRONMENT, ONE, ...CALLS, ...OUTPUTS, DONE, TWO, FINE],
    ]);
    const [meta] = recordsOf(compact(source, { kind: 'partialUpTo', pivotId: 'u2' }));
    assert.deepEqual(meta, {
      timestamp: NOW,
      type: 'session_meta',
      payload: {
        id: NEW_ID,
        timestamp: NOW,
        cwd: '.',
        originator: 'codex_cli_rs',
        cli_version: '0.0.0',
        source: 'cli',
        instructions: 'be brief',
      },
    });
  });

  it('makes items of a session that stores events alone', () => {
    const event = (type: string, message: string): Json => line('event_msg', { type, message });
    const source = sessionOf([
      line('session_meta', META),
      ...[event('user_message', 'one'), event('agent_message', 'done'), event('user_message', 'two'), event('agent_message', 'fine')],
    ]);
    const trip = compact(source, { kind: 'partialUpTo', pivotId: 'line:4' });
    assert.deepEqual(recordsOf(trip)[1]?.['payload'], {
      message: SUMMARY,
      replacement_history: [said('user', SUMMARY), said('user', 'two'), said('assistant', 'fine')],
    });
  });

  it('refuses a source that does not hold the kept items any more', () => {
    const source = sessionOf(CONVERSATION);
    const plan = planFor(source, { kind: 'partialUpTo', pivotId: 'u2' });
    assert.ok(plan);
    assert.throws(() => buildCopy(copyInput(source, plan, { lines: () => undefined })), { name: 'CompactError', code: 'staleSource' });
    assert.throws(() => buildCopy(copyInput(source, plan, { lines: () => '[' })), { name: 'CompactError', code: 'staleSource' });
  });
});
