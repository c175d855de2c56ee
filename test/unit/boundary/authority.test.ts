import assert from 'node:assert/strict';
import { messagesAfterBoundary } from '../../../src/core/boundary/activeSlice';
import { ControlAuthority, type Scope } from '../../../src/core/boundary/authority';
import {
  BOUNDARY_PREFIX,
  createBoundaryMessage,
  isBoundaryMessage,
  parseBoundaryMessage,
  type BoundaryMetadata,
} from '../../../src/core/boundary/boundaryMessage';
import { createReminder } from '../../../src/core/boundary/reminderMessage';
import { createSummaryMessage } from '../../../src/core/boundary/summaryMessage';
import type { CompactionResult } from '../../../src/core/model/compactionResult';
import { textOf, type Message } from '../../../src/core/model/message';
import { text } from '../../support/transcripts';

const METADATA: BoundaryMetadata = {
  trigger: 'auto',
  preTokens: 900,
  postTokens: 90,
  truePostTokens: 90,
  usage: { inputTokens: 800, outputTokens: 0 },
  previousTail: 'user:<b>漢字🦊</b>',
  discoveredTools: ['Bash', 'Read'],
  preservedSegment: { startIndex: 4, count: 2, anchor: 'assistant:done', direction: 'upTo' },
};
const SCOPE: Scope = { sessionId: 's', project: 'p', generation: 0 };
const boundary = createBoundaryMessage(METADATA);

function withPayload(payload: string): Message {
  return { ...boundary, content: [{ type: 'text', text: payload }] };
}

function withJson(json: string): Message {
  return withPayload(BOUNDARY_PREFIX + Buffer.from(json).toString('base64'));
}

describe('the form of a boundary', () => {
  it('gives back what it was made of', () => {
    assert.deepEqual(parseBoundaryMessage(boundary), METADATA);
  });

  it('leaves out what is zero or empty, and spells markup as the measured code does', () => {
    const small = createBoundaryMessage({ ...METADATA, preTokens: 0, usage: undefined, discoveredTools: [], preservedSegment: undefined });
    const json = Buffer.from(textOf(small).slice(BOUNDARY_PREFIX.length), 'base64').toString('utf8');
    assert.equal(
      json,
      '{"trigger":"auto","post_compact_token_count":90,"true_post_compact_token_count":90,"previous_tail_identifier":"user:\\u003cb\\u003e漢字🦊\\u003c/b\\u003e"}',
    );
    assert.deepEqual(parseBoundaryMessage(small), {
      ...METADATA,
      preTokens: undefined,
      usage: undefined,
      discoveredTools: [],
      preservedSegment: undefined,
    });
  });

  const good = textOf(boundary);
  const broken: readonly [name: string, message: Message][] = [
    ['white space before', withPayload(` ${good}`)],
    ['white space after', withPayload(`${good}\n`)],
    ['another prefix', withPayload(good.slice(1))],
    [
      'base64 without its padding',
      withPayload(`${BOUNDARY_PREFIX}${Buffer.from('{"trigger":"a"} ').toString('base64').replace(/=+$/, '')}`),
    ],
    ['loose bits at the end', withPayload(`${BOUNDARY_PREFIX}e31=`)],
    ['the alphabet of URLs', withPayload(`${BOUNDARY_PREFIX}-_-_`)],
    ['bytes that are not UTF-8', withPayload(`${BOUNDARY_PREFIX}${Buffer.from([0xff, 0xfe]).toString('base64')}`)],
    ['an unknown field', withJson('{"trigger":"auto","more":1}')],
    ['__proto__', withJson('{"trigger":"auto","__proto__":{}}')],
    ['a field of another type', withJson('{"trigger":"auto","pre_compact_token_count":"9"}')],
    ['a negative size', withJson('{"trigger":"auto","pre_compact_token_count":-1}')],
    ['no trigger', withJson('{}')],
    ['something after the object', withJson('{"trigger":"auto"}{}')],
    ['a list', withJson('[]')],
    ['two blocks', { ...boundary, content: [...boundary.content, ...boundary.content] }],
    ['another role', { ...boundary, role: 'assistant' }],
    ['another kind', { ...boundary, kind: 'message' }],
    ['another id', { ...boundary, id: 'compact:boundary:v2' }],
  ];
  for (const [name, message] of broken) it(`does not accept ${name}`, () => assert.equal(isBoundaryMessage(message), false));
});

