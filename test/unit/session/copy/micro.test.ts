// Copies in which tool results were cleared: everything else stays as it was, for every format that can be written.
import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { planMicro, type MicroPlan } from '../../../../src/core/compaction/microPlan';
import { isToolResult, toolResultText } from '../../../../src/core/model/message';
import { CLEARED_TEXT } from '../../../../src/core/micro/compactableTools';
import { checkCopy } from '../../../../src/core/session/checkCopy';
import type { CopyInput } from '../../../../src/core/session/copy/copyInput';
import { buildCopy } from '../../../../src/core/session/copy/copyWriter';
import { measureMessages } from '../../../../src/core/tokens/sizes';
import { countingIds, messagesOf, NEW_ID, NOW, readSession, session, sharedFiles, type Session } from './roundTrip';

type Json = Readonly<Record<string, unknown>>;

const long = `begin ${'word '.repeat(400)}`;

function jsonl(records: readonly Json[]): Session {
  // A number that no JavaScript number can hold.
  return session(records.map((record) => `${JSON.stringify(record).replace('"BIG"', '12345678901234567890')}\n`).join(''));
}

const claude = jsonl(
  Array.from({ length: 4 }, (_, turn): Json[] => {
    const envelope = { isSidechain: false, sessionId: 's', version: '2.1.9', cwd: '/p', timestamp: NOW };
    const parent = turn === 0 ? null : `r${turn - 1}`;
    return [
      { ...envelope, type: 'user', uuid: `u${turn}`, parentUuid: parent, message: { role: 'user', content: `do ${turn}` } },
      {
        ...envelope,
        type: 'assistant',
        uuid: `a${turn}`,
        parentUuid: `u${turn}`,
        message: {
          id: `m${turn}`,
          role: 'assistant',
          model: 'm',
          content: [{ type: 'tool_use', id: `t${turn}`, name: 'Bash', input: {} }],
        },
      },
      {
        ...envelope,
        type: 'user',
        uuid: `r${turn}`,
        parentUuid: `a${turn}`,
        message: { role: 'user', content: [{ tool_use_id: `t${turn}`, type: 'tool_result', content: long, is_error: false }] },
        toolUseResult: { stdout: long },
        unknown: 'BIG',
      },
    ];
  }).flat(),
);

const chat = jsonl(
  Array.from({ length: 4 }, (_, turn): Json[] => [
    { role: 'user', content: `do ${turn}` },
    { role: 'assistant', content: null, tool_calls: [{ id: `t${turn}`, type: 'function', function: { name: 'bash', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: `t${turn}`, content: long },
  ]).flat(),
);

const codex = jsonl([
  { timestamp: NOW, type: 'session_meta', payload: { id: 's', timestamp: NOW, cwd: '/p', originator: 'o', cli_version: '0.171.0' } },
  ...Array.from({ length: 4 }, (_, turn): Json[] => [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: `do ${turn}` }] },
    { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: `t${turn}` },
    { type: 'function_call_output', call_id: `t${turn}`, output: long },
  ])
    .flat()
    .map((payload) => ({ timestamp: NOW, type: 'response_item', payload })),
]);

const turns = [0, 1, 2, 3];
const envelope = { sessionId: 's', timestamp: NOW, cwd: '/p', version: '0.15.10' };
const qwenCall = (turn: number): Json => ({ functionCall: { id: `t${turn}`, name: 'read_file', args: {} } });
const qwenResult = (turn: number, key: string): Json => ({
  functionResponse: { id: `t${turn}`, name: 'read_file', response: { [key]: long } },
});
const qwen = jsonl(
  turns.flatMap((turn): Json[] => [
    {
      ...envelope,
      uuid: `u${turn}`,
      parentUuid: turn === 0 ? null : `r${turn - 1}`,
      type: 'user',
      message: { role: 'user', parts: [{ text: `do ${turn}` }] },
    },
    { ...envelope, uuid: `a${turn}`, parentUuid: `u${turn}`, type: 'assistant', message: { role: 'model', parts: [qwenCall(turn)] } },
    {
      ...envelope,
      uuid: `r${turn}`,
      parentUuid: `a${turn}`,
      type: 'tool_result',
      message: { role: 'user', parts: [qwenResult(turn, turn === 0 ? 'error' : 'output')] },
      toolCallResult: { callId: `t${turn}`, resultDisplay: long },
    },
  ]),
);

