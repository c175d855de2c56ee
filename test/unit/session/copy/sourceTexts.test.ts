// The functions that writers of copies take texts out of a source with, on what no agent writes.
import assert from 'node:assert/strict';
import type { Message } from '../../../../src/core/model/message';
import { elementTexts, wholeDocument } from '../../../../src/core/session/copy/chatElements';
import { clearContent, clearPart } from '../../../../src/core/session/copy/clearedParts';
import { clearedIn, clearItem, clearMessage } from '../../../../src/core/session/copy/clearedResults';
import { canResume, copyFileName, copySessionId } from '../../../../src/core/session/copy/copyName';
import { geminiTexts, withInnerResults } from '../../../../src/core/session/copy/geminiText';
import { memberText } from '../../../../src/core/session/copy/jsonSpans';
import { opencodeTexts, placesOf } from '../../../../src/core/session/copy/opencodeText';
import { recordsOn } from '../../../../src/core/session/copy/sourceRecords';
import { zeroCounts, zeroUsage } from '../../../../src/core/session/copy/zeroUsage';
import { PartRecord } from '../../../../src/core/transcript/partRecord';
import { copyInput, planFor, session } from './roundTrip';
import type { CopyInput } from '../../../../src/core/session/copy/copyInput';

const MARK = '[cleared]';
const chat = session('{"role":"user","content":"one"}\n{"role":"assistant","content":"said"}\n{"role":"user","content":"two"}\n');

/** An input whose source is other than what was read. */
function over(lines: readonly string[], more: Partial<CopyInput> = {}): CopyInput {
  const plan = planFor(chat, { kind: 'full', keepMessages: 1 });
  assert.ok(plan);
  const { transcript, newSessionId, ids, now, tokens, summary } = copyInput(chat, plan);
  return { transcript, plan, summary, newSessionId, ids, now, tokens, lines: (line) => lines[line - 1], lineCount: lines.length, ...more };
}

describe('cleared results in Gemini’s parts', () => {
  const response = '{"functionResponse":{"id":"c","parts":[1],"response":{"output":"long"}}}';
  const cleared = '{"functionResponse":{"id":"c","response":{"output":"[cleared]"}}}';
  const rows: readonly (readonly [string, string, readonly (readonly [number, string])[]])[] = [
    [response, cleared, [[0, MARK]]],
    [response, response, [[1, MARK]]],
    ['"text"', '"text"', [[0, MARK]]],
    [`[null,"",${response}]`, `[null,"",${cleared}]`, [[0, MARK]]],
    [`[${response},${response}]`, `[${response},${cleared}]`, [[1, MARK]]],
    ['{"functionResponse":null}', '{"functionResponse":null}', [[0, MARK]]],
    ['{"function_response":{"id":"c"}}', '{"function_response":{"id":"c","response":{"output":"[cleared]"}}}', [[0, MARK]]],
    ['{"functionResponse":{"response":{"error":"e"}}}', '{"functionResponse":{"response":{"error":"[cleared]"}}}', [[0, MARK]]],
  ];
  for (const [content, expected, blocks] of rows)
    it(content.slice(0, 60), () => assert.equal(clearContent(content, new Map(blocks)), expected));
  it('of a part that is no object are none', () => assert.equal(clearPart('5', MARK), '5'));
});

describe('cleared results of calls', () => {
  const texts = new Map([['c1', MARK]]);
  const rows: readonly (readonly [string, string])[] = [
    ['{"tool_call_id":"c1","content":"long"}', '{"tool_call_id":"c1","content":"[cleared]"}'],
    ['{"tool_call_id":5,"content":"long"}', '{"tool_call_id":5,"content":"long"}'],
    ['{"content":"long"}', '{"content":"long"}'],
    [
      '{"content":[{"tool_use_id":"c1","content":"long"},{"tool_use_id":"c2","content":"x"},{"type":"text"}]}',
      '{"content":[{"tool_use_id":"c1","content":"[cleared]"},{"tool_use_id":"c2","content":"x"},{"type":"text"}]}',
    ],
  ];
  for (const [message, expected] of rows) it(message, () => assert.equal(clearMessage(message, texts), expected));

  it('of the Responses API are found by either name of the call', () => {
    assert.equal(clearItem('{"call_id":"c1","output":"long"}', texts), '{"call_id":"c1","output":"[cleared]"}');
    assert.equal(clearItem('{"id":"c1","output":"long"}', texts), '{"id":"c1","output":"[cleared]"}');
    assert.equal(clearItem('{"output":"long"}', texts), '{"output":"long"}');
  });

  it('are those of results alone, in messages that are there', () => {
    const clearedOf = clearedIn(
      over([], {
        cleared: new Map([
          [0, new Map([[0, MARK]])],
          [1, new Map([[9, MARK]])],
          [99, new Map([[0, MARK]])],
        ]),
      }),
    );
    const [first, second, third] = chat.transcript.messages;
    assert.ok(first && second && third);
    assert.deepEqual([clearedOf(first), clearedOf(second), clearedOf(third)], [new Map(), new Map(), undefined]);
  });
});

