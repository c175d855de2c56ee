// Lines of Codex rollouts for tests: every helper gives one record as JSON text.
export function record(type: string, payload: object): string {
  return JSON.stringify({ timestamp: '2026-02-01T08:00:00Z', type, payload });
}

export function item(payload: object): string {
  return record('response_item', payload);
}

export function event(type: string, more: object = {}): string {
  return record('event_msg', { type, ...more });
}

export function message(role: string, text: string, more: object = {}): object {
  return { type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }], ...more };
}

export function meta(more: object = {}): string {
  return record('session_meta', { id: 'c-1', cwd: '/home/dev/proj', cli_version: '0.171.0', ...more });
}

export function call(callId: string): string {
  return item({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: callId });
}

export function output(callId: string): string {
  return item({ type: 'function_call_output', call_id: callId, output: `output of ${callId}` });
}

/** A token count: prompt (cached part included), reply, and the total of the thread. */
export function tokens(input: number, cached: number, reply: number, thread: number): string {
  return event('token_count', {
    info: {
      total_token_usage: { total_tokens: thread },
      last_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: reply, total_tokens: input + reply },
      model_context_window: 258_400,
    },
  });
}

export function estimate(context: number, thread: number): string {
  const last = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, total_tokens: context };
  return event('token_count', { info: { total_token_usage: { total_tokens: thread }, last_token_usage: last } });
}

export function bytes(...lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.map((one) => `${one}\n`).join(''));
}
