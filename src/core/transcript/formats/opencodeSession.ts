import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { PartRecord } from '../partRecord';
import { jsonOf } from './session';

/** A session in whichever form it is stored; records hold their ids. */
export interface OpencodeSession {
  readonly info: JsonRecord | undefined;
  readonly messages: readonly OpencodeMessage[];
  /** Messages and parts that could not be read. */
  readonly lost: number;
}

export interface OpencodeMessage {
  readonly info: JsonRecord;
  readonly parts: readonly JsonRecord[];
}

/** True for `opencode export`: a session's info and its messages with their parts. */
export function isOpencodeExport(value: unknown): value is JsonRecord {
  if (!isRecord(value)) return false;
  const info = recordOf(value, 'info');
  const messages = arrayOf(value, 'messages');
  if (info === undefined || messages === undefined || stringOf(info, 'id') === undefined) return false;
  const known = messages
    .slice(0, 20)
    .filter((one) => isRecord(one) && recordOf(one, 'info') !== undefined && Array.isArray(field(one, 'parts')));
  return messages.length === 0 ? stringOf(info, 'directory') !== undefined : known.length * 2 >= Math.min(messages.length, 20);
}

/** True for one file of the storage folder: a session's info, a message's info or a part. Alone it holds no conversation. */
export function isOpencodeFragment(value: unknown): boolean {
  if (!isRecord(value) || stringOf(value, 'id') === undefined) return false;
  if (stringOf(value, 'projectID') !== undefined)
    return stringOf(value, 'directory') !== undefined && recordOf(value, 'time') !== undefined;
  if (stringOf(value, 'sessionID') === undefined) return false;
  if (stringOf(value, 'messageID') !== undefined) return stringOf(value, 'type') !== undefined;
  return stringOf(value, 'role') !== undefined && recordOf(value, 'time') !== undefined;
}

/** Session, messages and parts from an export, from rows or from files. Parts belong to the message that they name. */
export function opencodeSession(values: readonly unknown[]): OpencodeSession {
  const document = values.find(isOpencodeExport);
  if (document !== undefined) return exported(document);
  let info: JsonRecord | undefined;
  const messages: JsonRecord[] = [];
  const parts = new Map<string, JsonRecord[]>();
  let lost = 0;
  for (const value of values) {
    if (!(value instanceof PartRecord)) continue;
    const [kind] = value.part.split('/', 1);
    const record = isRecord(value.value) ? recordOfPart(value.value) : undefined;
    if (record === undefined) lost++;
    else if (kind === 'session') info ??= record;
    else if (kind === 'message') messages.push(record);
    else if (kind === 'part') {
      const id = stringOf(record, 'messageID') ?? '';
      const list = parts.get(id);
      if (list === undefined) parts.set(id, [record]);
      else list.push(record);
    }
  }
  return { info, messages: messages.map((message) => ({ info: message, parts: parts.get(stringOf(message, 'id') ?? '') ?? [] })), lost };
}

function exported(document: JsonRecord): OpencodeSession {
  const stored = arrayOf(document, 'messages') ?? [];
  const messages = stored.flatMap((value): OpencodeMessage[] => {
    const info = isRecord(value) ? recordOf(value, 'info') : undefined;
    const parts = isRecord(value) ? arrayOf(value, 'parts') : undefined;
    return info === undefined || parts === undefined ? [] : [{ info, parts: parts.filter(isRecord) }];
  });
  return { info: recordOf(document, 'info'), messages, lost: stored.length - messages.length };
}

/** The JSON of a file as it is; of a row its `data` with the ids that stand in columns of their own, or the columns of a session. Undefined for a row without JSON. */
function recordOfPart(value: JsonRecord): JsonRecord | undefined {
  if (!Object.hasOwn(value, 'data')) return Object.hasOwn(value, 'time_created') ? sessionRow(value) : value;
  const data = jsonOf(field(value, 'data'));
  if (!isRecord(data)) return undefined;
  return {
    ...data,
    id: field(value, 'id'),
    sessionID: field(value, 'session_id'),
    messageID: field(value, 'message_id'),
  };
}

function sessionRow(row: JsonRecord): JsonRecord {
  return { ...row, parentID: field(row, 'parent_id'), revert: jsonOf(field(row, 'revert')) };
}
