import assert from 'node:assert/strict';
import { textOf } from '../../../src/core/model/message';
import type { Transcript } from '../../../src/core/model/transcript';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { bytes, call, estimate, event, item, message, meta, output, record, tokens } from './codexLines';

function read(...lines: readonly string[]): Transcript {
  return readTranscript(bytes(...lines), { format: 'codex' });
}

/** Texts of the context, `#` for what has none. */
function seen(transcript: Transcript): readonly string[] {
  return transcript.context.map((index) => {
    const entry = transcript.messages[index];
    return entry === undefined ? '?' : textOf(entry) || '#';
  });
}

const prompt = (text: string): string => item(message('user', text));
const reply = (text: string): string => item(message('assistant', text));

describe('codex', () => {
  const items: readonly (readonly [string, object, string, object | undefined])[] = [
    ['a prompt', message('user', 'go'), 'user/message', { type: 'text', text: 'go' }],
    ['developer text', message('developer', 'rules'), 'developer/meta', { type: 'text', text: 'rules' }],
    ['added context', message('user', '<environment_context>\n<cwd>/x</cwd>\n</environment_context>'), 'user/meta', undefined],
    ['added instructions', message('user', '# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>a</INSTRUCTIONS>'), 'user/meta', undefined],
    ['a prompt that quotes such a tag', message('user', '<environment_context> what is this?'), 'user/message', undefined],
    [
      'a picture',
      { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] },
      'user/message',
      { type: 'image', mediaType: 'image/png' },
    ],
    [
      'hidden reasoning',
      { type: 'reasoning', summary: [], content: null, encrypted_content: 'xyz' },
      'assistant/message',
      { type: 'thinking', text: '', signature: 'xyz', redacted: true },
    ],
    [
      'reasoning with a summary',
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }], encrypted_content: 'xyz' },
      'assistant/message',
      { type: 'thinking', text: 'a', signature: 'xyz' },
    ],
    [
      'a call',
      { type: 'function_call', name: 'f', arguments: '{"a":1}', call_id: 'c' },
      'assistant/message',
      { type: 'toolUse', id: 'c', name: 'f', input: { a: 1 }, rawInput: '{"a":1}' },
    ],
    [
      'a call with broken arguments',
      { type: 'function_call', name: 'f', arguments: '{"a":', call_id: 'c' },
      'assistant/message',
      { type: 'toolUse', id: 'c', name: 'f', input: '{"a":', rawInput: '{"a":' },
    ],
    [
      'a custom call',
      { type: 'custom_tool_call', name: 'patch', input: '*** Begin', call_id: 'c' },
      'assistant/message',
      { type: 'toolUse', id: 'c', name: 'patch', input: '*** Begin', rawInput: '*** Begin' },
    ],
    [
      'a shell call',
      { type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['ls'] } },
      'assistant/message',
      { type: 'toolUse', id: 'c', name: 'local_shell', input: { type: 'exec', command: ['ls'] } },
    ],
    [
      'a search by the provider',
      { type: 'web_search_call', id: 'ws', action: { query: 'q' } },
      'assistant/message',
      { type: 'toolUse', id: 'ws', name: 'web_search', input: { query: 'q' }, server: true },
    ],
    [
      'an output',
      { type: 'function_call_output', call_id: 'c', output: 'o' },
      'tool/message',
      { type: 'toolResult', toolUseId: 'c', content: 'o' },
    ],
    [
      'an output in parts',
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'o' }] },
      'tool/message',
      { type: 'toolResult', toolUseId: 'c', content: [{ type: 'text', text: 'o' }] },
    ],
    [
      'a failed output',
      { type: 'function_call_output', call_id: 'c', output: { content: 'no', success: false } },
      'tool/message',
      { type: 'toolResult', toolUseId: 'c', content: 'no', isError: true },
    ],
    [
      'a message of another agent',
      { type: 'agent_message', author: 'a', content: [{ type: 'input_text', text: 'hi' }] },
      'user/meta',
      undefined,
    ],
    [
      'an unknown item',
      { type: 'hologram', x: 1 },
      'assistant/message',
      { type: 'unknown', originalType: 'hologram', raw: '{"type":"hologram","x":1}' },
    ],
  ];
  for (const [name, payload, kind, block] of items) {
    it(`reads ${name}`, () => {
      const [entry] = read(item(payload)).messages;
      assert.equal(`${entry?.role}/${entry?.kind}`, kind);
      if (block !== undefined) assert.deepEqual(entry?.content[0], block);
    });
  }

  it('leaves snapshots of the work tree out', () => {
    assert.equal(read(prompt('go'), item({ type: 'ghost_snapshot', ghost_commit: {} })).messages.length, 1);
  });

  it('names entries by their own id, or by their place', () => {
    const { messages } = read(item(message('user', 'a', { id: 'msg_1' })), item(message('user', 'b', { id: 'msg_1' })), prompt('c'));
    assert.deepEqual(
      messages.map((entry) => entry.id),
      ['msg_1', 'line:2', 'line:3'],
    );
  });

  it('holds the items of one response together', () => {
    const { messages } = read(prompt('go'), reply('a'), call('1'), call('2'), output('1'), output('2'), reply('b'), event('x'), call('3'));
    assert.deepEqual(
      messages.map((entry) => entry.messageId),
      [undefined, 'response:2', 'response:2', 'response:2', undefined, undefined, 'response:7', 'response:7'],
    );
  });

  it('reads session, window, model and title', () => {
    const { sessionId, cwd, agentVersion, model, windowTokens, title, messages } = read(
      meta({ forked_from_id: 'c-0' }),
      meta({ id: 'c-0', cwd: '/parent' }),
      event('task_started', { model_context_window: 1000 }),
      record('turn_context', { model: 'one' }),
      reply('x'),
      event('thread_name_updated', { thread_name: 'a name' }),
      event('token_count', { info: { model_context_window: 2000 } }),
      record('turn_context', { model: 'two' }),
    );
    assert.deepEqual(
      [sessionId, cwd, agentVersion, model, windowTokens, title],
      ['c-1', '/home/dev/proj', '0.171.0', 'two', 2000, 'a name'],
    );
    assert.equal(messages[0]?.model, 'one');
  });

  it('counts items and not their mirror for the user interface', () => {
    const mirror = event('user_message', { message: 'go' });
    assert.deepEqual(seen(read(prompt('go'), mirror, event('agent_message', { message: 'ok' }), reply('ok'))), ['go', 'ok']);
    assert.deepEqual(seen(read(mirror, event('agent_message', { message: 'ok' }))), ['go', 'ok'], 'a file that stores events alone');
  });

  it('reads bare items from before version 0.32', () => {
    const transcript = readTranscript(
      bytes(
        JSON.stringify({ id: 'old', timestamp: '2025-08-01T00:00:00Z', instructions: null, git: {} }),
        JSON.stringify({ record_type: 'state' }),
        JSON.stringify(message('user', 'go')),
        JSON.stringify({ type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c' }),
      ),
    );
    assert.deepEqual([transcript.format, transcript.sessionId, transcript.messages.length], ['codex', 'old', 2]);
  });

  describe('token reports', () => {
    it('skips repeats, sums requests, and takes the cached part out of the input', () => {
      const { reports, totals } = read(
        prompt('go'),
        reply('a'),
        tokens(100, 60, 10, 110),
        tokens(100, 60, 10, 110),
        event('token_count', { info: null }),
        prompt('on'),
        reply('b'),
        tokens(150, 100, 20, 280),
      );
      assert.deepEqual(totals, { responses: 2, inputTokens: 90, outputTokens: 30, cacheReadTokens: 160, cacheCreationTokens: 0 });
      assert.deepEqual(
        reports?.map((report) => [report.afterIndex, report.contextTokens]),
        [
          [2, 110],
          [4, 170],
        ],
      );
    });

    it('leaves outputs that stand before the count to the next request', () => {
      const { reports } = read(prompt('go'), call('1'), output('1'), tokens(100, 0, 10, 110));
      assert.equal(reports?.[0]?.afterIndex, 2);
    });

    it('lets a count that stands before its response hold that response', () => {
      const { reports } = read(
        prompt('go'),
        tokens(100, 0, 10, 110),
        reply('a'),
        call('1'),
        output('1'),
        tokens(200, 0, 10, 320),
        reply('b'),
      );
      assert.deepEqual(
        reports?.map((report) => report.afterIndex),
        [3, 5],
      );
    });

    const broken: readonly (readonly [string, object])[] = [
      ['negative', { input_tokens: -1, output_tokens: 5, total_tokens: 4 }],
      ['text', { input_tokens: '1', output_tokens: 5, total_tokens: 6 }],
      ['more cached than read', { input_tokens: 1, cached_input_tokens: 2, output_tokens: 5, total_tokens: 6 }],
      ['no total', { input_tokens: 1, output_tokens: 5 }],
    ];
    for (const [name, last] of broken) {
      it(`ignores a count that is ${name}`, () => {
        const { reports, totals } = read(reply('a'), event('token_count', { info: { last_token_usage: last } }));
        assert.deepEqual([reports, totals.responses], [[], 0]);
      });
    }
  });

  describe('compactions', () => {
    const WORK = [
      item(message('developer', 'rules')),
      prompt('one'),
      reply('answer'),
      call('1'),
      output('1'),
      prompt('two'),
      reply('OWN SUMMARY'),
    ];

    it('replaces the history: what stayed are the same entries, the rest is new behind the boundary', () => {
      const history = [
        message('user', 'one'),
        message('user', 'two'),
        message('developer', 'new rules'),
        message('user', 'PREFIX\nOWN SUMMARY'),
      ];
      const transcript = read(
        ...WORK,
        tokens(100, 0, 10, 110),
        record('compacted', { message: 'PREFIX\nOWN SUMMARY', replacement_history: history }),
        estimate(40, 110),
        reply('after'),
      );
      assert.deepEqual(seen(transcript), ['one', 'two', 'new rules', 'PREFIX\nOWN SUMMARY', 'after']);
      assert.deepEqual(transcript.context, [1, 5, 8, 9, 10]);
      assert.deepEqual(transcript.boundaries, [
        {
          index: 7,
          id: 'line:9',
          timestamp: '2026-02-01T08:00:00Z',
          trigger: 'auto',
          preTokens: 110,
          postTokens: 40,
          durationMs: undefined,
          summaryId: 'line:9#4',
          preservedSegment: { startIndex: 1, count: 2, anchor: undefined, direction: 'from', ids: ['line:2', 'line:6'] },
          valid: true,
        },
      ]);
      assert.deepEqual(
        transcript.reports?.map((report) => [report.afterIndex, report.contextTokens, report.isAgentEstimate]),
        [
          [7, 110, false],
          [10, 40, true],
        ],
      );
      assert.equal(transcript.totals.responses, 1);
    });

    it('reads a copy that holds nothing but the compaction', () => {
      const history = [
        message('user', 'SUMMARY'),
        message('user', 'kept'),
        { type: 'function_call', name: 'f', arguments: '{}', call_id: 'c' },
      ];
      const transcript = read(meta(), record('compacted', { message: 'SUMMARY', replacement_history: history }));
      assert.deepEqual(
        transcript.messages.map((entry) => [entry.id, entry.kind]),
        [
          ['line:2', 'boundary'],
          ['line:2#1', 'summary'],
          ['line:2#2', 'message'],
          ['line:2#3', 'message'],
        ],
      );
      const kept = { startIndex: 2, count: 2, anchor: undefined, direction: 'upTo', ids: ['line:2#2', 'line:2#3'] };
      assert.deepEqual(transcript.boundaries[0]?.preservedSegment, kept);
    });

    it('holds the responses of a replaced history apart', () => {
      const history = [
        message('user', 'a'),
        message('assistant', '1'),
        { type: 'function_call', name: 'f', arguments: '{}', call_id: 'c' },
        { type: 'function_call_output', call_id: 'c', output: 'o' },
        message('assistant', '2'),
      ];
      const { messages } = read(record('compacted', { message: '', replacement_history: history }));
      assert.deepEqual(
        messages.map((entry) => entry.messageId),
        [undefined, undefined, 'response:1#2', 'response:1#2', undefined, 'response:1#5'],
      );
    });

    it('uses each earlier message once, the newest of equal ones first', () => {
      const transcript = read(
        prompt('go on'),
        reply('a'),
        prompt('go on'),
        record('compacted', { message: '', replacement_history: [message('user', 'go on')] }),
      );
      assert.deepEqual(transcript.context, [2]);
    });

    it('takes an opaque compaction item for the summary', () => {
      const history = [message('user', 'one'), { type: 'compaction', id: 'cmp_1', encrypted_content: 'xyz' }];
      const transcript = read(...WORK, record('compacted', { message: '', replacement_history: history }));
      assert.equal(transcript.boundaries[0]?.summaryId, 'cmp_1');
      assert.deepEqual(transcript.messages.at(-1)?.content, [{ type: 'thinking', text: '', redacted: true, signature: 'xyz' }]);
    });

    it('needs no summary where the whole history is given', () => {
      const transcript = read(...WORK, record('compacted', { message: '', replacement_history: [message('user', 'one')] }));
      assert.deepEqual([transcript.boundaries[0]?.valid, transcript.boundaries[0]?.summaryId], [true, undefined]);
    });

    it('rebuilds a history from a summary alone: added context, prompts, summary', () => {
      const transcript = read(...WORK, record('compacted', { message: 'SUMMARY' }), reply('after'));
      assert.deepEqual(seen(transcript), ['rules', 'one', 'two', 'SUMMARY', 'after']);
      assert.equal(transcript.boundaries[0]?.summaryId, 'line:8#1');
    });

    it('rebuilds with the newest prompts only, as far as they fit', () => {
      const transcript = read(
        prompt('o'.repeat(200)),
        prompt('x'.repeat(79_000)),
        prompt('y'.repeat(900)),
        record('compacted', { message: 'S' }),
      );
      assert.deepEqual(transcript.context, [1, 2, 4]);
    });

    it('tells a new summary from an opaque one that was kept', () => {
      const opaque = { type: 'compaction', encrypted_content: 'xyz' };
      const transcript = read(
        ...WORK,
        record('compacted', { message: '', replacement_history: [message('user', 'one'), opaque] }),
        reply('x'),
        record('compacted', { message: 'S', replacement_history: [message('user', 'S'), opaque, message('assistant', 'x')] }),
      );
      assert.deepEqual(
        transcript.boundaries.map((one) => [one.summaryId, one.preservedSegment?.count]),
        [
          ['line:8#2', 1],
          ['line:10#1', 2],
        ],
      );
      assert.equal(transcript.boundaries[1]?.preservedSegment?.direction, 'upTo');
    });

    it('never takes a summary for one that was there before', () => {
      const compacted = record('compacted', { message: 'S', replacement_history: [message('user', 'one'), message('user', 'S')] });
      const transcript = read(...WORK, compacted, reply('x'), compacted);
      assert.deepEqual(
        transcript.boundaries.map((one) => one.summaryId),
        ['line:8#2', 'line:10#2'],
      );
    });
  });

  describe('rollbacks', () => {
    const rollback = (turns: unknown): string => event('thread_rolled_back', { num_turns: turns });
    const TURNS = [prompt('1'), reply('a'), tokens(10, 0, 1, 11), prompt('2'), reply('b'), tokens(20, 0, 1, 32), prompt('3'), reply('c')];

    it('take back the newest turns and what was reported of them', () => {
      const transcript = read(...TURNS, rollback(2), prompt('new'));
      assert.deepEqual(seen(transcript), ['1', 'a', 'new']);
      assert.equal(transcript.messages.length, 3);
      assert.deepEqual(
        transcript.reports?.map((report) => report.contextTokens),
        [11],
      );
      assert.equal(transcript.totals.responses, 2, 'what was paid for stays counted');
      assert.deepEqual(
        transcript.diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.detail]),
        [['abandoned_branch', '4 messages']],
      );
    });

    const odd: readonly (readonly [string, unknown, readonly string[]])[] = [
      ['of no turn', 0, ['1', 'a', '2', 'b', '3', 'c']],
      ['of a negative number', -1, ['1', 'a', '2', 'b', '3', 'c']],
      ['of text', 'all', ['1', 'a', '2', 'b', '3', 'c']],
      ['of more turns than there are', 99, []],
    ];
    for (const [name, turns, expected] of odd) it(name, () => assert.deepEqual(seen(read(...TURNS, rollback(turns))), expected));

    it('into a compacted history take entries out of the context alone', () => {
      const compacted = record('compacted', {
        message: 'S',
        replacement_history: [message('user', '1'), message('user', '2'), message('user', 'S')],
      });
      const transcript = read(...TURNS, compacted, prompt('4'), rollback(2), prompt('5'));
      assert.deepEqual(seen(transcript), ['1', '5']);
      assert.deepEqual(transcript.messages.map(textOf).slice(-3), ['', 'S', '5']);
    });
  });
});
