import type { ContentBlock, Message, Role } from '../../model/message';
import { isTokenCount, type Usage } from '../../model/usage';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { messageOf } from '../assemble';
import { usableUsage } from '../usage';
import type { SessionFacts } from '../transcriptDraft';
import { MAX_BLOCKS, textBlock, unknownBlock } from './anthropicBlocks';
import { callBlock, jsonOf } from './session';
import { SYSTEM_ID, type Body } from './requestLog';

/** A span of one operation in our terms. */
export interface OtelSpan {
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly operation: 'request' | 'agent' | 'tool' | 'other';
  readonly conversation: string | undefined;
  /** Nanoseconds as text, padded so that texts compare as numbers. */
  readonly start: string;
  readonly facts: SessionFacts;
  readonly bodies: readonly Body[];
  /** A tool's call and result, for conversations whose requests were recorded without their messages. */
  readonly toolMessages: readonly Message[];
  readonly hasMessages: boolean;
  readonly line: number;
}

const REQUESTS = new Set(['chat', 'text_completion', 'generate_content']);
const AGENTS = new Set(['invoke_agent', 'create_agent', 'invoke_workflow']);

/** Translates a span; undefined when it says nothing about a model or a tool. `part` is its number in the line. */
export function otelSpan(span: JsonRecord, agentVersion: string | undefined, line: number, part: number): OtelSpan | undefined {
  const attributes = attributesOf(span);
  const name = textIn(attributes, 'gen_ai.operation.name');
  if (name === undefined && ![...attributes.keys()].some((key) => key.startsWith('gen_ai.'))) return undefined;
  const operation = REQUESTS.has(name ?? 'chat')
    ? 'request'
    : AGENTS.has(name ?? '')
      ? 'agent'
      : name === 'execute_tool'
        ? 'tool'
        : 'other';
  const spanId = stringOf(span, 'spanId') ?? stringOf(span, 'span_id') ?? `span ${line} ${part}`;
  const end = nanoseconds(span, 'endTimeUnixNano');
  const place: Place = { id: `line:${line}#${part + 1}`, line, timestamp: isoOf(end), spanId };
  const conversation = textIn(attributes, 'gen_ai.conversation.id');
  const model = textIn(attributes, 'gen_ai.response.model') ?? textIn(attributes, 'gen_ai.request.model');
  const bodies = operation === 'request' ? requestBodies(attributes, span, place, model) : [];
  return {
    spanId,
    parentId: stringOf(span, 'parentSpanId') ?? stringOf(span, 'parent_span_id'),
    operation,
    conversation: conversation ?? stringOf(span, 'traceId') ?? stringOf(span, 'trace_id'),
    start: nanoseconds(span, 'startTimeUnixNano') || end,
    facts: { sessionId: conversation, agentVersion, model },
    bodies,
    toolMessages: operation === 'tool' ? toolMessages(attributes, place) : [],
    hasMessages: bodies.some(({ messages }) => messages.some(({ content }) => content.length > 0)),
    line,
  };
}

interface Place {
  readonly id: string;
  readonly line: number;
  readonly timestamp: string | undefined;
  readonly spanId: string;
}

type Attributes = ReadonlyMap<string, unknown>;

/** Attributes by name, out of a list of `{key,value}` or of a plain record. */
function attributesOf(record: JsonRecord): Attributes {
  const list = arrayOf(record, 'attributes');
  if (list === undefined) return new Map(Object.entries(recordOf(record, 'attributes') ?? {}));
  return new Map(
    list.flatMap((item) => (isRecord(item) ? [[stringOf(item, 'key') ?? '', plainValue(field(item, 'value'))] as const] : [])),
  );
}

/** The value inside of OTLP's wrapper; whole numbers are written as text. */
function plainValue(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const whole = field(value, 'intValue');
  if (whole !== undefined) return typeof whole === 'string' ? Number(whole) : whole;
  const list = recordOf(value, 'arrayValue');
  if (list !== undefined) return (arrayOf(list, 'values') ?? []).map(plainValue);
  const pairs = recordOf(value, 'kvlistValue');
  if (pairs !== undefined) return Object.fromEntries(attributesOf({ attributes: arrayOf(pairs, 'values') ?? [] }));
  return field(value, 'stringValue') ?? field(value, 'doubleValue') ?? field(value, 'boolValue');
}

