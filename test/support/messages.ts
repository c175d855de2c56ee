// Short ways to write messages in tables.
import type { ContentBlock, Message } from '../../src/core/model/message';
import type { Usage } from '../../src/core/model/usage';

export function user(text: string, more: Partial<Message> = {}): Message {
  return { id: 'u', role: 'user', kind: 'message', content: [{ type: 'text', text }], line: 0, ...more };
}

export function assistant(content: string | readonly ContentBlock[], more: Partial<Message> = {}): Message {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return { id: 'a', role: 'assistant', kind: 'message', content: blocks, line: 0, ...more };
}

export function call(...ids: readonly string[]): readonly ContentBlock[] {
  return ids.map((id) => ({ type: 'toolUse', id, name: 'Read', input: {} }));
}

export function results(...ids: readonly string[]): Message {
  return user('', { content: ids.map((toolUseId) => ({ type: 'toolResult', toolUseId, content: 'ok' })) });
}

export function boundary(): Message {
  return { id: 'b', role: 'system', kind: 'boundary', content: [], line: 0 };
}

/** Fresh input, output and cache parts of a report. */
export function reported(
  inputTokens: number,
  outputTokens: number,
  cacheReadTokens = 0,
  cacheCreationTokens = 0,
): { readonly usage: Usage } {
  return { usage: { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } };
}
