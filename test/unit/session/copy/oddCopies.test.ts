// Copies of sessions that lack what every agent writes, and of plans that no planner makes.
import assert from 'node:assert/strict';
import type { ClearedBlocks } from '../../../../src/core/compaction/microPlan';
import type { Message } from '../../../../src/core/model/message';
import type { FormatId, Transcript } from '../../../../src/core/model/transcript';
import { checkCopy } from '../../../../src/core/session/checkCopy';
import type { CopyInput, CopyPlan } from '../../../../src/core/session/copy/copyInput';
import { buildCopy } from '../../../../src/core/session/copy/copyWriter';
import { transcriptOfParts } from '../../../../src/core/transcript/readParts';
import { PartRecord } from '../../../../src/core/transcript/partRecord';
import { readTranscript } from '../../../../src/core/transcript/readTranscript';
import { countingIds, NEW_ID, NOW, SUMMARY } from './roundTrip';

const NOTHING: CopyPlan = { kept: [], summarized: [], order: 'summaryFirst' };

function read(format: FormatId, text: string): Transcript {
  return readTranscript(new TextEncoder().encode(text), { format });
}

function inputOf(transcript: Transcript, plan: CopyPlan, lines: readonly string[], more: Partial<CopyInput> = {}): CopyInput {
  return {
    ...{ transcript, plan, lines: (line: number) => lines[line - 1], lineCount: lines.length },
    ...{ summary: SUMMARY, newSessionId: NEW_ID, ids: countingIds(), now: NOW, tokens: { before: 2000, after: 500 } },
    ...more,
  };
}

/** The copy of a source of lines in which all of the context is kept, behind or before the summary. */
function copyOf(format: FormatId, lines: readonly string[], order: CopyPlan['order'] = 'summaryFirst', more: Partial<CopyInput> = {}) {
  const transcript = read(format, lines.map((line) => `${line}\n`).join(''));
  return buildCopy(inputOf(transcript, { kept: transcript.context, summarized: [], order }, lines, more)).records;
}

function message(id: string, line: number, more: Partial<Message> = {}): Message {
  return { id, role: 'user', kind: 'message', content: [{ type: 'text', text: 'x' }], line, ...more };
}

function crafted(format: FormatId, messages: readonly Message[]): Transcript {
  return { ...read(format, ''), format, messages, context: messages.map((_, index) => index) };
}

const all = (transcript: Transcript, order: CopyPlan['order'] = 'summaryFirst'): CopyPlan => ({
  kept: transcript.context,
  summarized: [],
  order,
});

/** All results of these messages cleared. */
function clearing(transcript: Transcript): ReadonlyMap<number, ClearedBlocks> {
  return new Map(
    transcript.messages.map((one, index) => [
      index,
      new Map(one.content.flatMap((block, at) => (block.type === 'toolResult' ? [[at, '[cleared]']] : []))),
    ]),
  );
}

describe('copies of what is not there', () => {
  it('are refused where no copies are written', () => {
    assert.throws(() => buildCopy(inputOf(crafted('otel', []), NOTHING, [])), { code: 'notSupported' });
  });

  it('hold the summary alone', () => {
    for (const format of ['claude-code', 'pi', 'qwen', 'gemini', 'anthropic-messages', 'openai-chat'] as const) {
      for (const order of ['summaryFirst', 'keptFirst'] as const) {
        const transcript = crafted(format, []);
        const { records } = buildCopy(inputOf(transcript, { ...NOTHING, order, kept: [99] }, []));
        assert.ok(records.join('\n').includes(JSON.stringify(SUMMARY).slice(1, -1)), `${format} ${order}`);
      }
    }
    for (const [format, parts] of [
      ['docker-agent', []],
      ['opencode', []],
    ] as const) {
      const { records } = buildCopy(inputOf(crafted(format, []), NOTHING, [], { parts }));
      assert.ok(records.join('').includes(JSON.stringify(SUMMARY)), format);
    }
  });

  it('are stale where the source says something else', () => {
    for (const format of ['claude-code', 'codex', 'gemini', 'qwen', 'pi', 'anthropic-messages', 'openai-chat'] as const) {
      const transcript = crafted(format, [message('m', 3)]);
      assert.throws(() => buildCopy(inputOf(transcript, all(transcript), ['{}'])), { code: 'staleSource' }, format);
    }
    for (const format of ['docker-agent', 'opencode'] as const) {
      const transcript = crafted(format, [message('m', 0)]);
      for (const document of ['{"messages":[]}', '[]', 'torn'])
        assert.throws(() => buildCopy(inputOf(transcript, all(transcript), [], { document })), { code: 'staleSource' }, document);
    }
    assert.throws(() => buildCopy(inputOf(crafted('codex', []), NOTHING, [])), { code: 'staleSource' });
  });
});

