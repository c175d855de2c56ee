import type { ContentBlock, Message, MessageKind, Role, ToolResultBlock } from '../../model/message';
import { arrayOf, field, isRecord, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import type { LineContents } from '../storedLines';
import type { SessionFacts } from '../transcriptDraft';
import { MAX_BLOCKS, textBlock, unknownBlock } from './anthropicBlocks';
import { timeOf } from './fields';

/** A compaction: which events leave the context, and the summary that takes a place among those that stay. */
export interface Condensation {
  readonly boundary: Message;
  readonly summary: Message | undefined;
  readonly forgotten: readonly string[];
  /** First and last number of a run of forgotten events. */
  readonly forgottenRun: readonly [number, number] | undefined;
  readonly offset: number;
}

/** Sums over the conversation, and the size of the newest request. */
export interface OpenHandsStats {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly contextTokens: number | undefined;
}

/** An event in our terms. */
export interface OpenHandsEvent {
  readonly eventId: string;
  readonly message?: Message | undefined;
  readonly condensation?: Condensation;
  readonly facts?: SessionFacts | undefined;
  readonly stats?: OpenHandsStats | undefined;
  readonly isOdd?: boolean;
  readonly line: number;
}

/** Where an event stands, by the name that it has in our terms. */
export interface EventPlace {
  readonly eventId: string;
  readonly id: string;
  readonly line: number;
  readonly timestamp: string | undefined;
  readonly stored: LineContents | undefined;
}

const NO_NAMES = new Set<string>();

/** Place of an event that its record holds at a number. */
export function placeOf(event: JsonRecord, { line, stored }: SourceRecord, part: number): EventPlace {
  const own = field(event, 'id');
  const eventId = typeof own === 'number' ? String(own) : typeof own === 'string' ? own : '';
  // A number is no name of its own: several conversations may stand in one file.
  const name = typeof own === 'string' ? own : undefined;
  return { eventId, id: messageId(name, line, part, NO_NAMES), line, timestamp: timeOf(event, 'timestamp'), stored };
}

export function saidBy(place: EventPlace, role: Role, content: readonly ContentBlock[], kind: MessageKind = 'message'): OpenHandsEvent {
  const { eventId, id, line, timestamp, stored } = place;
  if (content.length === 0) return { eventId, line };
  return { eventId, line, message: messageOf({ id, line, timestamp, stored, role, kind, content }) };
}

/** The answer of a tool to a call. */
export function answeredBy(place: EventPlace, toolUseId: string, content: ToolResultBlock['content'], isError: boolean): OpenHandsEvent {
  const text = typeof content === 'string' ? toWellFormed(content) : content;
  return saidBy(place, 'tool', [{ type: 'toolResult', toolUseId, content: text, ...(isError ? { isError } : {}) }]);
}

export function condensed(place: EventPlace, event: JsonRecord): OpenHandsEvent {
  const { eventId, id, line, timestamp, stored } = place;
  const text = stringOf(event, 'summary');
  const [first, last] = [field(event, 'forgotten_events_start_id'), field(event, 'forgotten_events_end_id')];
  const offset = field(event, 'summary_offset');
  const summary = { id: `${id}#summary`.slice(-200), line, timestamp, stored, role: 'user', kind: 'summary' } as const;
  return {
    eventId,
    line,
    condensation: {
      boundary: messageOf({ id, line, timestamp, role: 'system', kind: 'boundary', content: [] }),
      summary: text === undefined || text === '' ? undefined : messageOf({ ...summary, content: [textBlock(text)] }),
      forgotten: (arrayOf(event, 'forgotten_event_ids') ?? []).map(String),
      forgottenRun: typeof first === 'number' && typeof last === 'number' ? [first, last] : undefined,
      offset: typeof offset === 'number' && offset >= 0 ? Math.trunc(offset) : 0,
    },
  };
}

/** Parts of a message: text, and pictures by address. */
export function partsOf(content: unknown): readonly ContentBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content)];
  if (isRecord(content)) return partsOf([content]);
  if (!Array.isArray(content)) return [];
  return content.slice(0, MAX_BLOCKS).flatMap((part): readonly ContentBlock[] => {
    if (typeof part === 'string') return [textBlock(part)];
    if (!isRecord(part)) return [unknownBlock('content', part)];
    const type = stringOf(part, 'type') ?? '';
    const text = stringOf(part, 'text');
    if (text !== undefined) return text === '' ? [] : [textBlock(text)];
    if (type.startsWith('image'))
      return (arrayOf(part, 'image_urls') ?? [0]).slice(0, MAX_BLOCKS).map((): ContentBlock => ({ type: 'image' }));
    return [unknownBlock(type, part)];
  });
}

export function thinkingOf(record: JsonRecord): readonly ContentBlock[] {
  const text = stringOf(record, 'reasoning_content') ?? '';
  return text === '' ? [] : [{ type: 'thinking', text: toWellFormed(text) }];
}
