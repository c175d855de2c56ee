import type { ContentBlock, Role } from '../../model/message';
import type { Usage } from '../../model/usage';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { messageOf } from '../assemble';
import { MAX_BLOCKS, textBlock, unknownBlock } from './anthropicBlocks';
import { callBlock } from './session';
import { chatSample, collectChat, type ChatItem, type ChatTranslation } from './chat';
import type { TranscriptFormat } from './format';
import { inclusiveUsage } from './inclusiveUsage';

/** Messages of the OpenAI Chat Completions API: a request body, a list of messages, answers, or a message a line. */
export const openaiChat: TranscriptFormat = {
  id: 'openai-chat',
  agent: 'OpenAI Chat',
  recognise,
  collect: () => collectChat('openai-chat', translate),
};

const ROLES = new Map<string, Role>([
  ['system', 'system'],
  ['developer', 'developer'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

function recognise(sample: readonly unknown[]): number {
  const messages = chatSample(sample);
  const hasForeign = messages.some((message) => field(message, 'parts') !== undefined || partTypes(message).some(isResponsesPart));
  if (messages.length === 0 || hasForeign) return 0;
  if (messages.some(isOwn)) return 0.8;
  return messages.some((message) => Array.isArray(field(message, 'content'))) ? 0.4 : 0.5;
}

function isOwn(message: JsonRecord): boolean {
  const role = stringOf(message, 'role') ?? '';
  if (field(message, 'tool_calls') !== undefined || field(message, 'tool_call_id') !== undefined) return true;
  return role === 'tool' || role === 'developer' || field(message, 'content') === null || partTypes(message).includes('image_url');
}

function isResponsesPart(type: string): boolean {
  return /^(?:in|out)put_(?:text|image)$/u.test(type);
}

function partTypes(message: JsonRecord): readonly string[] {
  return (arrayOf(message, 'content') ?? []).slice(0, 100).flatMap((part) => (isRecord(part) ? (stringOf(part, 'type') ?? []) : []));
}

/** Author and content of a message in this form; agents store their own histories in it too. */
export function openaiMessage(message: JsonRecord): { readonly role: Role; readonly content: readonly ContentBlock[] } {
  const role = ROLES.get(stringOf(message, 'role') ?? '') ?? 'user';
  return { role, content: role === 'tool' ? [toolResult(message)] : contentBlocks(message) };
}

function translate(item: ChatItem): ChatTranslation {
  const { role, content } = openaiMessage(item.value);
  const isAnswer = role === 'assistant';
  const message = messageOf({
    id: item.id,
    role,
    kind: 'message',
    content,
    line: item.line,
    model: isAnswer ? item.model : undefined,
    usage: isAnswer ? chatUsage(item.usage) : undefined,
  });
  return { message, odd: content.some((block) => block.type === 'unknown') };
}

function contentBlocks(message: JsonRecord): readonly ContentBlock[] {
  const reasoning = stringOf(message, 'reasoning_content') ?? '';
  const refusal = stringOf(message, 'refusal') ?? '';
  return [
    ...(reasoning === '' ? [] : [{ type: 'thinking', text: toWellFormed(reasoning) } as const]),
    ...parts(field(message, 'content')),
    ...(refusal === '' ? [] : [textBlock(refusal)]),
    ...(arrayOf(message, 'tool_calls') ?? []).slice(0, MAX_BLOCKS).map(chatCall),
    ...legacyCall(message),
  ];
}

function parts(content: unknown): readonly ContentBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content)];
  return Array.isArray(content) ? content.slice(0, MAX_BLOCKS).map(part) : [unknownBlock('content', content)];
}

function part(value: unknown): ContentBlock {
  if (typeof value === 'string') return textBlock(value);
  if (!isRecord(value)) return unknownBlock('content', value);
  const type = stringOf(value, 'type') ?? '';
  if (type === 'image_url') return { type: 'image' };
  if (type === 'file') return { type: 'document' };
  const text = stringOf(value, 'text') ?? stringOf(value, 'refusal');
  return text === undefined ? unknownBlock(type, value) : textBlock(text);
}

/** A call as the chat API writes it: of a function with its arguments as text, or of a custom tool with its input. */
export function chatCall(value: unknown): ContentBlock {
  const call = isRecord(value) ? (recordOf(value, 'function') ?? recordOf(value, 'custom')) : undefined;
  const id = isRecord(value) ? stringOf(value, 'id') : undefined;
  const name = call === undefined ? undefined : stringOf(call, 'name');
  if (call === undefined || id === undefined || name === undefined) return unknownBlock('tool_call', value);
  return callBlock(id, name, field(call, 'arguments') ?? field(call, 'input'));
}

/** The API from before parallel calls: one call a message, answered by the function's name. */
function legacyCall(message: JsonRecord): readonly ContentBlock[] {
  const call = recordOf(message, 'function_call');
  const name = call === undefined ? undefined : stringOf(call, 'name');
  return call === undefined || name === undefined ? [] : [callBlock(`function ${name}`, name, field(call, 'arguments'))];
}

function toolResult(message: JsonRecord): ContentBlock {
  const content = field(message, 'content');
  const toolUseId = stringOf(message, 'tool_call_id') ?? `function ${stringOf(message, 'name') ?? ''}`;
  return { type: 'toolResult', toolUseId, content: typeof content === 'string' ? toWellFormed(content) : parts(content) };
}

/** Reads the `usage` of an answer. */
export function chatUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  return inclusiveUsage({
    prompt: field(value, 'prompt_tokens'),
    cached: field(recordOf(value, 'prompt_tokens_details') ?? {}, 'cached_tokens'),
    output: field(value, 'completion_tokens'),
    reasoning: field(recordOf(value, 'completion_tokens_details') ?? {}, 'reasoning_tokens'),
  });
}