function textIn(attributes: Attributes, key: string): string | undefined {
  const value = attributes.get(key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const LONGEST_TIME = 20;

function nanoseconds(span: JsonRecord, key: string): string {
  const value = field(span, key);
  const text = typeof value === 'number' ? value.toFixed(0) : value;
  return typeof text === 'string' && /^\d{1,20}$/u.test(text) ? text.padStart(LONGEST_TIME, '0') : '';
}

function isoOf(time: string): string | undefined {
  const ms = Number(time.slice(0, -6));
  return time === '' || ms <= 0 || ms > 8.64e15 ? undefined : new Date(ms).toISOString();
}

/** A request states the whole history, an answer goes on from it. Where nothing of both was recorded, the usage alone is kept. */
function requestBodies(attributes: Attributes, span: JsonRecord, place: Place, model: string | undefined): readonly Body[] {
  const told = [attributes, ...(arrayOf(span, 'events') ?? []).filter(isRecord).map(attributesOf)];
  const find = (key: string): unknown => told.find((one) => one.has(key))?.get(key);
  const system = partsOf(valueOf(find('gen_ai.system_instructions')));
  const input = messagesOf(valueOf(find('gen_ai.input.messages')), place, 0);
  const answers = messagesOf(valueOf(find('gen_ai.output.messages')), place, input.length);
  const usage = usageOf(attributes);
  const prompt: readonly Message[] =
    system.length === 0 ? [] : [messageOf({ id: SYSTEM_ID, role: 'system', kind: 'message', content: system, line: place.line })];
  const { id, line, timestamp } = place;
  const said: readonly Message[] =
    answers.length > 0 ? answers : [messageOf({ id: `${id}#answer`, role: 'assistant', kind: 'message', content: [], line, timestamp })];
  const messageId = textIn(attributes, 'gen_ai.response.id') ?? place.spanId;
  const answer = said.map((message): Message => {
    return { ...message, messageId, ...(model === undefined ? {} : { model }), ...(usage === undefined ? {} : { usage }) };
  });
  const isRecorded = input.length > 0 || system.length > 0;
  return [
    ...(isRecorded ? [{ kind: 'request', messages: [...prompt, ...input] } as const] : []),
    ...(answers.length > 0 || usage !== undefined ? [{ kind: 'answer', messages: answer } as const] : []),
  ];
}

/** A value, or the JSON text of one. */
function valueOf(value: unknown): unknown {
  return typeof value === 'string' ? (jsonOf(value) ?? value) : value;
}

const ROLES = new Map<string, Role>([
  ['system', 'system'],
  ['developer', 'developer'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
]);

function messagesOf(list: unknown, place: Place, from: number): readonly Message[] {
  if (!Array.isArray(list)) return [];
  const { id, line, timestamp } = place;
  return list.filter(isRecord).map((message, at) => {
    const role = ROLES.get(stringOf(message, 'role') ?? '') ?? 'user';
    const content = partsOf(arrayOf(message, 'parts') ?? field(message, 'content'));
    return messageOf({ id: `${id}.${from + at + 1}`, role, kind: 'message', content, line, timestamp });
  });
}

function partsOf(parts: unknown): readonly ContentBlock[] {
  if (typeof parts === 'string') return parts === '' ? [] : [textBlock(parts)];
  return Array.isArray(parts) ? parts.slice(0, MAX_BLOCKS).map(partOf) : [];
}

function partOf(part: unknown): ContentBlock {
  if (typeof part === 'string') return textBlock(part);
  if (!isRecord(part)) return unknownBlock('part', part);
  const type = stringOf(part, 'type') ?? '';
  const content = stringOf(part, 'content') ?? stringOf(part, 'text');
  if (type === 'reasoning' && content !== undefined) return { type: 'thinking', text: toWellFormed(content) };
  if (type === 'tool_call') return callBlock(stringOf(part, 'id') ?? '', stringOf(part, 'name') ?? '', field(part, 'arguments'));
  if (type === 'tool_call_response') return resultBlock(stringOf(part, 'id') ?? '', field(part, 'response') ?? field(part, 'result'));
  if (type === 'blob' || type === 'uri' || type === 'file') {
    const mediaType = stringOf(part, 'mime_type');
    return { type: stringOf(part, 'modality') === 'image' ? 'image' : 'document', ...(mediaType === undefined ? {} : { mediaType }) };
  }
  return content === undefined ? unknownBlock(type, part) : textBlock(content);
}

function resultBlock(toolUseId: string, result: unknown): ContentBlock {
  const text = typeof result === 'string' ? result : result === undefined ? '' : JSON.stringify(result);
  return { type: 'toolResult', toolUseId, content: toWellFormed(text) };
}

function toolMessages(attributes: Attributes, { id, line, timestamp, spanId }: Place): readonly Message[] {
  const name = textIn(attributes, 'gen_ai.tool.name') ?? 'tool';
  const callId = textIn(attributes, 'gen_ai.tool.call.id') ?? spanId;
  const call = callBlock(callId, name, attributes.get('gen_ai.tool.call.arguments'));
  const result = attributes.get('gen_ai.tool.call.result');
  const said = messageOf({ id: `${id}#call`, role: 'assistant', kind: 'message', content: [call], line, timestamp });
  return result === undefined ? [said] : [said, { ...said, id: `${id}#result`, role: 'tool', content: [resultBlock(callId, result)] }];
}

/** The input should include both cache parts; where it is smaller than they are, the exporter left them out. */
function usageOf(attributes: Attributes): Usage | undefined {
  const input = attributes.get('gen_ai.usage.input_tokens') ?? attributes.get('gen_ai.usage.prompt_tokens');
  const output = attributes.get('gen_ai.usage.output_tokens') ?? attributes.get('gen_ai.usage.completion_tokens');
  const cacheRead = attributes.get('gen_ai.usage.cache_read.input_tokens') ?? 0;
  const cacheCreation = attributes.get('gen_ai.usage.cache_creation.input_tokens') ?? 0;
  if (!isTokenCount(input) || !isTokenCount(cacheRead) || !isTokenCount(cacheCreation)) return undefined;
  const cached = cacheRead + cacheCreation;
  return usableUsage({ input: cached <= input ? input - cached : input, output, cacheRead, cacheCreation });
}
