import type { Role } from '../../model/message';
import { field, isRecord, stringOf, type JsonRecord } from '../../util/json';
import { messageOf } from '../assemble';
import { anthropicUsage } from '../usage';
import { anthropicContent } from './anthropicBlocks';
import { chatSample, collectChat, type ChatItem, type ChatTranslation } from './chat';
import type { TranscriptFormat } from './format';
import { bodiesIn } from './requestLog';

/** Messages of the Anthropic API: a request body, a list of messages, or a message a line. */
export const anthropicMessages: TranscriptFormat = {
  id: 'anthropic-messages',
  agent: 'Anthropic Messages',
  recognise,
  collect: () => collectChat('anthropic-messages', translate),
};

const OWN_BLOCKS = /^(?:thinking|redacted_thinking|document|(?:\w+_)?tool_use|(?:\w+_)?tool_result)$/u;

function recognise(sample: readonly unknown[]): number {
  const messages = chatSample(sample);
  if (messages.length === 0 || messages.some(isForeign)) return 0;
  if (messages.some(hasOwnBlock) || bodiesIn(sample.find(isRecord)).some(hasOwnBody)) return 0.8;
  return messages.some((message) => Array.isArray(field(message, 'content'))) ? 0.5 : 0.4;
}

function hasOwnBlock(message: JsonRecord): boolean {
  return blocksOf(message).some((block) => OWN_BLOCKS.test(stringOf(block, 'type') ?? '') || isRecord(field(block, 'source')));
}

/** A system prompt beside the messages, or a model of this family, in a request or an answer. */
function hasOwnBody(body: JsonRecord): boolean {
  if (Array.isArray(field(body, 'messages')) && field(body, 'system') !== undefined) return true;
  return stringOf(body, 'model')?.startsWith('claude') === true;
}

/** Items of the Responses API and messages of Gemini look alike from outside. */
function isForeign(message: JsonRecord): boolean {
  return field(message, 'parts') !== undefined || blocksOf(message).some((block) => /^(?:in|out)put_/u.test(stringOf(block, 'type') ?? ''));
}

function blocksOf(message: JsonRecord): readonly JsonRecord[] {
  const content = field(message, 'content');
  return Array.isArray(content) ? content.slice(0, 100).filter(isRecord) : [];
}

function translate(item: ChatItem): ChatTranslation {
  const role = roleOf(stringOf(item.value, 'role'));
  const content = anthropicContent(field(item.value, 'content'));
  const isAnswer = role === 'assistant';
  const message = messageOf({
    id: item.id,
    role,
    kind: 'message',
    content: content.blocks,
    line: item.line,
    messageId: isAnswer && stringOf(item.value, 'type') === 'message' ? stringOf(item.value, 'id') : undefined,
    model: isAnswer ? item.model : undefined,
    usage: isAnswer ? anthropicUsage(item.usage) : undefined,
  });
  return { message, odd: content.odd };
}

function roleOf(role: string | undefined): Role {
  return role === 'assistant' || role === 'system' ? role : 'user';
}
