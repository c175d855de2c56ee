import assert from 'node:assert/strict';
import type { PlanRequest } from '../../../../src/core/compaction/plan';
import { buildCopy } from '../../../../src/core/session/copy/copyWriter';
import { assertFaithful, copyInput, planFor, roundTrip, session, SUMMARY, type RoundTrip, type Session } from './roundTrip';

const user = (text: string): object => ({ role: 'user', content: text });
const ANTHROPIC = [
  user('one'),
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 't', signature: 's' },
      { type: 'tool_use', id: 'c1', name: 'Read', input: { n: 1 } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'r' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'done' }], usage: { input_tokens: 5, output_tokens: 6 }, extra: [1] },
  user('two'),
  { role: 'assistant', content: [{ type: 'text', text: 'fine' }] },
];
const OPENAI = [
  { role: 'system', content: 'be brief' },
  user('one'),
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"n":1}' } }] },
  { role: 'tool', tool_call_id: 'c1', content: 'r' },
  { role: 'assistant', content: 'done' },
  user('two'),
  { role: 'assistant', content: 'fine' },
];
const lines = (list: readonly object[]): string => list.map((item) => `${JSON.stringify(item)}\n`).join('');

function compact(source: Session, request: PlanRequest): RoundTrip {
  const plan = planFor(source, request);
  assert.ok(plan, 'the plan is made');
  return roundTrip(source, plan);
}

function pivot(source: Session, text: string): string {
  const found = source.transcript.messages.find(({ content }) => content[0]?.type === 'text' && content[0].text === text);
  assert.ok(found);
  return found.id;
}

function valueOf(trip: RoundTrip): unknown {
  return JSON.parse(trip.copy.records.join('\n'));
}

const CONTAINERS: readonly (readonly [string, (list: readonly object[]) => string])[] = [
  ['an array', (list) => JSON.stringify(list)],
  ['an array over many lines', (list) => `\ufeff${JSON.stringify(list, null, 2)}\n`],
  ['an object around messages', (list) => JSON.stringify({ model: 'm', messages: list, n: 1 })],
  ['an object over many lines', (list) => `${JSON.stringify({ model: 'm', messages: list, n: 1 }, null, 2)}\n`],
  ['lines', lines],
  ['lines without an end', (list) => lines(list).trimEnd()],
];

describe('copies of message lists', () => {
  for (const [name, list] of [
    ['anthropic-messages', ANTHROPIC],
    ['openai-chat', OPENAI],
  ] as const) {
    for (const [container, write] of CONTAINERS) {
      it(`keeps what the plan keeps: ${name} in ${container}`, () => {
        const source = session(write(list));
        assert.equal(source.transcript.format, name);
        for (const kind of ['partialUpTo', 'partialFrom'] as const)
          assertFaithful(compact(source, { kind, pivotId: pivot(source, 'two') }));
        assertFaithful(compact(source, { kind: 'full', keepMessages: 1 }));
      });
    }
  }

  it('keeps the container and its other fields, and drops the usage of messages', () => {
    const array = compact(session(JSON.stringify(ANTHROPIC)), { kind: 'partialUpTo', pivotId: 'line:1#4' });
    const [, , , done, two, fine] = ANTHROPIC;
    const summary = { role: 'user', content: [{ type: 'text', text: SUMMARY }] };
    assert.deepEqual(
      valueOf(array),
      [summary, { ...done, usage: undefined }, two, fine].map((item): unknown => JSON.parse(JSON.stringify(item))),
    );
    const source = session(JSON.stringify({ system: 'be brief', messages: ANTHROPIC, max_tokens: 9 }, null, 1));
    const object = valueOf(compact(source, { kind: 'partialFrom', pivotId: pivot(source, 'two') }));
    assert.ok(typeof object === 'object' && object !== null && 'system' in object && 'messages' in object && 'max_tokens' in object);
    assert.deepEqual([object.system, object.max_tokens], ['be brief', 9]);
    assert.ok(Array.isArray(object.messages));
    assert.deepEqual(object.messages.at(-1), summary);
    assert.equal(object.messages.length, 5, 'the system prompt stays beside the messages');
  });

  it('leaves instructions first in both directions, though the plan summarizes them', () => {
    const source = session(lines(OPENAI));
    for (const request of [
      { kind: 'partialUpTo', pivotId: pivot(source, 'two') },
      { kind: 'partialFrom', pivotId: pivot(source, 'two') },
    ] as const) {
      const { copy, plan } = compact(source, request);
      assert.equal(copy.records[0], JSON.stringify(OPENAI[0]));
      const at = copy.records.indexOf(JSON.stringify(user(SUMMARY)));
      assert.equal(at, plan.order === 'summaryFirst' ? 1 : copy.records.length - 1);
      assert.equal(copy.boundary.summaryId, `line:${at + 1}`);
    }
  });

  it('takes an answer out of its envelope', () => {
    const answer = {
      model: 'gpt-4o',
      choices: [{ message: { role: 'assistant', content: 'hello', tool_calls: [] } }],
      usage: { prompt_tokens: 9 },
    };
    const source = session(lines([user('one'), answer, user('two'), answer]));
    assert.equal(source.transcript.format, 'openai-chat');
    const { copy } = compact(source, { kind: 'partialUpTo', pivotId: 'line:2' });
    assert.deepEqual(
      copy.records,
      [user(SUMMARY), answer.choices[0]?.message, user('two'), answer.choices[0]?.message].map((item) => JSON.stringify(item)),
    );
  });

  it('keeps bytes that no parse and stringify would keep', () => {
    const odd = '{"role":"user","content":"two","big":12345678901234567890,"f":1.0,"esc":"\\u0041"}';
    const source = session(`[${JSON.stringify(user('one'))}, ${JSON.stringify(OPENAI[4])} ,${odd}]`);
    assert.ok(compact(source, { kind: 'partialUpTo', pivotId: 'line:1#3' }).copy.records[0]?.includes(odd));
  });

  it('refuses a source that does not hold the messages any more', () => {
    const source = session(lines(OPENAI));
    const plan = planFor(source, { kind: 'partialUpTo', pivotId: pivot(source, 'two') });
    assert.ok(plan);
    const input = { ...copyInput(source, plan), document: '' };
    assert.throws(() => buildCopy({ ...input, lines: () => '{}' }), /staleSource|not the record/);
    assert.throws(() => buildCopy({ ...input, lines: () => undefined }), { code: 'staleSource' });
  });
});
