import assert from 'node:assert/strict';
import { ReadError } from '../../../src/core/errors/readError';
import { textOf } from '../../../src/core/model/message';
import type { FormatId, Transcript } from '../../../src/core/model/transcript';
import { readTranscript } from '../../../src/core/transcript/readTranscript';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const jsonl = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const read = (text: string): Transcript => readTranscript(encode(text));

const ANTHROPIC = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'ls', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'files' }] },
];
const OPENAI = [
  { role: 'system', content: 'rules' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'go' },
      { type: 'image_url', image_url: { url: 'data:' } },
    ],
  },
  { role: 'assistant', content: null, tool_calls: [{ id: 't', type: 'function', function: { name: 'ls', arguments: '{"a":1}' } }] },
  { role: 'tool', tool_call_id: 't', content: 'files' },
];

describe('plain lists of messages', () => {
  const forms: readonly (readonly [string, string, FormatId, readonly string[]])[] = [
    [
      'a request on many lines',
      JSON.stringify({ model: 'claude-x', system: 'rules', messages: ANTHROPIC }, null, 2),
      'anthropic-messages',
      ['system', 'line:1', 'line:1#2', 'line:1#3'],
    ],
    [
      'a request on one line',
      JSON.stringify({ system: [{ type: 'text', text: 'rules' }], messages: ANTHROPIC }),
      'anthropic-messages',
      ['system', 'line:1', 'line:1#2', 'line:1#3'],
    ],
    ['a list on many lines', JSON.stringify(ANTHROPIC, null, 1), 'anthropic-messages', ['line:1', 'line:1#2', 'line:1#3']],
    [
      'a list with a message a line',
      `[\n${ANTHROPIC.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`,
      'anthropic-messages',
      ['line:1', 'line:1#2', 'line:1#3'],
    ],
    ['JSONL', jsonl(...ANTHROPIC), 'anthropic-messages', ['line:1', 'line:2', 'line:3']],
    [
      'a list of messages with ids',
      JSON.stringify([{ id: 'm1', role: 'user', content: [{ type: 'text', text: 'x' }] }]),
      'anthropic-messages',
      ['m1'],
    ],
    [
      'an OpenAI request',
      JSON.stringify({ model: 'gpt-x', messages: OPENAI }, null, 2),
      'openai-chat',
      ['line:1', 'line:1#2', 'line:1#3', 'line:1#4'],
    ],
    ['an OpenAI list', JSON.stringify(OPENAI), 'openai-chat', ['line:1', 'line:1#2', 'line:1#3', 'line:1#4']],
    ['OpenAI JSONL', jsonl(...OPENAI), 'openai-chat', ['line:1', 'line:2', 'line:3', 'line:4']],
    ['texts alone', JSON.stringify([{ role: 'user', content: 'hi' }]), 'openai-chat', ['line:1']],
  ];
  for (const [name, text, format, ids] of forms) {
    it(`reads ${name}`, () => {
      const transcript = read(text);
      assert.equal(transcript.format, format);
      assert.deepEqual(
        transcript.messages.map((message) => message.id),
        ids,
      );
      assert.deepEqual(transcript.context, [...ids.keys()]);
      assert.deepEqual(transcript.diagnostics, []);
    });
  }

  it('reads calls, results, pictures and reasoning of the OpenAI form', () => {
    const { messages } = read(JSON.stringify([...OPENAI, { role: 'assistant', reasoning_content: 'hm', content: 'done', refusal: 'no' }]));
    assert.deepEqual(
      messages.map((message) => [message.role, message.content]),
      [
        ['system', [{ type: 'text', text: 'rules' }]],
        ['user', [{ type: 'text', text: 'go' }, { type: 'image' }]],
        ['assistant', [{ type: 'toolUse', id: 't', name: 'ls', input: { a: 1 }, rawInput: '{"a":1}' }]],
        ['tool', [{ type: 'toolResult', toolUseId: 't', content: 'files' }]],
        [
          'assistant',
          [
            { type: 'thinking', text: 'hm' },
            { type: 'text', text: 'done' },
            { type: 'text', text: 'no' },
          ],
        ],
      ],
    );
  });

  it('pairs the calls of the old API by the name of the function', () => {
    const { messages } = read(
      JSON.stringify([
        { role: 'assistant', content: null, function_call: { name: 'ls', arguments: '{}' } },
        { role: 'function', name: 'ls', content: 'files' },
      ]),
    );
    const [call, result] = messages.map((message) => message.content[0]);
    assert.ok(call?.type === 'toolUse' && result?.type === 'toolResult' && call.id === result.toolUseId);
  });

  it('reads usage and model of answers', () => {
    const anthropic = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      model: 'claude-x',
      content: [{ type: 'text', text: 'a' }],
      usage: { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 2 },
    };
    const openai = {
      model: 'gpt-x',
      choices: [{ message: { role: 'assistant', content: 'b' } }],
      usage: { prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } },
    };
    const one = read(jsonl({ role: 'user', content: [{ type: 'text', text: 'go' }] }, anthropic));
    assert.deepEqual(
      [one.format, one.model, one.messages[1]?.messageId, one.totals.cacheReadTokens],
      ['anthropic-messages', 'claude-x', 'msg_1', 7],
    );
    const two = read(jsonl({ role: 'user', content: 'go' }, openai));
    assert.deepEqual(
      [two.format, two.model, two.totals],
      ['openai-chat', 'gpt-x', { responses: 1, inputTokens: 5, outputTokens: 3, cacheReadTokens: 4, cacheCreationTokens: 0 }],
    );
  });

  it('skips what is no message in a list, and says so for lines', () => {
    const transcript = read(jsonl(...OPENAI, { note: 'x' }, 7));
    assert.equal(transcript.messages.length, 4);
    assert.deepEqual(
      transcript.diagnostics.map((diagnostic) => `${diagnostic.code}@${diagnostic.line}`),
      ['unknown_record@5', 'unknown_record@6'],
    );
    const mixed = [7, null, { role: 'user', content: 'x' }, [], { role: 'user', content: 'y' }, { role: 'user', content: 'z' }];
    assert.deepEqual(read(JSON.stringify(mixed)).messages.map(textOf), ['x', 'y', 'z']);
  });

  const foreign: readonly (readonly [string, string])[] = [
    ['text', 'hello\nworld\n'],
    ['records of another kind', jsonl({ level: 'info', msg: 'started' }, { level: 'warn', msg: 'slow' })],
    ['Gemini contents', JSON.stringify([{ role: 'user', parts: [{ text: 'x' }] }])],
    ['Gemini sessions', JSON.stringify({ sessionId: 'x', projectHash: 'y', messages: [{ type: 'user', content: 'x' }] }, null, 1)],
    [
      'items of the Responses API in a list',
      JSON.stringify([{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] }]),
    ],
    ['a log with a few roles', jsonl({ a: 1 }, { a: 2 }, { a: 3 }, { role: 'user', content: 'x' })],
    [
      'another agent’s tree',
      jsonl({ type: 'user', uuid: 'u', parentUuid: null, sessionId: 's', message: { role: 'user', parts: [{ text: 'x' }] } }),
    ],
    ['lines without ids', jsonl({ role: 'user', message: { content: [{ type: 'text', text: 'x' }] } })],
    ['a document that is not complete', '[\n{"a":'],
    ['nothing', ''],
  ];
  for (const [name, text] of foreign) {
    it(`does not take for its own: ${name}`, () => {
      let format: FormatId | undefined;
      try {
        ({ format } = read(text));
      } catch (error) {
        assert.ok(error instanceof ReadError && error.code === 'unknownFormat', String(error));
      }
      assert.ok(format !== 'anthropic-messages' && format !== 'openai-chat', `taken for ${String(format)}`);
    });
  }
});