describe('copies of odd Claude Code sessions', () => {
  it('keep a record whose message is no object', () => {
    const transcript = crafted('claude-code', [message('u1', 1)]);
    const { records } = buildCopy(inputOf(transcript, all(transcript), ['{"uuid":"u1","message":null}']));
    assert.match(records.at(-1) ?? '', /"message":null/);
  });
});

describe('copies of odd Codex sessions', () => {
  const META = '{"timestamp":"t","type":"session_meta","payload":{"id":"s"}}';

  it('begin with the first record, and without instructions where there are none', () => {
    const bare = '{"id":"old","timestamp":"2025-01-01T00:00:00Z"}';
    const [meta] = copyOf('codex', ['', bare, '{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}']);
    assert.match(meta ?? '', /"type":"session_meta"/);
    assert.doesNotMatch(meta ?? '', /"instructions"/);
  });

  it('make an item for a message that has none in the file', () => {
    const lines = [
      META,
      '{"type":"compacted","payload":{"message":"s","replacement_history":{}}}',
      '{"type":"compacted","payload":{"message":"s"}}',
      '{"type":"compacted","payload":{"replacement_history":[1,{"type":"message","id":"i1","role":"user","content":[]}]}}',
      '{"type":"compacted","payload":{"message":5}}',
      '{"a":1}',
    ];
    const messages = [
      message('a', 2),
      message('line:3', 3, { role: 'assistant' }),
      message('i1', 4),
      message('b', 5, { role: 'developer' }),
      message('d', 6),
    ];
    const transcript = crafted('codex', messages);
    const records = buildCopy(inputOf(transcript, all(transcript), lines)).records.join('\n');
    assert.match(records, /"output_text","text":"x"/);
    assert.match(records, /"id":"i1"/);
    assert.match(records, /"role":"developer"/);
  });
});

describe('copies of odd docker agent sessions', () => {
  const item = (content: string): string =>
    JSON.stringify({ message: { agentName: 'a', message: { role: 'user', content }, implicit: false } });
  const chat = JSON.stringify({ role: 'user', content: 'one' });
  const document = `{"id":"s","messages":[{"summary":"earlier"},${item('one')},{"error":"e"},${item('two')}]}`;

  it('write an earlier summary as a message where it cannot stay one', () => {
    const transcript = read('docker-agent', document);
    assert.ok(transcript.messages.some(({ kind }) => kind === 'summary'));
    const { records } = buildCopy(inputOf(transcript, all(transcript), [], { document }));
    assert.match(records.join(''), /"content":"[^"]*earlier/);
    assert.doesNotMatch(records.join(''), /"summary":"earlier"/);
  });

  it('are made of rows, of whatever version', () => {
    const row = (value: unknown, table = 'session_items'): PartRecord => new PartRecord(table, value);
    const origin = new PartRecord('origin', { agent: 'docker-agent' });
    const chat = JSON.stringify({ role: 'user', content: 'one' });
    const sources: readonly (readonly unknown[])[] = [
      [
        'no part',
        row({ id: 's', title: 't', working_dir: '/p' }, 'sessions'),
        row({ session_id: 's', id: 1, item_type: 'message', message_json: chat, agent_name: 'a' }),
      ],
      [
        row({ id: 's' }, 'sessions'),
        row({ session_id: 's', id: 1, item_type: 'message', message_json: chat }),
        row({ session_id: 's', id: 2, item_type: 'other' }),
      ],
      [row({ id: 's', messages: `[${item('one')}]` }, 'sessions')],
      [row({ id: 's', messages: '{torn' }, 'sessions'), row(5, 'sessions')],
    ];
    const kept = sources.map((parts) => {
      const records = [origin, ...parts].map((value, line) => ({ value, line, part: 0, bytes: 0 }));
      const transcript = { ...transcriptOfParts(records, [], undefined), format: 'docker-agent' as const };
      const copy = buildCopy(inputOf(transcript, all(transcript), [], { parts }));
      assert.match(copy.records.join(''), /"summary":/);
      return /"content":"one"/.test(copy.records.join(''));
    });
    assert.deepEqual(kept, [true, true, true, false]);
  });

  it('are none of rows that belong to no session', () => {
    const parts = [new PartRecord('sessions', {}), new PartRecord('session_items', { id: 1, item_type: 'message', message_json: chat })];
    const transcript = crafted('docker-agent', [message('item:1', 0)]);
    const { records } = buildCopy(inputOf(transcript, all(transcript), [], { parts }));
    assert.notDeepEqual(checkCopy({ transcript, plan: all(transcript), summary: SUMMARY }, records).faults, []);
  });
});