const geminiCall = (turn: number): Json => {
  return { id: `t${turn}`, name: 'read_file', args: {}, result: [qwenResult(turn, 'output')], status: 'success', resultDisplay: long };
};
const geminiTurn = (turn: number): Json[] => [
  { id: `u${turn}`, timestamp: NOW, type: 'user', content: [{ text: `do ${turn}` }] },
  { id: `a${turn}`, timestamp: NOW, type: 'gemini', content: '', toolCalls: [geminiCall(turn)] },
];
const geminiHeader = { sessionId: 's', projectHash: 'h', startTime: NOW, lastUpdated: NOW };
const gemini = jsonl([
  geminiHeader,
  ...turns.flatMap((turn) => [
    ...geminiTurn(turn),
    { id: `r${turn}`, timestamp: NOW, type: 'user', content: [qwenResult(turn, 'output')] },
  ]),
]);
const geminiDocument = jsonl([{ ...geminiHeader, messages: turns.flatMap(geminiTurn) }]);

const pi = jsonl([
  { type: 'session', version: 3, id: 's', timestamp: NOW, cwd: '/p' },
  ...turns.flatMap((turn): Json[] => [
    {
      type: 'message',
      id: `u${turn}`,
      parentId: turn === 0 ? null : `r${turn - 1}`,
      timestamp: NOW,
      message: { role: 'user', content: `do ${turn}` },
    },
    {
      type: 'message',
      id: `a${turn}`,
      parentId: `u${turn}`,
      timestamp: NOW,
      message: { role: 'assistant', content: [{ type: 'toolCall', id: `t${turn}`, name: 'read', arguments: {} }], model: 'm' },
    },
    {
      type: 'message',
      id: `r${turn}`,
      parentId: `a${turn}`,
      timestamp: NOW,
      message: {
        role: 'toolResult',
        toolCallId: `t${turn}`,
        toolName: 'read',
        content: [{ type: 'text', text: long }],
        isError: turn === 0,
      },
    },
  ]),
]);

const opencodeTool = (turn: number): Json => {
  const state = {
    status: turn === 0 ? 'error' : 'completed',
    input: {},
    [turn === 0 ? 'error' : 'output']: long,
    time: { start: 1, end: 2 },
  };
  return { type: 'tool', tool: 'read', callID: `t${turn}`, state };
};
const opencodePart = (of: string, n: number, more: Json): Json => ({
  id: `prt_${of}${n}`,
  sessionID: 'ses_1',
  messageID: `msg_${of}`,
  ...more,
});
const opencodeInfo = (of: string, role: string, more: Json = {}): Json => {
  return { id: `msg_${of}`, sessionID: 'ses_1', role, time: { created: 1_700_000_000_000 + Number(of.slice(1)) }, ...more };
};
const opencode = jsonl([
  {
    info: { id: 'ses_1', directory: '/p', title: 't', version: '1.18.33', time: { created: 1, updated: 2 } },
    messages: turns.flatMap((turn): Json[] => [
      { info: opencodeInfo(`u${turn}`, 'user'), parts: [opencodePart(`u${turn}`, 0, { type: 'text', text: `do ${turn}` })] },
      {
        info: opencodeInfo(`a${turn}`, 'assistant', { parentID: `msg_u${turn}` }),
        parts: [opencodePart(`a${turn}`, 0, opencodeTool(turn))],
      },
    ]),
  },
]);

