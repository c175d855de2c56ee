// A compacted session of Qwen Code: records on one chain, and a `chat_compression` that states the history up to it. A summary of the older
// part begins the chain and the kept records follow it; a summary of the newer part ends it and states the kept messages once more.
import type { ClearedBlocks } from '../../compaction/microPlan';
import type { Message } from '../../model/message';
import { qwenRecord } from '../../transcript/formats/qwenRecord';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { present } from '../../util/present';
import { clearContent } from './clearedParts';
import { clearedBlocks } from './clearedResults';
import type { Copy, CopyInput } from './copyInput';
import { keptMessages } from './copyInput';
import { elementSpans, mapMember, memberText, withMembers, withoutMembers } from './jsonSpans';
import { messageFinder, type FoundText } from './messageFinder';
import { snapshotText, THANKS } from './snapshot';
import { recordsOn, type SourceRecord } from './sourceRecords';

/** A record of the source, or a content that a compression of the source stated. */
interface QwenText {
  readonly kind: 'record' | 'content';
  readonly text: string;
  readonly record: JsonRecord;
}

interface Kept extends QwenText {
  readonly message: Message;
}

const USAGE = new Set(['usageMetadata']);
/** What a person was shown of a result. */
const DISPLAY = new Set(['resultDisplay']);
const ENVELOPE = ['cwd', 'version', 'gitBranch'] as const;

export function writeQwenCopy(input: CopyInput): Copy {
  const textOf = messageFinder((line) => textsOn(input, line));
  const blocksOf = clearedBlocks(input);
  const kept = keptMessages(input).map((message): Kept => ({ message, ...cleared(textOf(message), blocksOf(message)) }));
  const chain = new Chain(input, envelopeOf(kept));
  const { summary, plan } = input;
  const pair = summary === undefined ? [] : pairOf(summary);
  let summaryId: string | undefined;
  if (summary === undefined) {
    // What an earlier compression stated is stated by one again, so that its summary stays a summary.
    const stated = kept.findIndex(({ kind }) => kind === 'record');
    const leading = kept.slice(0, stated < 0 ? kept.length : stated);
    if (leading.length > 0) chain.compression(leading.map(contentOf));
    for (const one of kept.slice(leading.length)) chain.add(one);
  } else if (plan.order === 'summaryFirst') {
    summaryId = `line:${chain.compression(pair)}#1`;
    for (const one of kept) chain.add(one);
  } else {
    for (const one of kept) if (one.kind === 'record') chain.add(one);
    summaryId = `line:${chain.compression([...kept.map(contentOf), ...pair])}#${kept.length + 1}`;
  }
  return {
    records: chain.records,
    boundary: { id: chain.compressionId, summaryId, preservedIds: kept.map(({ message }) => message.id) },
  };
}

function pairOf(summary: string): readonly string[] {
  return [
    JSON.stringify({ role: 'user', parts: [{ text: snapshotText(summary) }] }),
    JSON.stringify({ role: 'model', parts: [{ text: THANKS }] }),
  ];
}

/** Records of the copy, each hanging on the one before. */
class Chain {
  readonly records: string[] = [];
  readonly #input: CopyInput;
  readonly #envelope: JsonRecord;
  readonly #taken = new Set<string>();
  #last: string | null = null;
  compressionId: string | undefined;

  constructor(input: CopyInput, envelope: JsonRecord) {
    this.#input = input;
    this.#envelope = envelope;
  }

  add(kept: Kept): void {
    if (kept.kind === 'content') {
      this.#push(`{"type":${JSON.stringify(typeOf(kept.message))},"message":${kept.text}}`, this.#input.ids.uuid(), true);
      return;
    }
    const own = stringOf(kept.record, 'uuid');
    const uuid = own === undefined || this.#taken.has(own) ? this.#input.ids.uuid() : own;
    this.#push(withoutMembers(kept.text, USAGE), uuid, false);
  }

  /** Answers the line of the record. */
  compression(history: readonly string[]): number {
    const { before, after } = this.#input.tokens;
    const info = JSON.stringify({ originalTokenCount: before, newTokenCount: after, compressionStatus: 1 });
    this.compressionId = this.#input.ids.uuid();
    const payload = `{"info":${info},"compressedHistory":[${history.join(',')}]}`;
    this.#push(`{"type":"system","subtype":"chat_compression","systemPayload":${payload}}`, this.compressionId, true);
    return this.records.length;
  }

  #push(text: string, uuid: string, isNew: boolean): void {
    this.#taken.add(uuid);
    const { newSessionId, now } = this.#input;
    const identity = { uuid, parentUuid: this.#last, sessionId: newSessionId, ...(isNew ? { timestamp: now, ...this.#envelope } : {}) };
    this.records.push(withMembers(text, new Map(Object.entries(identity).map(([key, value]) => [key, JSON.stringify(value)]))));
    this.#last = uuid;
  }
}

function typeOf({ role }: Message): string {
  return role === 'assistant' ? 'assistant' : role === 'tool' ? 'tool_result' : 'user';
}

function contentOf({ kind, text }: QwenText): string {
  return kind === 'content' ? text : (memberText(text, 'message') ?? 'null');
}

function cleared(source: QwenText, blocks: ClearedBlocks | undefined): QwenText {
  if (blocks === undefined) return source;
  const clear = (content: string): string => mapMember(content, 'parts', (parts) => clearContent(parts, blocks));
  if (source.kind === 'content') return { ...source, text: clear(source.text) };
  const text = mapMember(source.text, 'toolCallResult', (result) => (result.startsWith('{') ? withoutMembers(result, DISPLAY) : undefined));
  return { ...source, text: mapMember(text, 'message', clear) };
}

/** The messages of a line, as they are read from it. */
function textsOn(input: CopyInput, line: number): readonly FoundText<QwenText>[] {
  return recordsOn(input, line).flatMap((record, part): FoundText<QwenText>[] => {
    const { message, compaction } = qwenRecord({ value: record.value, line, part, bytes: 0 });
    if (message !== undefined) return [{ message, source: { kind: 'record', text: record.text, record: record.value } }];
    if (compaction === undefined) return [];
    const texts = historyTexts(record);
    return compaction.history.map((one, at) => ({
      message: one,
      source: { kind: 'content', text: present(texts[at]), record: record.value },
    }));
  });
}

function historyTexts({ text, value }: SourceRecord): readonly string[] {
  const values = present(arrayOf(present(recordOf(value, 'systemPayload')), 'compressedHistory'));
  const list = present(memberText(present(memberText(text, 'systemPayload')), 'compressedHistory'));
  return elementSpans(list).flatMap(({ start, end }, at) => (isRecord(values[at]) ? [list.slice(start, end)] : []));
}

/** Fields that say where and by what the session runs, of the newest kept record. */
function envelopeOf(kept: readonly Kept[]): JsonRecord {
  const newest = kept.at(-1)?.record;
  return Object.fromEntries(
    ENVELOPE.flatMap((key) => (newest === undefined || field(newest, key) === undefined ? [] : [[key, field(newest, key)]])),
  );
}
