import assert from 'node:assert/strict';
import { textOf } from '../../../src/core/model/message';
import type { Transcript } from '../../../src/core/model/transcript';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { answers, assistant, boundary, bytes, calls, line, says, summary, user } from './claudeLines';

const USAGE = { input_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 30, output_tokens: 4 };

function read(...lines: readonly string[]): Transcript {
  return readTranscript(bytes(...lines), { format: 'claude-code' });
}

function ids(transcript: Transcript): readonly string[] {
  return transcript.messages.map((message) => message.id);
}

describe('claude-code', () => {
  it('reads blocks of every kind', () => {
    const blocks = [
      { type: 'text', text: 'a' },
      { type: 'thinking', thinking: 'b', signature: 'sig' },
      { type: 'thinking', thinking: '', signature: 'sig' },
      { type: 'redacted_thinking', data: 'xx' },
      { type: 'tool_use', id: 't', name: 'Read', input: { p: 1 } },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'web_search_result', title: 'x' }] },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'fallback', from: 1 },
      { type: 'tool_use', name: 'no id' },
    ];
    const [message] = read(user({ uuid: 'u', parent: null }, blocks)).messages;
    assert.deepEqual(message?.content, [
      { type: 'text', text: 'a' },
      { type: 'thinking', text: 'b', signature: 'sig' },
      { type: 'thinking', text: '', signature: 'sig', redacted: true },
      { type: 'thinking', text: '', signature: 'xx', redacted: true },
      { type: 'toolUse', id: 't', name: 'Read', input: { p: 1 } },
      { type: 'toolUse', id: 's', name: 'web_search', input: {}, server: true },
      {
        type: 'toolResult',
        toolUseId: 's',
        content: [{ type: 'unknown', originalType: 'web_search_result', raw: '{"type":"web_search_result","title":"x"}' }],
        server: true,
      },
      { type: 'image', mediaType: 'image/png' },
      { type: 'unknown', originalType: 'fallback', raw: '{"type":"fallback","from":1}' },
      { type: 'unknown', originalType: 'tool_use', raw: '{"type":"tool_use","name":"no id"}' },
    ]);
  });

  const contents: readonly (readonly [string, unknown, number, readonly string[]])[] = [
    ['text', 'plain', 1, []],
    ['a list', [{ type: 'text', text: 'listed' }, 'bare'], 2, []],
    ['nothing', null, 0, []],
    ['a record', { odd: 1 }, 1, ['odd_content']],
    ['a number', 7, 1, ['odd_content']],
    ['too many blocks', Array.from({ length: 10_001 }, () => ({ type: 'text', text: '' })), 10_000, ['odd_content']],
  ];
  for (const [name, content, blocks, codes] of contents) {
    it(`reads ${name} as content`, () => {
      const { messages, diagnostics } = read(user({ uuid: 'u', parent: null }, content));
      assert.equal(messages[0]?.content.length, blocks);
      assert.deepEqual(
        diagnostics.map((diagnostic) => diagnostic.code),
        codes,
      );
    });
  }

  const usages: readonly (readonly [string, unknown, number | undefined])[] = [
    ['all parts', USAGE, 10],
    ['null cache parts', { input_tokens: 5, cache_read_input_tokens: null, output_tokens: 1 }, 5],
    ['no cache parts', { input_tokens: 5, output_tokens: 1 }, 5],
    ['zeros', { input_tokens: 0, output_tokens: 0 }, undefined],
    ['a negative part', { ...USAGE, cache_read_input_tokens: -1 }, undefined],
    ['a part of a wrong type', { ...USAGE, output_tokens: '4' }, undefined],
    ['a fraction', { ...USAGE, input_tokens: 1.5 }, undefined],
    ['a number that cannot be', { ...USAGE, input_tokens: 1e9 }, undefined],
    ['no input', { output_tokens: 4 }, undefined],
    ['nothing', null, undefined],
  ];
  for (const [name, usage, input] of usages) {
    it(`reads usage with ${name}`, () => {
      const record = line('assistant', 'a', null, { message: { id: 'm', role: 'assistant', content: [], usage } });
      assert.equal(read(record).messages[0]?.usage?.inputTokens, input);
    });
  }

  it('states the context of the last step of a server-side loop', () => {
    const iterations = [
      { input_tokens: 1, output_tokens: 1 },
      { input_tokens: 2, cache_read_input_tokens: 5, output_tokens: 3 },
    ];
    const { messages } = read(assistant({ uuid: 'a', parent: null }, 'm', { type: 'text', text: 'x' }, { ...USAGE, iterations }));
    assert.deepEqual([messages[0]?.usage?.contextTokens, messages[0]?.usage?.inputTokens], [10, 10]);
  });

  it('counts usage once a response, side chains and abandoned branches included', () => {
    const { totals } = read(
      user({ uuid: 'u', parent: null }, 'go'),
      assistant({ uuid: 'a', parent: 'u' }, 'm1', { type: 'text', text: '1' }, USAGE),
      assistant({ uuid: 'b', parent: 'a' }, 'm1', { type: 'text', text: '2' }, { ...USAGE, output_tokens: 9 }),
      assistant({ uuid: 'old', parent: 'u' }, 'm2', { type: 'text', text: '3' }, USAGE),
      assistant({ uuid: 's', parent: null, more: { isSidechain: true, agentId: 'x' } }, 'm3', { type: 'text', text: '4' }, USAGE),
      user({ uuid: 'v', parent: 'b' }, 'more'),
    );
    assert.deepEqual(totals, { responses: 3, inputTokens: 30, outputTokens: 17, cacheReadTokens: 90, cacheCreationTokens: 60 });
  });

  it('keeps made-up replies apart and ignores their usage', () => {
    const failed = { isApiErrorMessage: true, message: { role: 'assistant', model: '<synthetic>', content: [], usage: USAGE } };
    const quiet = {
      message: { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text: 'No response requested.' }], usage: USAGE },
    };
    const { messages, context, model } = read(
      says('a', null, 'm', 'hi'),
      line('assistant', 'e', 'a', failed),
      line('assistant', 'q', 'e', quiet),
    );
    assert.deepEqual(
      messages.map((message) => [message.kind, message.usage]),
      [
        ['message', undefined],
        ['apiError', undefined],
        ['apiError', undefined],
      ],
    );
    assert.deepEqual(context, [0, 2], 'an API failure is not sent again');
    assert.equal(model, 'claude-sonnet-4-5');
  });

  it('leaves out what only the program keeps, and follows the chain through it', () => {
    const transcript = read(
      JSON.stringify({ type: 'api-request-blob', message: { role: 'user', content: 'a second copy' } }),
      JSON.stringify({ type: 'queue-operation', operation: 'enqueue', content: 'x' }),
      user({ uuid: 'u', parent: null }, 'go'),
      line('progress', 'p', 'u', { data: { message: { type: 'assistant', message: { content: 'nested' } } } }),
      line('system', 's', 'p', { subtype: 'turn_duration' }),
      line('attachment', 'h', 's', { attachment: { type: 'hook_success', content: '', stdout: 'noise' } }),
      says('a', 'h', 'm', 'done'),
    );
    assert.deepEqual(ids(transcript), ['u', 'a']);
  });

  const attachments: readonly (readonly [string, object, string | undefined])[] = [
    ['as it was sent', { rendered: [{ content: 'one' }, { content: 'two' }], attachment: { type: 'file', content: 'raw' } }, 'one\ntwo'],
    [
      'a file',
      { attachment: { type: 'file', filename: '/a', content: { type: 'text', file: { content: 'body', numLines: 1 } } } },
      '/a\nbody',
    ],
    [
      'a list of tools',
      { attachment: { type: 'deferred_tools_delta', addedNames: ['A'], addedLines: ['A: x'], removedNames: ['B'] } },
      'A: x\nB',
    ],
    ['an unknown kind', { attachment: { type: 'news', words: 'w', hookName: 'no' } }, 'w'],
    ['a snapshot of the prompt', { attachment: { type: 'prompt_snapshot', systemPrompt: ['x'] } }, undefined],
    ['a message for the user', { attachment: { type: 'hook_system_message', content: 'x' } }, undefined],
    ['an empty reminder', { attachment: { type: 'task_reminder', content: [] } }, undefined],
  ];
  for (const [name, more, text] of attachments) {
    it(`reads an attachment: ${name}`, () => {
      const message = read(user({ uuid: 'u', parent: null }, 'go'), line('attachment', 'x', 'u', more)).messages[1];
      assert.equal(message === undefined ? undefined : textOf(message), text);
      assert.equal(message?.kind, text === undefined ? undefined : 'attachment');
    });
  }

  const queued: readonly (readonly [string, object, boolean])[] = [
    ['of an old version', { prompt: 'next' }, true],
    ['by its mode', { prompt: 'next', commandMode: 'prompt' }, true],
    ['by its origin', { prompt: 'next', commandMode: 'prompt', origin: { kind: 'human' } }, true],
    ['in blocks', { prompt: [{ type: 'text', text: 'next' }] }, true],
    ['a notification of an old version', { prompt: '<task-notification>done</task-notification>' }, false],
    ['a notification in blocks', { prompt: [{ type: 'text', text: '<task-notification>done' }] }, false],
    ['a notification by its mode', { prompt: 'done', commandMode: 'task-notification' }, false],
    ['another agent by its origin', { prompt: 'done', commandMode: 'prompt', origin: { kind: 'coordinator' } }, false],
    ['the program by its flag', { prompt: 'done', isMeta: true }, false],
  ];
  for (const [name, facts, isOwn] of queued) {
    it(`takes a queued command for ${isOwn ? 'what the user said' : 'a reminder'}: ${name}`, () => {
      const attachment = { type: 'queued_command', ...facts };
      const [, message] = read(user({ uuid: 'u', parent: null }, 'go'), line('attachment', 'x', 'u', { attachment })).messages;
      assert.deepEqual(
        [message?.role, message?.kind, message?.attachmentType],
        ['user', isOwn ? 'message' : 'attachment', 'queued_command'],
      );
    });
  }

  it('keeps the type of an attachment', () => {
    const reminder = { attachment: { type: 'task_reminder', content: 'three tasks' } };
    const [, message] = read(user({ uuid: 'u', parent: null }, 'go'), line('attachment', 'x', 'u', reminder)).messages;
    assert.deepEqual([message?.kind, message?.attachmentType], ['attachment', 'task_reminder']);
  });

  it('takes the model that answers next from the newest record that names one', () => {
    const announced = { attachment: { type: 'model', identity: { modelId: 'claude-next' }, text: 'You are Next.' } };
    assert.equal(read(says('a', null, 'm', 'x'), line('attachment', 'b', 'a', announced)).model, 'claude-next');
  });

  it('names the session by the records themselves', () => {
    const transcript = read(
      JSON.stringify({ type: 'summary', summary: 'an old title', leafUuid: 'x' }),
      JSON.stringify({ type: 'custom-title', customTitle: 'mine' }),
      JSON.stringify({ type: 'ai-title', aiTitle: 'the agent’s' }),
      line('user', 'u', null, { sessionId: 'first', cwd: '/one', version: '1', message: { content: 'x' } }),
      line('user', 'v', 'u', { sessionId: 'second', cwd: '/two', version: '2', message: { content: 'y' } }),
    );
    const { title, sessionId, cwd, agentVersion } = transcript;
    assert.deepEqual([title, sessionId, cwd, agentVersion], ['mine', 'second', '/one', '2']);
  });

  it('reports an abandoned branch with what it held', () => {
    const transcript = read(user({ uuid: 'u', parent: null }, 'go'), says('old', 'u', 'm1', 'a'), says('new', 'u', 'm2', 'b'));
    assert.deepEqual(ids(transcript), ['u', 'new']);
    assert.deepEqual(transcript.diagnostics, [{ line: 0, code: 'abandoned_branch', severity: 'info', detail: '1 messages' }]);
  });

  const prompt = (leafUuid: string): string => JSON.stringify({ type: 'last-prompt', leafUuid });
  const leaves: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['a rewind that was not spoken on', [user({ uuid: 'u', parent: null }, 'go'), says('a', 'u', 'm', 'x'), prompt('u')], ['u']],
    [
      'a leaf before attachments of its branch',
      [user({ uuid: 'u', parent: null }, 'go'), line('attachment', 'x', 'u', { rendered: [{ content: 'r' }] }), prompt('u')],
      ['u', 'x'],
    ],
    ['an old leaf, spoken on since', [user({ uuid: 'u', parent: null }, 'go'), prompt('u'), says('a', 'u', 'm', 'x')], ['u', 'a']],
    ['a leaf that is not there', [user({ uuid: 'u', parent: null }, 'go'), says('a', 'u', 'm', 'x'), prompt('gone')], ['u', 'a']],
  ];
  for (const [name, lines, expected] of leaves) {
    it(`follows last-prompt: ${name}`, () => assert.deepEqual(ids(read(...lines)), expected));
  }

  it('gives records with a taken id a name of their own, and drops copies', () => {
    const again = user({ uuid: 'u', parent: null }, 'first');
    const transcript = read(again, again, user({ uuid: 'u', parent: 'u' }, 'other'), says('a', 'u', 'm', 'x'));
    assert.deepEqual(ids(transcript), ['u', 'line:3', 'a']);
    assert.deepEqual(
      transcript.diagnostics.map((diagnostic) => `${diagnostic.code}@${diagnostic.line}`),
      ['dup_uuid@2', 'dup_uuid@3'],
    );
  });

  it('groups side chains by agent, or by their tree', () => {
    const side = (uuid: string, parent: string | null, agentId?: string): string =>
      user({ uuid, parent, more: { isSidechain: true, ...(agentId === undefined ? {} : { agentId }) } }, uuid);
    const { sidechains, messages } = read(side('a', null, 'A'), side('x', null), side('b', 'a', 'A'), side('y', 'x'), side('z', null));
    assert.deepEqual(
      sidechains.map((chain) => [chain.id, chain.messages.map((message) => message.id).join()]),
      [
        ['A', 'a,b'],
        ['x', 'x,y'],
        ['z', 'z'],
      ],
    );
    assert.equal(messages.length, 0);
  });

  it('keeps parallel results, and pairs them by call', () => {
    const transcript = read(
      user({ uuid: 'u', parent: null }, 'go'),
      calls('a1', 'u', 'm1', 't1'),
      calls('a2', 'a1', 'm1', 't2'),
      answers('r1', 'a1', 't1'),
      answers('r2', 'a2', 't2'),
      says('end', 'r2', 'm2', 'both'),
    );
    assert.deepEqual(ids(transcript), ['u', 'a1', 'a2', 'r1', 'r2', 'end']);
  });

  it('reads an empty file as an empty session when told the format', () => {
    const { messages, diagnostics } = read();
    assert.deepEqual([messages.length, diagnostics.map((diagnostic) => diagnostic.code)], [0, ['no_messages']]);
  });

  it('takes text that looks like a boundary for text', () => {
    const forged = JSON.parse(boundary('b')) as unknown;
    const { boundaries, messages } = read(
      user({ uuid: 'u', parent: null }, `${JSON.stringify(forged)}\nConversation compacted`),
      summary('s', 'u'),
    );
    assert.deepEqual([boundaries.length, messages.length], [0, 2]);
  });
});
