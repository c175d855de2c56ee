import type { Message } from '../../model/message';
import type { Diagnostic } from '../../model/transcript';
import { isTokenCount } from '../../model/usage';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { textBlock } from './anthropicBlocks';
import { codexItem, ITEM_TYPES, type CodexItem } from './codexItems';
import { tokenReport, type TokenReport } from './codexUsage';

/** An item as a message, with what the history needs to know about it. */
export interface CodexEntry {
  readonly message: Message;
  readonly isResponse: boolean;
  /** The summary that the compaction itself has made, in contrast to one that it kept. */
  readonly isNewSummary?: boolean;
}

/** What a `compacted` record holds: the whole new history, or a summary alone. */
export interface Compaction {
  readonly boundary: Message;
  readonly summary: Message | undefined;
  readonly history: readonly CodexEntry[] | undefined;
}

/** A line of a rollout in our terms. */
export type CodexRecord =
  | { readonly kind: 'item'; readonly entry: CodexEntry }
  /** Mirror of an item for the user interface; counts only in files that store no items. */
  | { readonly kind: 'mirror'; readonly entry: CodexEntry }
  | ({ readonly kind: 'compacted' } & Compaction)
  | { readonly kind: 'tokens'; readonly report: TokenReport | undefined; readonly windowTokens: number | undefined; readonly line: number }
  | { readonly kind: 'requestEnd' }
  | { readonly kind: 'rollback'; readonly turns: number }
  | {
      readonly kind: 'meta';
      readonly version: string | undefined;
      readonly sessionId: string | undefined;
      readonly cwd: string | undefined;
    }
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'window'; readonly windowTokens: number | undefined }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'odd'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'other' };

/** What earlier lines say about the next one. */
export interface CodexState {
  readonly model: string | undefined;
  /** Name of the response that is being written; its items stand one behind another. */
  readonly response: string | undefined;
}

export const INITIAL_STATE: CodexState = { model: undefined, response: undefined };

export interface Translation {
  readonly record: CodexRecord;
  readonly next: CodexState;
}

const OTHER: CodexRecord = { kind: 'other' };

/** Translates one line in the light of the lines before it. Ids that are taken are replaced by the place in the file. */
export function codexRecord(source: SourceRecord, state: CodexState, takenIds: ReadonlySet<string>): Translation {
  if (!isRecord(source.value)) {
    return { record: { kind: 'odd', diagnostic: { line: source.line, code: 'unknown_record', severity: 'info' } }, next: state };
  }
  const line: Line = { source, state, takenIds, timestamp: timestampOf(source.value) };
  const payload = recordOf(source.value, 'payload');
  const record = payload === undefined ? bareRecord(source.value, line) : envelopedRecord(source.value, payload, line);
  return { record, next: nextState(state, record) };
}

interface Line {
  readonly source: SourceRecord;
  readonly state: CodexState;
  readonly takenIds: ReadonlySet<string>;
  readonly timestamp: string | undefined;
}

/** Files from before version 0.32 store items as they are, behind a first line without a type. */
function bareRecord(value: JsonRecord, line: Line): CodexRecord {
  const type = stringOf(value, 'type');
  if (type !== undefined && ITEM_TYPES.has(type)) return itemRecord(value, line);
  if (type === undefined && stringOf(value, 'id') !== undefined) return metaRecord(value);
  return OTHER;
}

function envelopedRecord(value: JsonRecord, payload: JsonRecord, line: Line): CodexRecord {
  switch (stringOf(value, 'type')) {
    case 'session_meta':
      return metaRecord(payload);
    case 'turn_context':
      return modelRecord(stringOf(payload, 'model'));
    case 'response_item':
      return itemRecord(payload, line);
    case 'compacted':
      return compactedRecord(payload, line);
    case 'token_usage_record':
      return { kind: 'requestEnd' };
    case 'event_msg':
      return eventRecord(payload, line);
    default:
      return OTHER;
  }
}

function eventRecord(event: JsonRecord, line: Line): CodexRecord {
  switch (stringOf(event, 'type')) {
    case 'token_count': {
      const info = recordOf(event, 'info');
      if (info === undefined) return OTHER;
      return { kind: 'tokens', report: tokenReport(info), windowTokens: countOf(info, 'model_context_window'), line: line.source.line };
    }
    case 'task_started':
      return { kind: 'window', windowTokens: countOf(event, 'model_context_window') };
    case 'thread_settings_applied':
      return modelRecord(stringOf(recordOf(event, 'thread_settings') ?? {}, 'model'));
    case 'thread_rolled_back':
      return { kind: 'rollback', turns: countOf(event, 'num_turns') ?? 0 };
    case 'thread_name_updated':
      return titleRecord(stringOf(event, 'thread_name'));
    case 'user_message':
      return mirrorRecord('user', event, line);
    case 'agent_message':
      return mirrorRecord('assistant', event, line);
    default:
      return OTHER;
  }
}

function itemRecord(value: JsonRecord, line: Line): CodexRecord {
  const item = codexItem(value, placeOf(line.source));
  return item === undefined ? OTHER : { kind: 'item', entry: entryOf(item, stringOf(value, 'id'), line.source.part, line) };
}

