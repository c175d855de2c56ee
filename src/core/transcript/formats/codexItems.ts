import type { ContentBlock, MessageKind, Role, ToolUseBlock } from '../../model/message';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { nestsDeeperThan, parseJson } from '../jsonText';
import { MAX_BLOCKS, textBlock, unknownBlock } from './anthropicBlocks';

/** A Responses-API item in our terms. */
export interface CodexItem {
  readonly role: Role;
  readonly kind: MessageKind;
  readonly content: readonly ContentBlock[];
  /** Part of a model's response, in contrast to what it is asked or answered. */
  readonly isResponse: boolean;
}

/** Deepest nesting of a call's arguments that is read as a value; deeper ones stay text. */
const MAX_ARGUMENT_DEPTH = 200;
/** Items that never reach a model. */
const UNSEEN = new Set(['ghost_snapshot', 'other']);
/** Tags that Codex itself puts around texts that it adds in the user's name; it tells them from prompts the same way. */
const CONTEXT_TAGS = [
  'environment_context',
  'user_instructions',
  'subagent_notification',
  'turn_aborted',
  'recommended_plugins',
  'user_action',
  'user_shell_command',
  'skill',
];

/** Types of items that old files store without an envelope. */
export const ITEM_TYPES: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'web_search_call',
  'mcp_tool_call_output',
  'tool_search_call',
  'tool_search_output',
  'image_generation_call',
  'agent_message',
  'compaction',
  'ghost_snapshot',
]);

/** Translates one item; undefined when it is no part of the conversation. `place` names calls that old versions store without an id. */
export function codexItem(item: JsonRecord, place: string): CodexItem | undefined {
  const type = stringOf(item, 'type') ?? '';
  if (UNSEEN.has(type)) return undefined;
  if (type === 'message') return messageItem(item);
  if (type === 'reasoning') return response([reasoningBlock(item)]);
  if (type === 'function_call') return callItem(item, type, field(item, 'arguments'));
  if (type === 'custom_tool_call') return callItem(item, type, field(item, 'input'));
  if (type === 'tool_search_call') return callItem(item, 'tool_search', field(item, 'arguments'));
  if (type === 'local_shell_call') return callItem(item, 'local_shell', field(item, 'action'));
  if (type === 'web_search_call') return response([serverCall(item, 'web_search', field(item, 'action'), place)]);
  if (type === 'image_generation_call') return response([{ type: 'image' }]);
  if (type === 'tool_search_output') return outputItem(item, field(item, 'tools'));
  if (type.endsWith('_output')) return outputItem(item, field(item, 'output') ?? field(item, 'result'));
  if (type === 'agent_message') return { role: 'user', kind: 'meta', content: contentParts(field(item, 'content')), isResponse: false };
  if (type === 'compaction') return { role: 'assistant', kind: 'summary', content: [hiddenBlock(item)], isResponse: false };
  return { role: 'assistant', kind: 'message', content: [unknownBlock(type, item)], isResponse: true };
}

function response(content: readonly ContentBlock[]): CodexItem {
  return { role: 'assistant', kind: 'message', content, isResponse: true };
}

function messageItem(item: JsonRecord): CodexItem {
  const role = roleOf(stringOf(item, 'role'));
  const content = contentParts(field(item, 'content'));
  const isContext = role === 'developer' || role === 'system' || (role === 'user' && isAddedContext(content));
  return { role, kind: isContext ? 'meta' : 'message', content, isResponse: role === 'assistant' };
}

function roleOf(role: string | undefined): Role {
  return role === 'assistant' || role === 'developer' || role === 'system' ? role : 'user';
}

function isAddedContext(content: readonly ContentBlock[]): boolean {
  return content.length > 0 && content.every((block) => block.type === 'text' && isContextText(block.text.trim()));
}

function isContextText(text: string): boolean {
  if (text.startsWith('# AGENTS.md instructions for ')) return text.includes('<INSTRUCTIONS>');
  return CONTEXT_TAGS.some((tag) => text.startsWith(`<${tag}>`) && text.endsWith(`</${tag}>`));
}

