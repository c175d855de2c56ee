import type { Diagnostic } from '../../model/transcript';
import { isTokenCount } from '../../model/usage';
import { field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import type { TakenIds } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { textBlock } from './anthropicBlocks';
import { codexCompaction, type Compaction } from './codexCompaction';
import { entryOf, placeOf, type CodexEntry, type CodexLine, type CodexState } from './codexEntry';
import { codexItem, ITEM_TYPES, type CodexItem } from './codexItems';
import { tokenReport, type TokenReport } from './codexUsage';

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

export const INITIAL_STATE: CodexState = { model: undefined, response: undefined };

export interface Translation {
  readonly record: CodexRecord;
  readonly next: CodexState;
}

const OTHER: CodexRecord = { kind: 'other' };

/** Translates one line in the light of the lines before it. Ids that are taken are replaced by the place in the file. */
export function codexRecord(source: SourceRecord, state: CodexState, takenIds: TakenIds): Translation {
  if (!isRecord(source.value)) {
    return { record: { kind: 'odd', diagnostic: { line: source.line, code: 'unknown_record', severity: 'info' } }, next: state };
  }
  const line: CodexLine = { source, state, takenIds, timestamp: timestampOf(source.value) };
  const payload = recordOf(source.value, 'payload');
  const record = payload === undefined ? bareRecord(source.value, line) : envelopedRecord(source.value, payload, line);
  return { record, next: nextState(state, record) };
}

/** Files from before version 0.32 store items as they are, behind a first line without a type. */
function bareRecord(value: JsonRecord, line: CodexLine): CodexRecord {
  const type = stringOf(value, 'type');
  if (type !== undefined && ITEM_TYPES.has(type)) return itemRecord(value, line);
  if (type === undefined && stringOf(value, 'id') !== undefined) return metaRecord(value);
  return OTHER;
}

function envelopedRecord(value: JsonRecord, payload: JsonRecord, line: CodexLine): CodexRecord {
  switch (stringOf(value, 'type')) {
    case 'session_meta':
      return metaRecord(payload);
    case 'turn_context':
      return modelRecord(stringOf(payload, 'model'));
    case 'response_item':
      return itemRecord(payload, line);
    case 'compacted':
      return { kind: 'compacted', ...codexCompaction(payload, line) };
    case 'token_usage_record':
      return { kind: 'requestEnd' };
    case 'event_msg':
      return eventRecord(payload, line);
    default:
      return OTHER;
  }
}

function eventRecord(event: JsonRecord, line: CodexLine): CodexRecord {
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

function itemRecord(value: JsonRecord, line: CodexLine): CodexRecord {
  const item = codexItem(value, placeOf(line.source));
  return item === undefined ? OTHER : { kind: 'item', entry: entryOf(item, stringOf(value, 'id'), line.source.part, line) };
}

function mirrorRecord(role: 'user' | 'assistant', event: JsonRecord, line: CodexLine): CodexRecord {
  const text = stringOf(event, 'message');
  if (text === undefined) return OTHER;
  const item: CodexItem = { role, kind: 'message', content: [textBlock(text)], isResponse: role === 'assistant' };
  return { kind: 'mirror', entry: entryOf(item, undefined, line.source.part, line) };
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