describe('usage without its numbers', () => {
  it('is no usage where there is none', () => {
    assert.deepEqual([zeroUsage('null'), zeroUsage('[1]'), zeroCounts('7')], [undefined, undefined, undefined]);
  });
  it('keeps words and drops what lies deep', () => {
    assert.equal(zeroCounts('{"a":1,"b":[1],"c":"x","d":{"e":{"f":{"g":1},"h":2}}}'), '{"a":0,"b":[],"c":"x","d":{"e":{"h":0}}}');
  });
});

describe('the records of a line', () => {
  const found = (line: string): readonly string[] => recordsOn({ lines: () => line }, 1).map(({ text }) => text);

  it('are the whole ones, and behind a torn one the last', () => {
    assert.deepEqual(found('{"a":1}{"b":2}'), ['{"a":1}', '{"b":2}']);
    assert.deepEqual(found('{"a":1}{"torn":"x{"b":2}'), ['{"a":1}', '{"b":2}']);
    assert.deepEqual(found('{"a":1}7'), ['{"a":1}']);
    assert.deepEqual(recordsOn({ lines: () => undefined }, 1), []);
  });
  it('are not searched for in a line of a megabyte, nor without end', () => {
    assert.deepEqual(found(`{"torn":"${'x'.repeat(1024 * 1024)}{"b":2}`), []);
    assert.deepEqual(found(`{"torn":"${'{"'.repeat(70)}{"b":2}`), []);
  });
});

describe('the whole document of a source', () => {
  const whole = (lines: readonly string[], document?: string): string | undefined =>
    wholeDocument(over(lines, document === undefined ? {} : { document }));

  it('is a list, or an object with messages, alone', () => {
    const rows: readonly (readonly [readonly string[], string | undefined, string | undefined])[] = [
      [['[1]'], undefined, '[1]'],
      [['{"messages":[]}', ' '], undefined, '{"messages":[]}'],
      [['{"messages":[]}', '{}'], undefined, undefined],
      [['{}', '{}', '{}'], undefined, undefined],
      [[], undefined, undefined],
      [[], ' [1] ', '[1]'],
      [[], '[1] [2]', undefined],
      [[], '{"a":1}', undefined],
      [[], '', undefined],
    ];
    assert.equal(wholeDocument(over(['[1]'], { lineCount: 2 })), '[1]');
    for (const [lines, document, expected] of rows) assert.equal(whole(lines, document), expected, JSON.stringify([lines, document]));
  });
});

describe('the texts of chat messages', () => {
  const message = (id: string, role: Message['role'] = 'user'): Message => ({ id, role, kind: 'message', content: [], line: 1 });
  const textsOf = (line: string, messages: readonly Message[]): readonly (string | undefined)[] => {
    const input = over([line], { transcript: { ...chat.transcript, messages } });
    const found = elementTexts(input, messages, undefined);
    return messages.map((one) => found.get(one));
  };
  const ONE = '{"role":"user","content":"x"}';
  const CALLS = '{"role":"assistant","tool_calls":[]}';

  it('are found in lists, requests, answers and alone', () => {
    assert.deepEqual(textsOf(`[${ONE},{"odd":1},${CALLS}]`, [message('a'), message('b')]), [ONE, CALLS]);
    assert.deepEqual(textsOf(`{"system":"s","messages":[${ONE}]}`, [message('s', 'system'), message('a')]), [undefined, ONE]);
    assert.deepEqual(textsOf(`{"choices":[{"message":${ONE}}]}`, [message('a')]), [ONE]);
    assert.deepEqual(textsOf(ONE, [message('a')]), [ONE]);
  });

  it('are not what the line does not say', () => {
    for (const line of ['{"choices":[{"message":{"x":1}}]}', '{"choices":[7]}', '{"role":"user"}', '{torn', '7', '']) {
      assert.throws(() => textsOf(line, [message('a')]), { code: 'staleSource' }, line);
    }
    assert.throws(() => textsOf(`[${ONE},${ONE}]`, [message('a')]), { code: 'staleSource' });
    const input = over([], { transcript: { ...chat.transcript, messages: [message('a')] } });
    assert.throws(() => elementTexts(input, [message('a')], undefined), { code: 'staleSource' });
  });
});