function contentParts(content: unknown): readonly ContentBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content)];
  if (!Array.isArray(content)) return content === undefined || content === null ? [] : [unknownBlock('content', content)];
  return content.slice(0, MAX_BLOCKS).map(contentPart);
}

function contentPart(part: unknown): ContentBlock {
  if (typeof part === 'string') return textBlock(part);
  if (!isRecord(part)) return unknownBlock('content', part);
  const type = stringOf(part, 'type') ?? '';
  if (type === 'input_image') return imageBlock(stringOf(part, 'image_url'));
  if (type === 'input_file') return { type: 'document' };
  if (type === 'encrypted_content') return hiddenBlock(part);
  const text = stringOf(part, 'text') ?? stringOf(part, 'refusal');
  return text === undefined ? unknownBlock(type, part) : textBlock(text);
}

function imageBlock(url: string | undefined): ContentBlock {
  const end = url?.startsWith('data:') === true ? url.slice(0, 100).search(/[;,]/u) : -1;
  return url === undefined || end < 0 ? { type: 'image' } : { type: 'image', mediaType: url.slice('data:'.length, end) };
}

/** The readable part is the summary that the user sees; what the model gets back is the ciphertext, or the raw text of local models. */
function reasoningBlock(item: JsonRecord): ContentBlock {
  const raw = textsOf(arrayOf(item, 'content'));
  const text = toWellFormed(raw === '' ? textsOf(arrayOf(item, 'summary')) : raw);
  const signature = stringOf(item, 'encrypted_content');
  return {
    type: 'thinking',
    text,
    ...(signature === undefined ? {} : { signature }),
    ...(text === '' ? { redacted: true } : {}),
  };
}

function textsOf(parts: readonly unknown[] | undefined): string {
  return (parts ?? []).flatMap((part) => (isRecord(part) ? (stringOf(part, 'text') ?? []) : [])).join('\n');
}

function hiddenBlock(item: JsonRecord): ContentBlock {
  const signature = stringOf(item, 'encrypted_content');
  return { type: 'thinking', text: '', redacted: true, ...(signature === undefined ? {} : { signature }) };
}

function callItem(item: JsonRecord, fallbackName: string, input: unknown): CodexItem {
  const id = stringOf(item, 'call_id') ?? stringOf(item, 'id');
  if (id === undefined) return response([unknownBlock(fallbackName, item)]);
  return response([toolUse(id, stringOf(item, 'name') ?? fallbackName, input)]);
}

function toolUse(id: string, name: string, input: unknown): ToolUseBlock {
  const named = { type: 'toolUse', id, name: toWellFormed(name) } as const;
  if (typeof input !== 'string') return { ...named, input };
  const value = input.startsWith('{') && !nestsDeeperThan(input, MAX_ARGUMENT_DEPTH) ? parseJson(input) : undefined;
  return { ...named, input: value ?? input, rawInput: toWellFormed(input) };
}

function serverCall(item: JsonRecord, name: string, input: unknown, place: string): ContentBlock {
  const id = stringOf(item, 'call_id') ?? stringOf(item, 'id') ?? `${name} ${place}`;
  return { type: 'toolUse', id, name, input, server: true };
}

function outputItem(item: JsonRecord, output: unknown): CodexItem {
  const toolUseId = stringOf(item, 'call_id');
  const content = typeof output === 'string' ? toWellFormed(output) : outputParts(output);
  if (toolUseId === undefined) return { role: 'tool', kind: 'message', content: [unknownBlock('output', item)], isResponse: false };
  const isError = isRecord(output) && field(output, 'success') === false;
  const block: ContentBlock = { type: 'toolResult', toolUseId, content, ...(isError ? { isError } : {}) };
  return { role: 'tool', kind: 'message', content: [block], isResponse: false };
}

function outputParts(output: unknown): string | readonly ContentBlock[] {
  const inner = isRecord(output) ? (field(output, 'content') ?? recordOf(output, 'output')) : output;
  if (typeof inner === 'string') return toWellFormed(inner);
  return contentParts(inner);
}
