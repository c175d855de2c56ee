import type { FormatId } from '../model/transcript';
import { isRecord, recordOf, stringOf, type JsonRecord } from '../util/json';
import { FORMATS } from './formats';
import { LineReader } from './lineReader';

export interface HeadFacts {
  /** Undefined when the lines show no known format. */
  readonly format: FormatId | undefined;
  /** First working folder that a record names. It is text of the file: compare it, never open it. */
  readonly cwd: string | undefined;
  /** Id of the session that the lines belong to; in the file of a sub-agent it is the parent's where `parentId` is not stated apart. */
  readonly sessionId: string | undefined;
  /** Id of the session that started this one as its sub-agent. */
  readonly parentId: string | undefined;
}

/** Tells the format of a JSONL file by its first bytes, which may end anywhere. */
export function headFacts(bytes: Uint8Array): HeadFacts {
  const lines = new LineReader();
  const records = [...lines.push(bytes), ...lines.tail().records].map((record) => record.value);
  const scores = FORMATS.map((format) => ({ id: format.id, sureness: format.recognise(records) }));
  const best = scores.reduce((a, b) => (b.sureness > a.sureness ? b : a));
  const first = (read: (record: JsonRecord) => string | undefined): string | undefined =>
    records.flatMap((record) => (isRecord(record) ? (read(record) ?? []) : []))[0];
  return {
    format: best.sureness > 0 ? best.id : undefined,
    cwd: first(cwdOf),
    sessionId: first((record) => stringOf(record, 'sessionId') ?? stringOf(recordOf(record, 'payload') ?? {}, 'id')),
    // The first line is the file's own; a fork repeats its parent's behind it.
    parentId: isRecord(records[0]) ? parentOf(recordOf(records[0], 'payload') ?? {}) : undefined,
  };
}

function parentOf(meta: JsonRecord): string | undefined {
  const spawned = recordOf(recordOf(recordOf(meta, 'source') ?? {}, 'subagent') ?? {}, 'thread_spawn');
  return spawned === undefined ? undefined : (stringOf(spawned, 'parent_thread_id') ?? stringOf(meta, 'parent_thread_id'));
}

function cwdOf(value: JsonRecord): string | undefined {
  const context = recordOf(recordOf(value, 'data') ?? {}, 'context') ?? {};
  return (
    stringOf(value, 'cwd') ??
    stringOf(recordOf(value, 'payload') ?? {}, 'cwd') ??
    stringOf(value, 'working_dir') ??
    stringOf(context, 'cwd')
  );
}
