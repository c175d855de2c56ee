// What the two formats without a session file of their own share: requests, answers and lists of messages, as one JSON document or as JSONL.
import type { Message } from '../../model/message';
import type { FormatId } from '../../model/transcript';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { messageId } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { FoldCollector } from './foldCollector';
import type { RecordCollector } from './format';
import { bodiesIn, requestTranscript, SYSTEM_ID, type Body, type BodyRecord } from './requestLog';

/** A message as the file holds it, and where it stands. */
export interface ChatItem {
  readonly value: JsonRecord;
  readonly line: number;
  /** The message's own id, or one made of its place. */
  readonly id: string;
  /** Model and usage of the answer that the message is, where they stand beside it. */
  readonly model: string | undefined;
  readonly usage: unknown;
}

export interface ChatTranslation {
  readonly message: Message;
  readonly odd: boolean;
}

/** Messages of one body: a message, a request with `messages`, or an answer with `choices`. */
function bodyMessages(body: JsonRecord): readonly unknown[] {
  const messages = arrayOf(body, 'messages');
  if (messages !== undefined) return messages;
  const choice: unknown = arrayOf(body, 'choices')?.[0];
  const answer = isRecord(choice) ? recordOf(choice, 'message') : undefined;
  return [answer ?? body];
}

/** True for a record with a role and, but for calls without text, a content. */
export function isChatMessage(value: unknown): value is JsonRecord {
  return (
    isRecord(value) && stringOf(value, 'role') !== undefined && (Object.hasOwn(value, 'content') || Object.hasOwn(value, 'tool_calls'))
  );
}

/** Messages among the first values of a file, when at least half of what the values hold are messages; else none. */
export function chatSample(sample: readonly unknown[]): readonly JsonRecord[] {
  const values = sample.flatMap((value): readonly unknown[] => {
    return Array.isArray(value) ? value.slice(0, 200) : bodiesIn(value).flatMap((body) => bodyMessages(body).slice(0, 200));
  });
  const messages = values.filter(isChatMessage);
  return messages.length * 2 >= values.length ? messages : [];
}

/** Collects bodies and messages; a later request takes the place of what was there. */
export function collectChat(format: FormatId, translate: (item: ChatItem) => ChatTranslation): RecordCollector {
  return new FoldCollector(
    (source) => chatRecord(source, translate),
    (records, damage, names) => requestTranscript(format, records, damage, names),
  );
}

const NO_NAMES = new Set<string>();

function chatRecord(source: SourceRecord, translate: (item: ChatItem) => ChatTranslation): BodyRecord {
  const { value, line } = source;
  const odd: number[] = [];
  let part = source.part;
  const read = (values: readonly unknown[], answer: JsonRecord | undefined): readonly Message[] => {
    return values.flatMap((one): readonly Message[] => {
      const id = isChatMessage(one) ? messageId(stringOf(one, 'id'), line, part, NO_NAMES) : '';
      part++;
      if (!isChatMessage(one)) return [];
      const translation = translate({ value: one, line, id, ...answerFacts(one, answer) });
      if (translation.odd) odd.push(part);
      return [translation.message];
    });
  };
  const bodies = Array.isArray(value)
    ? [{ kind: 'messages', messages: read(value, undefined) } as const]
    : bodiesIn(value).map((body): Body => {
        const facts = { model: stringOf(body, 'model') };
        const values = bodyMessages(body);
        if (arrayOf(body, 'messages') === undefined) return { kind: 'answer', messages: read(values, body), facts };
        return { kind: 'request', messages: [...systemPrompt(body, line, translate), ...read(values, undefined)], facts };
      });
  return { line, bodies: bodies.some(({ messages }) => messages.length > 0) ? bodies : [], odd: odd.length > 0 || bodies.every(isEmpty) };
}

function isEmpty({ messages }: Body): boolean {
  return messages.length === 0;
}

/** Model and usage stand beside the message in some answers. */
function answerFacts(message: JsonRecord, answer: JsonRecord | undefined): Pick<ChatItem, 'model' | 'usage'> {
  return {
    model: stringOf(message, 'model') ?? (answer === undefined ? undefined : stringOf(answer, 'model')),
    usage: field(message, 'usage') ?? (answer === undefined ? undefined : field(answer, 'usage')),
  };
}

/** The system prompt that a request states beside its messages. It has no place among them, and so a name of its own. */
function systemPrompt(body: JsonRecord, line: number, translate: (item: ChatItem) => ChatTranslation): readonly Message[] {
  const content = field(body, 'system');
  if (content === undefined || content === null) return [];
  return [translate({ value: { role: 'system', content }, line, id: SYSTEM_ID, model: undefined, usage: undefined }).message];
}
