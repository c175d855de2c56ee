// Reads the chat messages of seed 0's vectors. The model of that program stores one text twice in places; a reader of it must not count both.
import type { ContentBlock, Message, Role } from '../../src/core/model/message';
import type { Usage } from '../../src/core/model/usage';
import { arrayOf, field, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../../src/core/util/json';

const ROLES = new Map<string, Role>([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['developer', 'developer'],
]);

/** Translates one chat message. A role that is not known (also by its case) becomes `system`: counted, and never a place to cut. */
export function seed0Message(value: unknown, index: number): Message {
  const message = isRecord(value) ? value : {};
  const role = ROLES.get(stringOf(message, 'role') ?? '') ?? 'system';
  const model = stringOf(message, 'model');
  const usage = usageOf(recordOf(message, 'usage'));
  return {
    id: `line:${index + 1}`,
    role,
    kind: 'message',
    content: contentOf(message, role),
    line: index + 1,
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
  };
}

function contentOf(message: JsonRecord, role: Role): readonly ContentBlock[] {
  const content = stringOf(message, 'content') ?? '';
  const reasoning = stringOf(message, 'reasoning_content') ?? '';
  const call = recordOf(message, 'function_call');
  const blocks: ContentBlock[] = [
    ...(content === '' ? [] : [textBlock(content)]),
    ...(reasoning === '' ? [] : [{ type: 'thinking' as const, text: reasoning }]),
    ...partsOf(message, content),
    ...(arrayOf(message, 'tool_calls') ?? []).map((one) => callBlock(isRecord(one) ? one : {})),
    ...(call === undefined ? [] : [callBlock({ function: call })]),
  ];
  return role === 'tool' ? [{ type: 'toolResult', toolUseId: stringOf(message, 'tool_call_id') ?? '', content: blocks }] : blocks;
}

/** The parts but the first text that repeats the content word for word. */
function partsOf(message: JsonRecord, content: string): readonly ContentBlock[] {
  const parts = (arrayOf(message, 'multi_content') ?? []).map((part) => (isRecord(part) ? part : {}));
  const mirror = content === '' ? -1 : parts.findIndex((part) => stringOf(part, 'type') === 'text' && stringOf(part, 'text') === content);
  return parts.filter((_, index) => index !== mirror).flatMap(partBlocks);
}

function partBlocks(part: JsonRecord): readonly ContentBlock[] {
  const source = recordOf(recordOf(part, 'document') ?? {}, 'source') ?? {};
  return [
    textBlock(stringOf(part, 'text') ?? ''),
    textBlock(stringOf(source, 'inline_text') ?? ''),
    ...((stringOf(source, 'inline_data') ?? '') === '' ? [] : [{ type: 'document' as const }]),
    ...(field(part, 'image_url') === undefined && field(part, 'file') === undefined ? [] : [{ type: 'image' as const }]),
  ];
}

function callBlock(call: JsonRecord): ContentBlock {
  const fn = recordOf(call, 'function') ?? {};
  return {
    type: 'toolUse',
    id: stringOf(call, 'id') ?? '',
    name: stringOf(fn, 'name') ?? '',
    input: undefined,
    rawInput: stringOf(fn, 'arguments') ?? '',
  };
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text };
}

/** Numbers as they stand: the vectors also try negative ones. */
function usageOf(usage: JsonRecord | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  return {
    inputTokens: numberOf(usage, 'input_tokens') ?? 0,
    outputTokens: numberOf(usage, 'output_tokens') ?? 0,
    cacheReadTokens: numberOf(usage, 'cached_input_tokens') ?? 0,
    cacheCreationTokens: numberOf(usage, 'cached_write_tokens') ?? 0,
    reasoningTokens: numberOf(usage, 'reasoning_tokens') ?? 0,
  };
}
