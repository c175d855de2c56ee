import assert from 'node:assert/strict';
import { estimateMessageTokens, heuristicTokens, reportedTokens } from '../../../src/core/tokens/charHeuristic';
import type { Message } from '../../../src/core/model/message';
import { assistant, reported, user } from '../../support/messages';

describe('the bytes heuristic', () => {
  // trunc(bytes / 3.5) + 1500 for each attachment + 5
  const rows: readonly (readonly [string, Message, number])[] = [
    ['an empty message', user('', { content: [] }), 5],
    ['13 bytes', user('x'.repeat(13)), 8],
    ['seven Chinese characters, 21 bytes', user('上下文压缩测试'), 11],
    ['one floor over all texts: 3 + 3 bytes', user('', { content: [text('abc'), text('abc')] }), 6],
    ['a picture', user('', { content: [{ type: 'image' }] }), 1505],
    ['a document in a result', user('', { content: [result([{ type: 'document' }, text('1234567')])] }), 1507],
    ['name and arguments of a call: 4 + 7 bytes', assistant([{ type: 'toolUse', id: 'x'.repeat(99), name: 'Read', input: { a: 1 } }]), 8],
    ['arguments as they were written', assistant([{ type: 'toolUse', id: 'x', name: '', input: { a: 1 }, rawInput: '{ "a": 1 }' }]), 7],
    ['a call without arguments', assistant([{ type: 'toolUse', id: 'x', name: 'Read', input: undefined }]), 6],
    ['thinking, without its signature', assistant([{ type: 'thinking', text: 'x'.repeat(7), signature: 's'.repeat(700) }]), 7],
    ['an unknown block by its JSON', user('', { content: [{ type: 'unknown', originalType: 'odd', raw: 'x'.repeat(14) }] }), 9],
    ['a reference to a tool by its name', user('', { content: [{ type: 'toolReference', name: 'x'.repeat(7) }] }), 7],
  ];
  for (const [name, message, tokens] of rows) it(`sizes ${name}`, () => assert.equal(heuristicTokens(message), tokens));

  it('takes another amount for media', () => assert.equal(heuristicTokens(user('', { content: [{ type: 'image' }] }), 10), 15));
});

describe('reported sizes', () => {
  const thinking = { content: [{ type: 'thinking' as const, text: 'hm' }] };
  const usage = { inputTokens: 5, outputTokens: 1000, cacheReadTokens: 0, cacheCreationTokens: 0, reasoningTokens: 800 };
  const rows: readonly (readonly [string, Message, number | undefined])[] = [
    ['no usage', assistant('x'), undefined],
    ['the output and 5', assistant('x', reported(50_000, 900)), 905],
    ['reasoning that is not stored is not sent again', assistant('x', { usage }), 205],
    ['stored reasoning is', assistant('x', { ...thinking, usage }), 1005],
    ['hidden reasoning is as good as not stored', assistant([{ type: 'thinking', text: '', redacted: true }], { usage }), 205],
    ['no output', assistant('x', reported(50_000, 0)), undefined],
    ['more reasoning than output', assistant('x', { usage: { ...usage, outputTokens: 700 } }), undefined],
  ];
  for (const [name, message, tokens] of rows) it(name, () => assert.equal(reportedTokens(message), tokens));

  it('win over the heuristic, which stands in for them', () => {
    assert.equal(estimateMessageTokens(assistant('x'.repeat(7000), reported(1, 900))), 905);
    assert.equal(estimateMessageTokens(assistant('x'.repeat(7000), reported(1, 0))), 2005);
  });
});

function text(value: string): Message['content'][number] {
  return { type: 'text', text: value };
}

function result(content: Message['content']): Message['content'][number] {
  return { type: 'toolResult', toolUseId: 't', content };
}