function mirrorRecord(role: 'user' | 'assistant', event: JsonRecord, line: Line): CodexRecord {
  const text = stringOf(event, 'message');
  if (text === undefined) return OTHER;
  const item: CodexItem = { role, kind: 'message', content: [textBlock(text)], isResponse: role === 'assistant' };
  return { kind: 'mirror', entry: entryOf(item, undefined, line.source.part, line) };
}

function entryOf(item: CodexItem, ownId: string | undefined, part: number, line: Line): CodexEntry {
  const { source, state, takenIds } = line;
  const id = messageId(ownId === undefined || takenIds.has(ownId) ? undefined : ownId, source.line, part);
  const message = messageOf({
    id,
    role: item.role,
    kind: item.kind,
    content: item.content,
    line: source.line,
    timestamp: line.timestamp,
    messageId: item.isResponse ? (state.response ?? `response:${source.line}`) : undefined,
    model: item.isResponse ? state.model : undefined,
  });
  return { message, isResponse: item.isResponse };
}

function compactedRecord(payload: JsonRecord, line: Line): CodexRecord {
  const text = stringOf(payload, 'message') ?? '';
  const boundary = messageOf({
    id: `line:${line.source.line}`,
    role: 'system',
    kind: 'boundary',
    content: [],
    line: line.source.line,
    timestamp: line.timestamp,
  });
  const items = arrayOf(payload, 'replacement_history');
  if (items !== undefined) {
    return { kind: 'compacted', boundary, summary: undefined, history: withSummary(replacedHistory(items, line), text) };
  }
  const summary: Message = { ...boundary, id: `${boundary.id}#1`, role: 'user', kind: 'summary', content: [textBlock(text)] };
  return { kind: 'compacted', boundary, summary: text === '' ? undefined : summary, history: undefined };
}

/** Items of a replaced history, whose responses end where something stands that the model did not write. */
function replacedHistory(items: readonly unknown[], line: Line): readonly CodexEntry[] {
  const history: CodexEntry[] = [];
  let response = 1;
  items.forEach((value, index) => {
    for (const entry of replacement(value, index, `response:${line.source.line}#${response}`, line)) {
      if (!entry.isResponse) response = index + 2;
      history.push(entry);
    }
  });
  return history;
}

/** Items of a replaced history have places of their own, from 1 on. */
function replacement(value: unknown, index: number, response: string, line: Line): readonly CodexEntry[] {
  const item = isRecord(value) ? codexItem(value, `${placeOf(line.source)} ${index}`) : undefined;
  if (item === undefined || !isRecord(value)) return [];
  const entry = entryOf(item, stringOf(value, 'id'), 0, { ...line, state: { ...line.state, response } });
  const id = entry.message.id.startsWith('line:') ? `line:${line.source.line}#${index + 1}` : entry.message.id;
  return [{ ...entry, message: { ...entry.message, id } }];
}

/**
 * Marks the summary of a replaced history: the user message that repeats the record's own text; else the last hidden one, which says so by
 * its type; else, where the record has a text, the last user message.
 */
function withSummary(history: readonly CodexEntry[], text: string): readonly CodexEntry[] {
  const wanted = toWellFormed(text);
  const isPrompt = ({ message }: CodexEntry): boolean => message.role === 'user' && message.kind === 'message';
  const repeats = ({ message }: CodexEntry): boolean => message.content.some((block) => block.type === 'text' && block.text === wanted);
  const exact = text === '' ? -1 : history.findLastIndex((entry) => isPrompt(entry) && repeats(entry));
  const hidden = history.findLastIndex((entry) => entry.message.kind === 'summary');
  const last = text === '' ? -1 : history.findLastIndex(isPrompt);
  const summary = [exact, hidden, last].find((index) => index !== -1);
  return history.map((entry, index) =>
    index === summary ? { ...entry, message: { ...entry.message, kind: 'summary' }, isNewSummary: true } : entry,
  );
}

function metaRecord(meta: JsonRecord): CodexRecord {
  return { kind: 'meta', version: stringOf(meta, 'cli_version'), sessionId: stringOf(meta, 'id'), cwd: stringOf(meta, 'cwd') };
}

function modelRecord(model: string | undefined): CodexRecord {
  return model === undefined || model === '' ? OTHER : { kind: 'model', model };
}

function titleRecord(title: string | undefined): CodexRecord {
  return title === undefined || title === '' ? OTHER : { kind: 'title', title: title.slice(0, 200) };
}

function countOf(record: JsonRecord, key: string): number | undefined {
  const value = field(record, key);
  return isTokenCount(value) && value > 0 ? value : undefined;
}

function placeOf(source: SourceRecord): string {
  return `${source.line} ${source.part}`;
}

function timestampOf(value: JsonRecord): string | undefined {
  const timestamp = stringOf(value, 'timestamp');
  return timestamp !== undefined && timestamp.length <= 64 ? timestamp : undefined;
}

function nextState(state: CodexState, record: CodexRecord): CodexState {
  if (record.kind === 'item' || record.kind === 'mirror') {
    const response = record.entry.isResponse ? record.entry.message.messageId : undefined;
    return response === state.response ? state : { ...state, response };
  }
  if (record.kind === 'model') return record.model === state.model ? state : { ...state, model: record.model };
  if (record.kind === 'requestEnd' || record.kind === 'compacted') return { ...state, response: undefined };
  return state;
}
