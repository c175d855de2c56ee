import type { ContentBlock, MediaBlock, ThinkingBlock, ToolResultBlock, ToolUseBlock, UnknownBlock } from '../../model/message';
import { field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';

/** More blocks than this in one message are left out and reported. */
export const MAX_BLOCKS = 10_000;

export interface ParsedContent {
  readonly blocks: readonly ContentBlock[];
  /** The content was of no known form, or too long. */
  readonly odd: boolean;
}

/** Reads the content of an Anthropic message: text, or a list of blocks. Absent content has no blocks; another type becomes one unknown block. */
export function anthropicContent(content: unknown): ParsedContent {
  if (content === undefined || content === null) return { blocks: [], odd: false };
  if (typeof content === 'string') return { blocks: content === '' ? [] : [textBlock(content)], odd: false };
  if (!Array.isArray(content)) return { blocks: [unknownBlock('content', content)], odd: true };
  return { blocks: content.slice(0, MAX_BLOCKS).map(anthropicBlock), odd: content.length > MAX_BLOCKS };
}

export function textBlock(text: string): ContentBlock {
  return { type: 'text', text: toWellFormed(text) };
}

/** A block that keeps the JSON of a value; `null` stands for a field that is not there. */
export function unknownBlock(originalType: string, value: unknown): UnknownBlock {
  return { type: 'unknown', originalType: toWellFormed(originalType), raw: toWellFormed(JSON.stringify(value ?? null)) };
}

function anthropicBlock(value: unknown): ContentBlock {
  if (typeof value === 'string') return textBlock(value);
  if (!isRecord(value)) return unknownBlock('block', value);
  const type = stringOf(value, 'type') ?? '';
  return knownBlock(type, value) ?? unknownBlock(type, value);
}

/** Undefined when the block lacks what its type needs. */
function knownBlock(type: string, value: JsonRecord): ContentBlock | undefined {
  if (type === 'text') return mapText(stringOf(value, 'text'), textBlock);
  if (type === 'thinking') return thinkingBlock(stringOf(value, 'thinking') ?? '', stringOf(value, 'signature'));
  if (type === 'redacted_thinking') return thinkingBlock('', stringOf(value, 'data') ?? '');
  if (type === 'image' || type === 'document') return mediaBlock(type, value);
  if (type === 'tool_reference') return mapText(stringOf(value, 'tool_name') ?? stringOf(value, 'name'), toolReference);
  if (type.endsWith('tool_use')) return toolUse(value, type !== 'tool_use');
  if (type.endsWith('tool_result')) return toolResult(value, type !== 'tool_result');
  return undefined;
}

function mapText<T>(text: string | undefined, make: (text: string) => T): T | undefined {
  return text === undefined ? undefined : make(text);
}

function toolReference(name: string): ContentBlock {
  return { type: 'toolReference', name: toWellFormed(name) };
}

function thinkingBlock(text: string, signature: string | undefined): ThinkingBlock {
  const hidden = text === '' && signature !== undefined;
  return {
    type: 'thinking',
    text: toWellFormed(text),
    ...(signature === undefined ? {} : { signature }),
    ...(hidden ? { redacted: true } : {}),
  };
}

function mediaBlock(type: 'image' | 'document', value: JsonRecord): MediaBlock {
  const source = recordOf(value, 'source');
  const mediaType = source === undefined ? undefined : stringOf(source, 'media_type');
  return mediaType === undefined ? { type } : { type, mediaType };
}

function toolUse(value: JsonRecord, server: boolean): ToolUseBlock | undefined {
  const id = stringOf(value, 'id');
  const name = stringOf(value, 'name');
  if (id === undefined || name === undefined) return undefined;
  return { type: 'toolUse', id, name: toWellFormed(name), input: field(value, 'input'), ...(server ? { server } : {}) };
}

function toolResult(value: JsonRecord, server: boolean): ToolResultBlock | undefined {
  const toolUseId = stringOf(value, 'tool_use_id');
  if (toolUseId === undefined) return undefined;
  const isError = field(value, 'is_error');
  const content = field(value, 'content');
  return {
    type: 'toolResult',
    toolUseId,
    content: typeof content === 'string' ? toWellFormed(content) : anthropicContent(content).blocks,
    ...(typeof isError === 'boolean' ? { isError } : {}),
    ...(server ? { server } : {}),
  };
}
