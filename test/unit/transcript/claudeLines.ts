// Lines of Claude Code transcripts for tests: every helper gives one record as JSON text.
export interface Envelope {
  readonly uuid: string;
  readonly parent: string | null;
  readonly more?: object;
}

export function user({ uuid, parent, more }: Envelope, content: unknown): string {
  return line('user', uuid, parent, { message: { role: 'user', content }, ...more });
}

export function assistant({ uuid, parent, more }: Envelope, id: string, block: object, usage?: object): string {
  const message = { id, role: 'assistant', model: 'claude-sonnet-4-5', content: [block], ...(usage === undefined ? {} : { usage }) };
  return line('assistant', uuid, parent, { requestId: `req_${id}`, message, ...more });
}

export function says(uuid: string, parent: string | null, id: string, text: string): string {
  return assistant({ uuid, parent }, id, { type: 'text', text });
}

export function calls(uuid: string, parent: string | null, id: string, toolUseId: string): string {
  return assistant({ uuid, parent }, id, { type: 'tool_use', id: toolUseId, name: 'Read', input: { path: toolUseId } });
}

export function answers(uuid: string, parent: string | null, toolUseId: string): string {
  return user({ uuid, parent }, [{ type: 'tool_result', tool_use_id: toolUseId, content: `result of ${toolUseId}` }]);
}

export function boundary(uuid: string, metadata: object = {}, more: object = {}): string {
  const compactMetadata = { trigger: 'manual', preTokens: 1000, ...metadata };
  return line('system', uuid, null, { subtype: 'compact_boundary', content: 'Conversation compacted', compactMetadata, ...more });
}

export function summary(uuid: string, parent: string | null, text = 'SUMMARY'): string {
  return user({ uuid, parent, more: { isCompactSummary: true, isVisibleInTranscriptOnly: true } }, text);
}

export function line(type: string, uuid: string, parentUuid: string | null, more: object): string {
  return JSON.stringify({ parentUuid, isSidechain: false, type, uuid, sessionId: 's-1', version: '2.1.0', cwd: '/home/dev/proj', ...more });
}

export function bytes(...lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.map((one) => `${one}\n`).join(''));
}