const dockerItem = (message: Json): Json => ({ message: { agentName: 'root', message, implicit: false } });
const dockerCall = (turn: number): Json => ({ id: `t${turn}`, type: 'function', function: { name: 'read_file', arguments: '{}' } });
const docker = jsonl([
  {
    id: 's',
    messages: turns.flatMap((turn): Json[] => [
      dockerItem({ role: 'user', content: `do ${turn}` }),
      dockerItem({ role: 'assistant', content: '', tool_calls: [dockerCall(turn)] }),
      dockerItem({ role: 'tool', tool_call_id: `t${turn}`, content: long, is_error: turn === 0 }),
    ]),
    input_tokens: 1,
    output_tokens: 1,
  },
]);

/** How often the long text of a result may stand in the copy: where it was not cleared, and beside it for people. */
const LEFT: Readonly<Record<string, number>> = {
  claude: 4,
  chat: 2,
  codex: 2,
  qwen: 4,
  gemini: 4,
  geminiDocument: 4,
  pi: 2,
  opencode: 2,
  docker: 2,
};

function planOf({ transcript }: Session): MicroPlan | undefined {
  const { tokens, sizeOf } = measureMessages(transcript, {});
  const input = { messages: transcript.messages, context: transcript.context, tokens, unattributedTokens: 0, revision: 1 };
  const plan = planMicro({ keepResults: 2 }, input, sizeOf);
  return plan.outcome === 'plan' ? plan : undefined;
}

function copyOf(source: Session, plan: MicroPlan): { readonly input: CopyInput; readonly records: readonly string[] } {
  const input: CopyInput = {
    transcript: source.transcript,
    plan,
    cleared: plan.blocks,
    summary: undefined,
    lines: (line) => source.lines[line - 1],
    lineCount: source.lines.length,
    document: source.text,
    newSessionId: NEW_ID,
    ids: countingIds(),
    now: NOW,
    tokens: { before: plan.tokensBefore, after: plan.tokensAfter },
  };
  return { input, records: buildCopy(input).records };
}

describe('copies with cleared tool results', () => {
  for (const [name, source] of Object.entries({ claude, chat, codex, qwen, gemini, geminiDocument, pi, opencode, docker })) {
    it(`${name}: the chosen results hold the mark, everything else is as it was`, () => {
      const plan = planOf(source);
      assert.ok(plan);
      const { input, records } = copyOf(source, plan);
      const checked = checkCopy(input, records);
      assert.deepEqual(checked.faults, []);
      const results = messagesOf(checked.transcript, checked.transcript.context)
        .flatMap(({ content }) => content.filter(isToolResult))
        .map(toolResultText);
      assert.deepEqual(results, [CLEARED_TEXT, CLEARED_TEXT, long, long]);
      assert.equal(records.join('').split(long).length - 1, LEFT[name]);
    });
  }

  it('claude: other fields keep their bytes, and the display’s copy of a cleared text goes too', () => {
    const plan = planOf(claude);
    assert.ok(plan);
    const { records } = copyOf(claude, plan);
    assert.equal(records.length, 12);
    assert.match(records[2] ?? '', /12345678901234567890/);
    assert.doesNotMatch(records[2] ?? '', /stdout/);
    assert.match(records[11] ?? '', /stdout/);
    assert.match(records[0] ?? '', /"parentUuid":null/);
  });

  const shared = sharedFiles('transcripts', /^(claude|codex|gemini|qwen|pi)\/.*\.jsonl?$/);
  it(`real sessions ${shared === undefined ? '(skipped: ../shared/transcripts is not there)' : ''}`, function () {
    if (shared === undefined) this.skip();
    this.timeout(120_000);
    let copies = 0;
    for (const path of shared) {
      const source = readSession(path);
      const plan = planOf(source);
      if (plan === undefined) continue;
      copies++;
      const { input, records } = copyOf(source, plan);
      assert.deepEqual(checkCopy(input, records).faults, [], relative('..', path));
    }
    assert.ok(copies > 10, `${copies} copies`);
    console.log(`      ${copies} copies of ${shared.length} sessions`);
  });
});