describe('the texts of Gemini’s messages', () => {
  const USER = '{"id":"u","type":"user","content":"x"}';
  const found = (line: string, document?: string): readonly string[] =>
    geminiTexts(over([line]), 1, document).map(({ source }) => source.text);

  it('are records, lists that a line states, and those of a document', () => {
    assert.deepEqual(found(USER), [USER]);
    assert.deepEqual(found(`{"$set":{"messages":[${USER},1]}}`), [USER]);
    assert.deepEqual(found('', `{"messages":[null,${USER}]}`), [USER]);
    assert.deepEqual(found('', '[1]'), []);
  });

  it('keep what is no call, and calls without a name', () => {
    const inner = { answered: new Set<string>(), cleared: new Set<string>(), blocks: undefined };
    for (const record of ['{"toolCalls":{}}', '{"toolCalls":[1,{"name":"n"}]}', '{"a":1}'])
      assert.equal(withInnerResults(record, inner), record);
  });
});

describe('the texts of opencode’s messages', () => {
  const part = (kind: string, value: unknown): PartRecord => new PartRecord(kind, value);
  const textsOf = (parts: readonly unknown[]): ReturnType<typeof opencodeTexts> => opencodeTexts(over([], { parts }));

  it('are rows and files; what is damaged or of another kind is left out', () => {
    const texts = textsOf([
      'no part',
      part('session', 5),
      part('session', { id: 'ses_1', title: 't' }),
      part('session', { id: 'ses_2' }),
      part('message', { id: 'm1', session_id: 'ses_1', data: '{"role":"user"}' }),
      part('message', { id: 5, data: '{"role":"user"}' }),
      part('message', { data: 5 }),
      part('message', { data: '{torn' }),
      part('message', { data: '[1]' }),
      part('message', { id: 'm9', session_id: 'ses_1', data: '{"role":"user"}' }),
      part('part', { id: 'p1', message_id: 'm1', data: '{"type":"text","text":"x"}' }),
      part('part', { id: 'p2', message_id: 'm1', data: '{"type":"text","text":"y"}' }),
      part('part', { id: 'p3', data: '{"type":"text"}' }),
      part('other/x', {}),
    ]);
    assert.equal(texts.info, '{"id":"ses_1","title":"t"}');
    assert.deepEqual(
      texts.messages.map(({ info, parts }) => [memberText(info, 'id'), parts.length]),
      [
        ['"m1"', 2],
        [undefined, 1],
        ['"m9"', 0],
      ],
    );
    assert.deepEqual(
      textsOf([part('session', { time_created: 1, title: 't' })]).info,
      '{"slug":"compacted","projectID":"global","title":"t"}',
    );
    assert.deepEqual(textsOf([]), { info: '{}', messages: [] });
  });

  it('of an export are those with facts and parts', () => {
    const document = '{"messages":[1,{"info":5,"parts":[]},{"info":{}},{"info":{"id":"m1"},"parts":[1,{"type":"text"}]}]}';
    assert.deepEqual(opencodeTexts(over([], { document })), {
      info: '{}',
      messages: [{ info: '{"id":"m1"}', parts: ['{"type":"text"}'] }],
    });
    assert.deepEqual(opencodeTexts(over([], { document: 'no document' })), { info: '{}', messages: [] });
    assert.equal(placesOf([{ info: '[1]', parts: ['[1]'] }]).size, 1, 'a message of which nothing is known');
  });
});

describe('names of copies', () => {
  it('are there for sources without a name of their own', () => {
    assert.equal(
      copyFileName('opencode', '.hidden', 'ses_0123456789abcdef', '2026-11-30T12:00:00.000Z'),
      'session.compacted-01234567.json',
    );
  });
  it('tell which agents go on from them', () => {
    assert.equal(copySessionId('openai-chat', 'u'), 'u');
    assert.deepEqual([canResume('claude-code'), canResume('docker-agent'), canResume('openai-chat')], [true, false, false]);
  });
});
