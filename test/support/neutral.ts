// Reads the neutral messages of cases and vectors (Anthropic-like JSON with marks for what a reader would have recognised by structure).
import type { ContentBlock, Message, MessageKind, Role } from '../../src/core/model/message';
import type { Usage } from '../../src/core/model/usage';
import { anthropicUsage } from '../../src/core/transcript/usage';
import { arrayOf, field, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../../src/core/util/json';

/** Translates a list of neutral messages; anything that is no record is refused. */
export function neutralMessages(value: unknown): readonly Message[] {
  if (!Array.isArray(value)) throw new Error('messages must be a list');
  return value.map((item: unknown, index) => neutralMessage(item, index));
}

/** Translates one neutral message. `index` gives it an id and a line where it has none. */
export function neutralMessage(value: unknown, index: number): Message {
  if (!isRecord(value)) throw new Error('a message must be a record');
  const role = roleOf(stringOf(value, 'role'));
  const meta = stringOf(value, 'meta');
  const usage = usageOf(value);
  const optional = {
    ...named('timestamp', stringOf(value, 'timestamp')),
    ...named('model', stringOf(value, 'model')),
    ...named('requestId', stringOf(value, 'requestId')),
    ...named('modelForNext', stringOf(value, 'modelForNext')),
    ...named('messageId', role === 'assistant' ? stringOf(value, 'id') : undefined),
    ...named('usage', usage),
    ...(field(value, 'isSidechain') === true ? { isSidechain: true } : {}),
    ...(field(value, 'inherited') === true ? { isInherited: true } : {}),
    ...(meta === 'compaction_response' ? { isCompactionReply: true } : {}),
  };
  return {
    id: stringOf(value, 'uuid') ?? `line:${index + 1}`,
    role,
    kind: kindOf(value, meta),
    content: contentOf(value),
    line: index + 1,
    ...optional,
  };
}

/** The user and assistant messages and tool pairs of a `generate` input. */
export function generateMessages(spec: JsonRecord): readonly Message[] {
  const count = numberOf(spec, 'count') ?? 0;
  if (stringOf(spec, 'kind') !== 'alternatingToolPairs') throw new Error(`unknown generator ${stringOf(spec, 'kind') ?? ''}`);
  return Array.from({ length: count }, (_, index) => {
    if (index === 0) return neutralMessage({ role: 'user', content: [{ type: 'text', text: 'start' }] }, index);
    const id = `t${Math.ceil(index / 2)}`;
    const block =
      index % 2 === 1 ? { type: 'tool_use', id, name: 'Read', input: {} } : { type: 'tool_result', tool_use_id: id, content: 'ok' };
    return neutralMessage({ role: index % 2 === 1 ? 'assistant' : 'user', content: [block] }, index);
  });
}

const ROLES: ReadonlySet<string> = new Set<Role>(['user', 'assistant', 'system', 'developer', 'tool']);

function isRole(role: string | undefined): role is Role {
  return role !== undefined && ROLES.has(role);
}

function roleOf(role: string | undefined): Role {
  if (!isRole(role)) throw new Error(`unknown role ${role ?? ''}`);
  return role;
}

function kindOf(value: JsonRecord, meta: string | undefined): MessageKind {
  if (field(value, 'boundary') === true) return 'boundary';
  if (meta === 'summary') return 'summary';
  if (meta === undefined || meta === 'compaction_response') return 'message';
  return 'meta';
}

function usageOf(value: JsonRecord): Usage | undefined {
  const raw = recordOf(value, 'usage');
  const usage = anthropicUsage(raw);
  const reasoning = raw === undefined ? undefined : numberOf(raw, 'reasoning_tokens');
  return usage === undefined || reasoning === undefined ? usage : { ...usage, reasoningTokens: reasoning };
}

function contentOf(value: JsonRecord): readonly ContentBlock[] {
  const content = field(value, 'content');
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (arrayOf(value, 'content') ?? []).map(neutralBlock);
}

/** Translates one neutral content block; a type that is not known stays as raw JSON. */
export function neutralBlock(value: unknown): ContentBlock {
  if (!isRecord(value)) throw new Error('a block must be a record');
  const type = stringOf(value, 'type') ?? '';
  switch (type) {
    case 'text':
      return { type, text: stringOf(value, 'text') ?? '' };
    case 'thinking':
      return {
        type,
        text: stringOf(value, 'thinking') ?? stringOf(value, 'text') ?? '',
        ...named('signature', stringOf(value, 'signature')),
      };
    case 'redacted_thinking':
      return { type: 'thinking', text: '', redacted: true, ...named('signature', stringOf(value, 'data')) };
    case 'tool_use':
    case 'server_tool_use':
      return {
        type: 'toolUse',
        id: stringOf(value, 'id') ?? '',
        name: stringOf(value, 'name') ?? '',
        input: field(value, 'input'),
        ...named('rawInput', stringOf(value, 'raw_input')),
        ...(type === 'server_tool_use' ? { server: true } : {}),
      };
    case 'image':
    case 'document':
      return { type };
    case 'tool_reference':
      return { type: 'toolReference', name: stringOf(value, 'name') ?? stringOf(value, 'tool_name') ?? '' };
    default:
      return type.endsWith('tool_result') ? toolResult(value, type) : { type: 'unknown', originalType: type, raw: rawOf(value) };
  }
}

function toolResult(value: JsonRecord, type: string): ContentBlock {
  const blocks = arrayOf(value, 'content_blocks') ?? arrayOf(value, 'content');
  return {
    type: 'toolResult',
    toolUseId: stringOf(value, 'tool_use_id') ?? '',
    content: blocks === undefined || blocks.length === 0 ? (stringOf(value, 'content') ?? '') : blocks.map(neutralBlock),
    ...(field(value, 'is_error') === true ? { isError: true } : {}),
    ...(type === 'tool_result' ? {} : { server: true }),
  };
}

function rawOf(value: JsonRecord): string {
  return stringOf(value, 'raw') ?? JSON.stringify(value);
}

function named<Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> {
  const record: Partial<Record<Key, Value>> = {};
  if (value !== undefined) record[key] = value;
  return record;
}
