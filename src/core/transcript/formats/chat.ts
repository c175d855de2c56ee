// What the two formats without a session file of their own share: requests, answers and lists of messages, as one JSON document or as JSONL.
import type { Message } from '../../model/message';
import type { Diagnostic, FormatId, Transcript } from '../../model/transcript';
import { sessionTotals } from '../../tokens/sessionTotals';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { inLineOrder, LocalIds, messageId, nextModel } from '../assemble';
import type { SourceRecord } from '../lineReader';
import type { RecordCollector } from './format';

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

/** Messages of one JSON value: a message, a list of them, a request with `messages`, or an answer with `choices`. */
export function chatValues(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return [];
  const messages = arrayOf(value, 'messages');
  if (messages !== undefined) return messages;
  const choice: unknown = arrayOf(value, 'choices')?.[0];
  const answer = isRecord(choice) ? recordOf(choice, 'message') : undefined;
  return [answer ?? value];
}

/** True for a record with a role and, but for calls without text, a content. */
export function isChatMessage(value: unknown): value is JsonRecord {
  return (
    isRecord(value) && stringOf(value, 'role') !== undefined && (Object.hasOwn(value, 'content') || Object.hasOwn(value, 'tool_calls'))
  );
}

/** Messages among the first values of a file, when at least half of what the values hold are messages; else none. */
export function chatSample(sample: readonly unknown[]): readonly JsonRecord[] {
  const values = sample.flatMap((value) => chatValues(value).slice(0, 200));
  const messages = values.filter(isChatMessage);
  return messages.length * 2 >= values.length ? messages : [];
}

export class ChatCollector implements RecordCollector {
  readonly #format: FormatId;
  readonly #translate: (item: ChatItem) => ChatTranslation;
  readonly #values: ChatValue[] = [];
  readonly #early = new WeakMap<SourceRecord, ChatValue>();
  readonly #ids = new Set<string>();

  constructor(format: FormatId, translate: (item: ChatItem) => ChatTranslation) {
    this.#format = format;
    this.#translate = translate;
  }

  add(source: SourceRecord): void {
    const value = this.#early.get(source) ?? this.#chatValue(source, new LocalIds(this.#ids));
    this.#values.push(value);
    for (const { message } of value.translations) this.#ids.add(message.id);
  }

  assemble(tail: readonly SourceRecord[], damage: readonly Diagnostic[]): Transcript {
    const ids = new LocalIds(this.#ids);
    const pending = tail.map((source) => {
      const value = this.#early.get(source) ?? this.#chatValue(source, ids);
      this.#early.set(source, value);
      return value;
    });
    return transcriptOf(this.#format, [...this.#values, ...pending], damage);
  }

  #chatValue(source: SourceRecord, ids: LocalIds): ChatValue {
    const model = isRecord(source.value) ? stringOf(source.value, 'model') : undefined;
    return { line: source.line, model, translations: chatItems(source, ids).map(this.#translate) };
  }
}

/** What one JSON value of the file holds. */
interface ChatValue {
  readonly line: number;
  readonly model: string | undefined;
  readonly translations: readonly ChatTranslation[];
}

function transcriptOf(format: FormatId, values: readonly ChatValue[], damage: readonly Diagnostic[]): Transcript {
  const diagnostics = [...damage];
  const messages: Message[] = [];
  for (const { line, translations } of values) {
    if (translations.length === 0) diagnostics.push({ line, code: 'unknown_record', severity: 'info' });
    for (const { message, odd } of translations) {
      messages.push(message);
      if (odd) diagnostics.push({ line: message.line, code: 'odd_content', severity: 'info' });
    }
  }
  if (messages.length === 0) diagnostics.push({ line: 0, code: 'no_messages', severity: 'info' });
  return {
    format,
    agentVersion: undefined,
    sessionId: undefined,
    cwd: undefined,
    title: undefined,
    model: values.findLast((value) => value.model !== undefined)?.model ?? nextModel(messages),
    windowTokens: undefined,
    messages,
    context: messages.map((_, index) => index),
    boundaries: [],
    sidechains: [],
    reports: undefined,
    totals: sessionTotals(messages),
    diagnostics: inLineOrder(diagnostics),
  };
}

const SYSTEM_ID = 'system';

/** Items of one JSON value. The first of a list is named by the line alone, the K-th by line and K. */
function chatItems(source: SourceRecord, ids: LocalIds): readonly ChatItem[] {
  const values = chatValues(source.value);
  const body = isRecord(source.value) ? source.value : undefined;
  const isRequest = body !== undefined && arrayOf(body, 'messages') !== undefined;
  const answer = isRequest ? undefined : body;
  const system = isRequest ? field(body, 'system') : undefined;
  const hasSystem = system !== undefined && system !== null && !ids.has(SYSTEM_ID);
  if (hasSystem) ids.add(SYSTEM_ID);
  const items = values.flatMap((value, index): ChatItem[] => {
    if (!isChatMessage(value)) return [];
    const id = messageId(stringOf(value, 'id'), source.line, source.part + index, ids);
    ids.add(id);
    return [
      {
        value,
        line: source.line,
        id,
        model: stringOf(value, 'model') ?? (answer === undefined ? undefined : stringOf(answer, 'model')),
        usage: field(value, 'usage') ?? (answer === undefined ? undefined : field(answer, 'usage')),
      },
    ];
  });
  return hasSystem ? [systemPrompt(system, source.line), ...items] : items;
}

/** The system prompt that a request states beside its messages. It has no place among them, and so a name of its own. */
function systemPrompt(content: unknown, line: number): ChatItem {
  return { value: { role: 'system', content }, line, id: SYSTEM_ID, model: undefined, usage: undefined };
}
