// A made-up conversation as agents store it that write a record a message.
import type { WireTurn } from './wireSessions';

type Json = Readonly<Record<string, unknown>>;

const TIME = '2026-01-01T00:00:00.000Z';

/** Numbers records, each with the one before it as its parent. */
class Chain {
  #last = 0;

  next(): { readonly id: string; readonly parent: string | null; readonly at: number } {
    const parent = this.#last === 0 ? null : uuid(this.#last);
    this.#last += 1;
    return { id: uuid(this.#last), parent, at: this.#last };
  }
}

function uuid(n: number): string {
  return `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

export function jsonl(records: readonly Json[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

export function claudeCode(turns: readonly WireTurn[]): string {
  const chain = new Chain();
  const record = (type: 'user' | 'assistant', message: Json): Json => {
    const { id, parent } = chain.next();
    return {
      parentUuid: parent,
      isSidechain: false,
      cwd: '/p',
      sessionId: uuid(999),
      version: '2.1.300',
      type,
      uuid: id,
      timestamp: TIME,
      message,
    };
  };
  const answer = (id: string, block: Json): Json =>
    record('assistant', {
      ...{ id, type: 'message', role: 'assistant', model: 'm', content: [block], stop_reason: 'end_turn' },
      usage: { input_tokens: 5000, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    });
  return jsonl(
    turns.flatMap(({ asked, calls, said }, turn) => [
      record('user', { role: 'user', content: asked }),
      ...calls.map(({ id, input }) => answer(`msg_${turn}a`, { type: 'tool_use', id, name: 'Read', input })),
      ...calls.map(({ id, result }) =>
        record('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] }),
      ),
      answer(`msg_${turn}b`, { type: 'text', text: said }),
    ]),
  );
}

export function codex(turns: readonly WireTurn[]): string {
  let ordinal = 0;
  const line = (type: string, payload: Json): Json => ({ timestamp: TIME, ordinal: ordinal++, type, payload });
  const item = (payload: Json): Json => line('response_item', payload);
  const message = (role: 'user' | 'assistant', text: string): Json =>
    item({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] });
  return jsonl([
    line('session_meta', { id: uuid(999), timestamp: TIME, cwd: '/p', originator: 'codex_exec', cli_version: '0.171.0', source: 'exec' }),
    ...turns.flatMap(({ asked, calls, said }) => [
      message('user', asked),
      ...calls.map(({ id, input }) => item({ type: 'function_call', name: 'read', arguments: JSON.stringify(input), call_id: id })),
      ...calls.map(({ id, result }) => item({ type: 'function_call_output', call_id: id, output: result })),
      message('assistant', said),
    ]),
  ]);
}

export const GEMINI_HEADER: Json = { sessionId: uuid(999), projectHash: 'h', startTime: TIME, lastUpdated: TIME, kind: 'main' };

export function geminiRecords(turns: readonly WireTurn[]): readonly Json[] {
  return turns.flatMap(({ asked, calls, said }, turn) => {
    const answer = (id: string, content: string, more: Json): Json => ({
      ...{ id, timestamp: TIME, type: 'gemini', content, thoughts: [], tokens: { input: 900, output: 1, cached: 0 }, model: 'm' },
      ...more,
    });
    const toolCalls = calls.map(({ id, input, result }) => ({
      ...{ id, name: 'read_file', args: input, status: 'success' },
      result: [{ functionResponse: { id, name: 'read_file', response: { output: result } } }],
    }));
    return [
      { id: `u${turn}`, timestamp: TIME, type: 'user', content: [{ text: asked }] },
      ...(calls.length === 0 ? [] : [answer(`a${turn}`, 'I look.', { toolCalls })]),
      answer(`b${turn}`, said, {}),
    ];
  });
}

export function qwen(turns: readonly WireTurn[]): string {
  const chain = new Chain();
  const record = (type: string, more: Json): Json => {
    const { id, parent } = chain.next();
    return { uuid: id, parentUuid: parent, sessionId: uuid(999), timestamp: TIME, cwd: '/p', version: '0.15.10', type, ...more };
  };
  const answer = (parts: readonly Json[]): Json =>
    record('assistant', { model: 'm', message: { role: 'model', parts }, usageMetadata: { promptTokenCount: 900 } });
  return jsonl(
    turns.flatMap(({ asked, calls, said }) => [
      record('user', { message: { role: 'user', parts: [{ text: asked }] } }),
      ...(calls.length === 0 ? [] : [answer(calls.map(({ id, input }) => ({ functionCall: { id, name: 'read_file', args: input } })))]),
      ...calls.map(({ id, result }) =>
        record('tool_result', {
          message: { role: 'user', parts: [{ functionResponse: { id, name: 'read_file', response: { output: result } } }] },
        }),
      ),
      answer([{ text: said }]),
    ]),
  );
}

export function pi(turns: readonly WireTurn[]): string {
  const chain = new Chain();
  const entry = (message: Json): Json => {
    const { id, parent } = chain.next();
    return { type: 'message', id: id.slice(-8), parentId: parent?.slice(-8) ?? null, timestamp: TIME, message };
  };
  const usage = { input: 5, output: 6, cacheRead: 0, cacheWrite: 0, totalTokens: 11, cost: { total: 0.1 } };
  const answer = (content: readonly Json[]): Json =>
    entry({ role: 'assistant', content, provider: 'p', model: 'm', usage, stopReason: 'stop' });
  return jsonl([
    { type: 'session', version: 3, id: uuid(999), timestamp: TIME, cwd: '/p' },
    ...turns.flatMap(({ asked, calls, said }) => [
      entry({ role: 'user', content: [{ type: 'text', text: asked }], timestamp: 1 }),
      ...(calls.length === 0 ? [] : [answer(calls.map(({ id, input }) => ({ type: 'toolCall', id, name: 'read', arguments: input })))]),
      ...calls.map(({ id, result }) =>
        entry({ role: 'toolResult', toolCallId: id, toolName: 'read', content: [{ type: 'text', text: result }], isError: false }),
      ),
      answer([{ type: 'text', text: said }]),
    ]),
  ]);
}
