import type { ContentBlock, MediaBlock, Role, ToolResultBlock } from '../../model/message';
import { isTokenCount, type Usage } from '../../model/usage';
import { arrayOf, field, isRecord, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { usableUsage } from '../usage';
import { MAX_BLOCKS, textBlock, unknownBlock, type ParsedContent } from './anthropicBlocks';
import { unnamedId } from './stableNames';

/** Reads Gemini content: text, a part, or a list of parts. Python dumps write the names of fields in snake_case. */
export function geminiContent(content: unknown): ParsedContent {
  if (content === undefined || content === null || content === '') return { blocks: [], odd: false };
  if (!Array.isArray(content)) return { blocks: [geminiPart(content)], odd: typeof content !== 'string' && !isRecord(content) };
  return { blocks: content.slice(0, MAX_BLOCKS).filter(isFilled).map(geminiPart), odd: content.length > MAX_BLOCKS };
}

/** A message of nothing but results is the tool's; Gemini stores it as the user's. */
export function geminiRole(isModel: boolean, blocks: readonly ContentBlock[]): Role {
  if (isModel) return 'assistant';
  return blocks.length > 0 && blocks.every((block) => block.type === 'toolResult') ? 'tool' : 'user';
}

/** What a `usageMetadata` or `tokens` record says, of any type yet. */
export interface GeminiCounts {
  readonly prompt: unknown;
  readonly cached: unknown;
  readonly output: unknown;
  readonly thoughts: unknown;
  readonly tool: unknown;
  readonly total: unknown;
}

/**
 * The prompt includes what was read from the cache. Thoughts stand beside the output, but for a total that leaves them out: then the output
 * holds them (Qwen Code before a server of the OpenAI protocol).
 */
export function geminiUsage(counts: GeminiCounts): Usage | undefined {
  const { prompt } = counts;
  const [cached, output, thoughts, tool] = [counts.cached, counts.output, counts.thoughts, counts.tool].map((value) => value ?? 0);
  if (!isTokenCount(prompt) || !isTokenCount(cached) || !isTokenCount(output) || !isTokenCount(thoughts) || !isTokenCount(tool)) {
    return undefined;
  }
  const isInside = counts.total === prompt + output + tool;
  const usage = usableUsage({
    input: prompt - cached + tool,
    output: isInside ? output : output + thoughts,
    cacheRead: cached,
    cacheCreation: 0,
  });
  return usage === undefined || thoughts === 0 || thoughts > usage.outputTokens ? usage : { ...usage, reasoningTokens: thoughts };
}

/** Reads the `usageMetadata` of an answer of the API. */
export function geminiMetadata(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  return geminiUsage({
    prompt: either(value, 'promptTokenCount', 'prompt_token_count'),
    cached: either(value, 'cachedContentTokenCount', 'cached_content_token_count'),
    output: either(value, 'candidatesTokenCount', 'candidates_token_count'),
    thoughts: either(value, 'thoughtsTokenCount', 'thoughts_token_count'),
    tool: either(value, 'toolUsePromptTokenCount', 'tool_use_prompt_token_count'),
    total: either(value, 'totalTokenCount', 'total_token_count'),
  });
}

/** A call of a tool; without an id it is paired by name and order. */
export function geminiCall(call: JsonRecord): ContentBlock {
  const name = stringOf(call, 'name') ?? '';
  return { type: 'toolUse', id: stringOf(call, 'id') ?? unnamedId(name), name: toWellFormed(name), input: field(call, 'args') };
}

function isFilled(part: unknown): boolean {
  return part !== '' && part !== null;
}

function geminiPart(part: unknown): ContentBlock {
  if (typeof part === 'string') return textBlock(part);
  if (!isRecord(part)) return unknownBlock('part', part);
  const call = either(part, 'functionCall', 'function_call');
  if (isRecord(call)) return geminiCall(call);
  const response = either(part, 'functionResponse', 'function_response');
  if (isRecord(response)) return resultBlock(response);
  const media = either(part, 'inlineData', 'inline_data') ?? either(part, 'fileData', 'file_data');
  if (isRecord(media)) return mediaOf(media);
  const text = stringOf(part, 'text');
  const thought = field(part, 'thought');
  if (text !== undefined && thought !== true) return textBlock(text);
  if (text !== undefined) return thinkingOf(text, either(part, 'thoughtSignature', 'thought_signature'));
  return unknownBlock(Object.keys(part)[0] ?? 'part', part);
}

function thinkingOf(text: string, signature: unknown): ContentBlock {
  return { type: 'thinking', text: toWellFormed(text), ...(typeof signature === 'string' ? { signature } : {}) };
}

function mediaOf(media: JsonRecord): MediaBlock {
  const mediaType = either(media, 'mimeType', 'mime_type');
  if (typeof mediaType !== 'string') return { type: 'document' };
  return { type: mediaType.startsWith('image/') ? 'image' : 'document', mediaType };
}

/** The model gets the whole response; where that is one text (`output` or `error`), the text stands for it. */
function resultBlock(response: JsonRecord): ToolResultBlock {
  const name = stringOf(response, 'name') ?? '';
  const body = field(response, 'response');
  const only = isRecord(body) && Object.keys(body).length === 1 ? (stringOf(body, 'output') ?? stringOf(body, 'error')) : undefined;
  const text = toWellFormed(only ?? (body === undefined ? '' : JSON.stringify(body)));
  const media = (arrayOf(response, 'parts') ?? []).slice(0, MAX_BLOCKS).map(geminiPart);
  const isError = isRecord(body) && Object.hasOwn(body, 'error') && !Object.hasOwn(body, 'output');
  return {
    type: 'toolResult',
    toolUseId: stringOf(response, 'id') ?? unnamedId(name),
    content: media.length === 0 ? text : [textBlock(text), ...media],
    ...(isError ? { isError } : {}),
  };
}

function either(record: JsonRecord, camel: string, snake: string): unknown {
  return field(record, camel) ?? field(record, snake);
}
