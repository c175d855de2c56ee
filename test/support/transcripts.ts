import type { CompactBoundary } from '../../src/core/model/boundary';
import type { ContentBlock, Message } from '../../src/core/model/message';
import type { Transcript } from '../../src/core/model/transcript';
import type { Usage } from '../../src/core/model/usage';

let nextId = 0;

/** A message with one text block; everything may be overridden. */
export function text(role: Message['role'], words: string, more: Partial<Message> = {}): Message {
  return withBlocks(role, [{ type: 'text', text: words }], more);
}

export function withBlocks(role: Message['role'], content: readonly ContentBlock[], more: Partial<Message> = {}): Message {
  return { id: `m${nextId++}`, role, kind: 'message', content, line: 0, ...more };
}

export function call(id: string, name: string, input: unknown, more: Partial<Message> = {}): Message {
  return withBlocks('assistant', [{ type: 'toolUse', id, name, input }], more);
}

export function result(toolUseId: string, content: string, more: Partial<Message> = {}): Message {
  return withBlocks('user', [{ type: 'toolResult', toolUseId, content }], more);
}

export function usage(inputTokens: number, outputTokens: number, cacheReadTokens = 0): Usage {
  return { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens: 0 };
}

/** A Claude Code transcript of these messages, all of them in the context unless said otherwise. */
export function transcriptOf(messages: readonly Message[], more: Partial<Transcript> = {}): Transcript {
  return {
    format: 'claude-code',
    agentVersion: '2.1.0',
    sessionId: 's-1',
    cwd: undefined,
    title: undefined,
    model: 'claude-sonnet-4-5',
    windowTokens: undefined,
    messages,
    context: messages.map((_, index) => index),
    boundaries: [],
    sidechains: [],
    reports: undefined,
    totals: { responses: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 },
    diagnostics: [],
    ...more,
  };
}

export function boundaryAt(index: number, more: Partial<CompactBoundary> = {}): CompactBoundary {
  return {
    index,
    id: `b${index}`,
    timestamp: undefined,
    trigger: 'manual',
    preTokens: 150_000,
    postTokens: undefined,
    durationMs: undefined,
    summaryId: undefined,
    preservedSegment: undefined,
    valid: true,
    ...more,
  };
}
