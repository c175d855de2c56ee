// A made-up conversation as agents store it whose session is one document, and as plain lists of messages.
import type { WireCall, WireTurn } from './wireSessions';

type Json = Readonly<Record<string, unknown>>;

const TIME = '2026-01-01T00:00:00.000Z';
const START = 1_700_000_000_000;
const SESSION_ID = 'aaaaaaaa-0000-4000-8000-000000000999';

export function dockerAgent(turns: readonly WireTurn[]): string {
  const item = (message: Json): Json => ({ message: { agentName: 'root', message, implicit: false } });
  const usage = { input_tokens: 900, output_tokens: 1 };
  const messages = turns.flatMap(({ asked, calls, said }) => [
    item({ role: 'user', content: asked, created_at: TIME }),
    ...(calls.length === 0
      ? []
      : [item({ role: 'assistant', content: '', usage, cost: 0.5, model: 'm', tool_calls: calls.map(chatCall) })]),
    ...calls.map(({ id, result }) => item({ role: 'tool', tool_call_id: id, content: result })),
    item({ role: 'assistant', content: said, usage, cost: 0.5, model: 'm' }),
  ]);
  return JSON.stringify({
    id: SESSION_ID,
    title: 't',
    working_dir: '/p',
    created_at: TIME,
    input_tokens: 9,
    output_tokens: 5,
    cost: 3,
    messages,
  });
}

export function opencode(turns: readonly WireTurn[]): string {
  const tokens = { total: 900, input: 1, output: 2, reasoning: 3, cache: { read: 890, write: 4 } };
  const messages = turns.flatMap(({ asked, calls, said }, turn) => {
    const parts = (messageID: string, list: readonly Json[]): readonly Json[] =>
      list.map((part, at) => ({ id: `prt_${messageID.slice(4)}${at}`, sessionID: 'ses_1', messageID, ...part }));
    const [user, assistant] = [`msg_${turn}a`, `msg_${turn}b`];
    const step = (list: readonly Json[]): readonly Json[] => [
      { type: 'step-start' },
      ...list,
      { type: 'step-finish', reason: 'x', tokens, cost: 0.1 },
    ];
    const tools = calls.map(({ id, input, result }) => ({
      ...{ type: 'tool', tool: 'read', callID: id },
      state: { status: 'completed', input, output: result, metadata: {}, time: { start: 1, end: 2 } },
    }));
    const model = { providerID: 'p', modelID: 'm' };
    const time = START + turn * 10;
    return [
      {
        info: { id: user, sessionID: 'ses_1', role: 'user', time: { created: time }, agent: 'build', model },
        parts: parts(user, [{ type: 'text', text: asked }]),
      },
      {
        info: {
          ...{ id: assistant, sessionID: 'ses_1', role: 'assistant', parentID: user, ...model, mode: 'build', agent: 'build' },
          ...{ path: { cwd: '/p', root: '/' }, cost: 0.5, tokens, time: { created: time + 1, completed: time + 5 } },
        },
        parts: parts(assistant, [...(tools.length === 0 ? [] : step(tools)), ...step([{ type: 'text', text: said }])]),
      },
    ];
  });
  const info = {
    id: 'ses_1',
    slug: 's',
    projectID: 'p1',
    directory: '/p',
    title: 't',
    version: '1.18.33',
    time: { created: START, updated: START },
  };
  return JSON.stringify({ info, messages });
}

export function anthropic(turns: readonly WireTurn[]): readonly Json[] {
  return turns.flatMap(({ asked, calls, said }) => [
    { role: 'user', content: asked },
    ...(calls.length === 0
      ? []
      : [
          { role: 'assistant', content: calls.map(({ id, input }) => ({ type: 'tool_use', id, name: 'Read', input })) },
          { role: 'user', content: calls.map(({ id, result }) => ({ type: 'tool_result', tool_use_id: id, content: result })) },
        ]),
    { role: 'assistant', content: [{ type: 'text', text: said }], usage: { input_tokens: 5, output_tokens: 6 } },
  ]);
}

export function openai(turns: readonly WireTurn[]): readonly Json[] {
  return [
    { role: 'system', content: 'be brief' },
    ...turns.flatMap(({ asked, calls, said }) => [
      { role: 'user', content: asked },
      ...(calls.length === 0 ? [] : [{ role: 'assistant', content: null, tool_calls: calls.map(chatCall) }]),
      ...calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
      { role: 'assistant', content: said },
    ]),
  ];
}

function chatCall({ id, input }: WireCall): Json {
  return { id, type: 'function', function: { name: 'read', arguments: JSON.stringify(input) } };
}
