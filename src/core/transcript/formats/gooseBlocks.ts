import type { ContentBlock } from '../../model/message';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { MAX_BLOCKS, textBlock, unknownBlock } from './anthropicBlocks';
import { callBlock } from './session';

/** Blocks of a message of Goose, whose parts are named in camel case. */
export function gooseBlocks(content: readonly unknown[]): readonly ContentBlock[] {
  return content.slice(0, MAX_BLOCKS).flatMap(blockOf);
}

/** Notices that only the user sees have no block. */
const NOTICES = new Set([
  'toolConfirmationRequest',
  'systemNotification',
  'summarizationRequested',
  'conversationCompacted',
  'contextLengthExceeded',
]);

function blockOf(value: unknown): readonly ContentBlock[] {
  if (!isRecord(value)) return [unknownBlock('content', value)];
  const type = stringOf(value, 'type') ?? '';
  const text = stringOf(value, 'text');
  if (type === 'text' && text !== undefined) return text === '' ? [] : [textBlock(text)];
  if (type === 'image') return [image(value)];
  if (type === 'thinking') return [thinking(stringOf(value, 'thinking') ?? '', stringOf(value, 'signature'))];
  if (type === 'redactedThinking') return [{ ...thinking('', stringOf(value, 'data') ?? ''), redacted: true }];
  if (type === 'toolRequest' || type === 'frontendToolRequest') return [toolRequest(value)];
  if (type === 'toolResponse') return [toolResponse(value)];
  return NOTICES.has(type) ? [] : [unknownBlock(type, value)];
}

function thinking(text: string, signature: string | undefined): Extract<ContentBlock, { type: 'thinking' }> {
  return { type: 'thinking', text: toWellFormed(text), ...(signature === undefined ? {} : { signature }) };
}

function image(value: JsonRecord): ContentBlock {
  const mediaType = stringOf(value, 'mimeType');
  return { type: 'image', ...(mediaType === undefined ? {} : { mediaType: toWellFormed(mediaType) }) };
}

function toolRequest(value: JsonRecord): ContentBlock {
  const id = stringOf(value, 'id') ?? '';
  const call = recordOf(recordOf(value, 'toolCall') ?? {}, 'value');
  const name = call === undefined ? undefined : stringOf(call, 'name');
  return call === undefined || name === undefined ? unknownBlock('toolRequest', value) : callBlock(id, name, field(call, 'arguments'));
}

function toolResponse(value: JsonRecord): ContentBlock {
  const result = recordOf(value, 'toolResult') ?? {};
  const error = stringOf(result, 'error');
  const inner = field(result, 'value');
  // Newer versions wrap the parts together with whether the tool failed.
  const parts = Array.isArray(inner) ? inner : isRecord(inner) ? (arrayOf(inner, 'content') ?? []) : [];
  const isError = error !== undefined || (isRecord(inner) && field(inner, 'isError') === true);
  return {
    type: 'toolResult',
    toolUseId: stringOf(value, 'id') ?? '',
    content: error === undefined ? parts.slice(0, MAX_BLOCKS).flatMap(resultPart) : toWellFormed(error),
    ...(isError ? { isError: true } : {}),
  };
}

/** Parts that are meant for the user alone are not sent. */
function resultPart(value: unknown): readonly ContentBlock[] {
  if (!isRecord(value)) return [unknownBlock('content', value)];
  const audience = arrayOf(recordOf(value, 'annotations') ?? {}, 'audience');
  if (audience !== undefined && audience.length > 0 && !audience.includes('assistant')) return [];
  const type = stringOf(value, 'type') ?? '';
  const text = stringOf(value, 'text') ?? stringOf(recordOf(value, 'resource') ?? {}, 'text');
  if (text !== undefined) return [textBlock(text)];
  return type === 'image' ? [image(value)] : [unknownBlock(type, value)];
}
