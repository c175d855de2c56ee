import type { Message } from '../../model/message';
import type { Usage } from '../../model/usage';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { textBlock } from './anthropicBlocks';
import { codexItem, ITEM_TYPES } from './codexItems';
import { filledOf } from './fields';
import { FoldCollector } from './foldCollector';
import type { TranscriptFormat } from './format';
import { inclusiveUsage } from './inclusiveUsage';
import { bodiesIn, requestTranscript, SYSTEM_ID, type Body, type BodyRecord } from './requestLog';

/** Bodies of the OpenAI Responses API: requests, responses (also at the end of a stream's dump), and lists of items. */
export const openaiResponses: TranscriptFormat = {
  id: 'openai-responses',
  agent: 'OpenAI Responses',
  recognise: (sample) => sample.reduce<number>((best, value) => Math.max(best, sureness(value)), 0),
  collect: () => new FoldCollector(bodyRecord, (records, damage, names) => requestTranscript('openai-responses', records, damage, names)),
};

const NO_NAMES = new Set<string>();
const STREAM_EVENT = /^response\.[a-z_.]{1,80}$/u;

function sureness(value: unknown): number {
  if (Array.isArray(value)) return value.length > 0 && value.slice(0, 100).every(isItem) ? 0.86 : 0;
  return bodiesIn(value).reduce((best, body) => Math.max(best, bodySureness(body)), 0);
}

function bodySureness(body: JsonRecord): number {
  if (stringOf(body, 'object') === 'response' && arrayOf(body, 'output') !== undefined) return 0.95;
  if (STREAM_EVENT.test(stringOf(body, 'type') ?? ''))
    return Object.hasOwn(body, 'sequence_number') || recordOf(body, 'response') !== undefined ? 0.9 : 0;
  const input = field(body, 'input');
  if (stringOf(body, 'model') === undefined) return 0;
  if (Array.isArray(input)) return input.slice(0, 100).some(isItem) ? 0.88 : 0;
  return typeof input === 'string' &&
    ['instructions', 'tools', 'store', 'reasoning', 'previous_response_id'].some((key) => Object.hasOwn(body, key))
    ? 0.7
    : 0;
}

/** Short messages of a request may leave their type out; those of the chat API do too, so only parts of the own kind tell. */
function isItem(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const type = stringOf(value, 'type');
  if (type !== undefined && type !== 'message') return ITEM_TYPES.has(type);
  const first: unknown = arrayOf(value, 'content')?.[0];
  const isOwn = isRecord(first) && /^(?:in|out)put_/u.test(stringOf(first, 'type') ?? '');
  return stringOf(value, 'role') !== undefined && (isOwn || type === 'message');
}

function bodyRecord({ value, line, part }: SourceRecord): BodyRecord {
  if (Array.isArray(value)) return { line, bodies: [{ kind: 'messages', messages: itemMessages(value, line, part, {}) }], odd: false };
  const bodies = bodiesIn(value).flatMap((body, at): readonly Body[] => bodyOf(body, line, part + at));
  return { line, bodies, odd: bodies.length === 0 && !isStreamEvent(value) };
}

/** Only the last event of a stream holds the whole response; the pieces before it are no records of their own. */
function isStreamEvent(value: unknown): boolean {
  return isRecord(value) && STREAM_EVENT.test(stringOf(value, 'type') ?? '');
}

function bodyOf(value: JsonRecord, line: number, part: number): readonly Body[] {
  if (isStreamEvent(value)) {
    const isEnd = /^response\.(?:completed|incomplete|failed)$/u.test(stringOf(value, 'type') ?? '');
    const response = isEnd ? recordOf(value, 'response') : undefined;
    return response === undefined ? [] : bodyOf(response, line, part);
  }
  const output = arrayOf(value, 'output');
  const model = filledOf(value, 'model');
  if (output !== undefined) {
    const answer = { messageId: filledOf(value, 'id') ?? `response:${line} ${part}`, model, usage: responseUsage(field(value, 'usage')) };
    return [{ kind: 'answer', messages: itemMessages(output, line, part, answer), facts: { model } }];
  }
  const input = field(value, 'input');
  if (typeof input !== 'string' && !Array.isArray(input))
    return isItem(value) ? [{ kind: 'messages', messages: itemMessages([value], line, part, {}) }] : [];
  const instructions = filledOf(value, 'instructions');
  const system = messageOf({ id: SYSTEM_ID, role: 'system', kind: 'message', content: [textBlock(instructions ?? '')], line });
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
  const messages = itemMessages(items, line, part, {});
  const continues = filledOf(value, 'previous_response_id') !== undefined || field(value, 'conversation') !== undefined;
  return [{ kind: 'request', messages: instructions === undefined ? messages : [system, ...messages], facts: { model }, continues }];
}

interface Answer {
  readonly messageId?: string | undefined;
  readonly model?: string | undefined;
  readonly usage?: Usage | undefined;
}

function itemMessages(items: readonly unknown[], line: number, part: number, answer: Answer): readonly Message[] {
  return items.flatMap((value, at): readonly Message[] => {
    const typed = isRecord(value) && stringOf(value, 'type') === undefined ? { ...value, type: 'message' } : value;
    const item = isRecord(typed) ? codexItem(typed, `${line} ${part + at}`) : undefined;
    if (item === undefined || !isRecord(typed)) return [];
    const own = item.isResponse ? answer : {};
    const id = messageId(stringOf(typed, 'id'), line, part + at, NO_NAMES);
    return [messageOf({ id, role: item.role, kind: item.kind === 'summary' ? 'summary' : 'message', content: item.content, line, ...own })];
  });
}

function responseUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  return inclusiveUsage({
    prompt: field(value, 'input_tokens'),
    cached: field(recordOf(value, 'input_tokens_details') ?? {}, 'cached_tokens'),
    output: field(value, 'output_tokens'),
    reasoning: field(recordOf(value, 'output_tokens_details') ?? {}, 'reasoning_tokens'),
  });
}