describe('copies of odd Gemini sessions', () => {
  it('have a header and a model where the source names none', () => {
    const [header, snapshot, thanks] = copyOf('gemini', ['{"id":"u","type":"user","content":"x"}']);
    assert.match(header ?? '', /"kind":"main"/);
    assert.match(snapshot ?? '', /"type":"user"/);
    assert.match(thanks ?? '', /"model":"gemini"/);
  });

  it('clear results wherever they stand', () => {
    const result = '[{"functionResponse":{"id":"c","response":{"output":"long"}}}]';
    const lines = [
      '{"sessionId":"s","kind":"main"}',
      '{"id":"u","type":"user","content":"x"}',
      `{"id":"a","type":"gemini","content":"y","toolCalls":[{"id":"c","name":"read","args":{},"result":${result}},{"name":"n","result":${result}}]}`,
    ];
    const transcript = read('gemini', lines.map((line) => `${line}\n`).join(''));
    const records = copyOf('gemini', lines, 'keptFirst', { summary: undefined, cleared: clearing(transcript) });
    assert.doesNotMatch(records.join(''), /long/);
  });
});

describe('copies of odd opencode sessions', () => {
  const text = (id: string, said: string): string => `{"id":"${id}","type":"text","text":"${said}"}`;
  const answer = '"role":"assistant","parentID":"gone"';

  it('lack nothing that the agent asks for', () => {
    const document = `{"info":{"id":"ses_1"},"messages":[{"info":{"role":"user"},"parts":[${text('p1', 'one')}]},{"info":{${answer},"time":5},"parts":[${text('p2', 'two')}]},{"info":{${answer},"tokens":5},"parts":[${text('p3', 'three')}]}]}`;
    const transcript = read('opencode', document);
    for (const order of ['summaryFirst', 'keptFirst'] as const) {
      const [record = ''] = buildCopy(inputOf(transcript, all(transcript, order), [], { document })).records;
      for (const part of ['"slug":"compacted"', '"directory":"/"', '"title":"Compacted session"', '"version":"0.0.0"', 'three'])
        assert.ok(record.includes(part), `${part} in ${record}`);
    }
  });

  it('keep an earlier summary at the beginning alone', () => {
    const summary =
      '{"info":{"id":"m2","role":"assistant","parentID":"m1","summary":true},"parts":[{"id":"p","type":"text","text":"earlier"}]}';
    const asked = '{"info":{"id":"m1","role":"user"},"parts":[{"id":"q","type":"compaction","auto":false}]}';
    const user = '{"info":{"id":"m3","role":"user"},"parts":[{"id":"r","type":"text","text":"next"}]}';
    const document = `{"info":{"id":"ses_1"},"messages":[${asked},${summary},${user}]}`;
    const transcript = read('opencode', document);
    assert.ok(transcript.context.some((index) => transcript.messages[index]?.kind === 'summary'));
    const [first = ''] = buildCopy(inputOf(transcript, all(transcript, 'keptFirst'), [], { document })).records;
    assert.match(first, /"type":"compaction"/);
    const [later = ''] = buildCopy(inputOf(transcript, all(transcript), [], { document })).records;
    assert.equal(later.split('"type":"compaction"').length, 2, 'that of our own summary');
    const nameless = document.replace('"id":"m1",', '').replace('"parentID":"m1",', '');
    const unnamed = read('opencode', nameless);
    assert.match(buildCopy(inputOf(unnamed, all(unnamed, 'keptFirst'), [], { document: nameless })).records.join(''), /earlier/);
    const orphan = document.replace(`${asked},`, '');
    const alone = read('opencode', orphan);
    assert.match(buildCopy(inputOf(alone, all(alone, 'keptFirst'), [], { document: orphan })).records.join(''), /earlier/);
  });
});