describe('the authority of a running session', () => {
  const authority = new ControlAuthority();
  const sealed = authority.seal(boundary, SCOPE);

  it('recognises what it has sealed, and nothing that only looks the same', () => {
    assert.equal(authority.recognises(sealed), true);
    assert.deepEqual(authority.parseBoundary(sealed, SCOPE), METADATA);
    const copies: readonly Message[] = [boundary, { ...sealed }, structuredClone(sealed), JSON.parse(JSON.stringify(sealed)) as Message];
    for (const copy of copies) {
      assert.equal(authority.recognises(copy), false);
      assert.equal(authority.parseBoundary(copy), undefined);
    }
    assert.equal(new ControlAuthority().recognises(sealed), false);
  });

  it('tells scopes apart in all three parts', () => {
    for (const other of [
      { ...SCOPE, sessionId: 't' },
      { ...SCOPE, project: 'q' },
      { ...SCOPE, generation: 1 },
    ]) {
      assert.equal(authority.recognises(sealed, other), false);
    }
    const anywhere = authority.seal(boundary);
    assert.equal(authority.recognises(anywhere), true);
    assert.equal(authority.recognises(anywhere, SCOPE), false);
  });

  it('seals nothing for a scope that names no session or project', () => {
    for (const scope of [
      { ...SCOPE, sessionId: '' },
      { ...SCOPE, project: '' },
      { ...SCOPE, generation: NaN },
    ]) {
      const unsealed = authority.seal(boundary, scope);
      assert.equal(authority.recognises(unsealed), false);
      assert.equal(authority.recognises(unsealed, scope), false);
    }
  });

  it('freezes what it seals, so that nothing changes behind a seal', () => {
    assert.throws(() => Object.assign(sealed, { role: 'assistant' }), TypeError);
    assert.throws(() => Object.assign(sealed.content[0] ?? {}, { text: 'x' }), TypeError);
  });

  it('passes a seal on to a copy that it makes itself', () => {
    const changed = authority.copy(sealed, { line: 7 });
    assert.equal(changed.line, 7);
    assert.equal(authority.recognises(changed, SCOPE), true);
    assert.equal(authority.recognises(authority.copy(boundary)), false);
  });

  it('accepts a summary by form and seal together', () => {
    const summary = createSummaryMessage('S');
    assert.equal(authority.isSummary(summary), false);
    assert.equal(authority.isSummary(authority.seal(summary, SCOPE), SCOPE), true);
    assert.equal(authority.isSummary(authority.seal(text('user', 'S'), SCOPE)), false);
  });

  it('seals a whole result, also where its parts stand in a prepared list, and no ordinary message', () => {
    const summary = createSummaryMessage('S');
    const kept = text('user', 'kept');
    const reminder = createReminder('plan', 'plan', 'text');
    const result: CompactionResult = {
      outcome: 'compacted',
      boundary,
      summaries: [summary],
      kept: [kept],
      attachments: [...reminder, kept],
      hookResults: [],
      displayText: '',
      preTokens: 1,
      postTokens: 1,
      usage: undefined,
      prepared: [boundary, kept, summary],
    };
    assert.equal(authority.sealResult(result, { ...SCOPE, project: '' }), undefined);
    const done = authority.sealResult(result, SCOPE);
    assert.ok(done !== undefined);
    assert.deepEqual(
      [done.boundary, ...done.summaries, ...done.attachments, ...(done.prepared ?? [])].map((message) =>
        authority.recognises(message, SCOPE),
      ),
      [true, true, true, false, true, false, true],
    );
    assert.equal(done.kept[0], kept);
    assert.equal(done.prepared?.[0], done.boundary);
  });

  it('finds the latest boundary of its own among others', () => {
    const messages = [text('user', 'a'), sealed, text('user', 'b'), boundary, text('user', 'c')];
    assert.equal(messagesAfterBoundary(messages, (message) => authority.isBoundary(message, SCOPE)).length, 3);
    assert.equal(messagesAfterBoundary(messages).length, 1);
  });
});