describe('copies of odd pi sessions', () => {
  it('write an earlier summary as a message where it cannot stay one', () => {
    const lines = [
      '{"type":"session","version":3,"id":"s","cwd":"/p"}',
      '{"type":"message","id":"a1","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"one"}]}}',
      '{"type":"compaction","id":"c1","parentId":"a1","summary":"earlier","firstKeptEntryId":"a1","tokensBefore":5}',
      '{"type":"message","id":"a2","parentId":"c1","message":{"role":"user","content":[{"type":"text","text":"two"}]}}',
    ];
    const records = copyOf('pi', lines);
    assert.ok(
      records.some((record) => record.includes('custom_message') && record.includes('earlier')),
      records.join('\n'),
    );
  });

  it('keep an entry that says its message twice', () => {
    const twice = '{"type":"message","id":"a1","parentId":null,"message":5,"message":{"role":"user","content":"one"}}';
    assert.match(copyOf('pi', ['{"type":"session","id":"s"}', twice]).join('\n'), /"message":5,"message":\{"role"/);
  });

  it('are stale for an entry whose message is no object', () => {
    const transcript = crafted('pi', [message('line:2', 2, { content: [] })]);
    const lines = ['{"type":"session","id":"s"}', '{"type":"message","message":"text"}'];
    assert.throws(() => buildCopy(inputOf(transcript, all(transcript), lines)), { code: 'staleSource' });
  });
});

describe('copies of odd Qwen sessions', () => {
  const stated = (parts: string): string =>
    `{"uuid":"c1","parentUuid":null,"type":"system","subtype":"chat_compression","systemPayload":{"info":{},"compressedHistory":[1,{"role":"user","parts":${parts}},{"role":"model","parts":[{"text":"thanks"}]}]}}`;
  const response = '[{"functionResponse":{"id":"c","name":"r","response":{"output":"long"}}}]';

  it('state again what an earlier compression stated, and nothing else where nothing came behind it', () => {
    const lines = [stated('[{"text":"one"}]')];
    const transcript = read('qwen', `${lines[0] ?? ''}\n`);
    const records = copyOf('qwen', lines, 'keptFirst', { summary: undefined, cleared: clearing(transcript) });
    assert.equal(records.length, 1);
    assert.match(records[0] ?? '', /"compressedHistory":\[\{"role":"user","parts":\[\{"text":"one"\}\]\}/);
  });

  it('write what was stated as records, results too, and clear them there', () => {
    const lines = [
      stated(response),
      '{"uuid":"t1","parentUuid":"c1","type":"tool_result","toolCallResult":5,"message":{"role":"user","parts":' + response + '}}',
    ];
    const transcript = read('qwen', lines.map((line) => `${line}\n`).join(''));
    const kept = copyOf('qwen', lines).join('\n');
    assert.match(kept, /"type":"tool_result"/);
    const cleared = copyOf('qwen', lines, 'keptFirst', { summary: undefined, cleared: clearing(transcript) }).join('\n');
    assert.doesNotMatch(cleared, /long/);
  });

  it('find a record behind one of another kind on its line', () => {
    const fused =
      '{"uuid":"s1","type":"system","subtype":"x"}{"uuid":"u1","parentUuid":null,"type":"user","message":{"role":"user","parts":[{"text":"one"}]}}';
    const transcript = crafted('qwen', [message('u1', 1)]);
    assert.match(buildCopy(inputOf(transcript, all(transcript), [fused])).records.join(''), /"text":"one"/);
  });

  it('keep a record without a message', () => {
    const records = copyOf('qwen', ['{"uuid":"u1","parentUuid":null,"type":"user"}'], 'keptFirst');
    assert.match(records.at(-1) ?? '', /"compressedHistory":\[null,/);
  });
});
