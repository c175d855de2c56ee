import type { Message } from '../../model/message';
import { isRecord, type JsonRecord } from '../../util/json';
import type { CopyInput } from './copyInput';
import { valueSpans } from './jsonSpans';

/** A record as the agent wrote it, and what it says. */
export interface SourceRecord {
  readonly text: string;
  readonly value: JsonRecord;
}

const MAX_RECOVERY_CHARS = 1024 * 1024;
const MAX_RECOVERY_TRIES = 64;

/**
 * The records on a line of the source, read as leniently as the transcript was: zero bytes of a crash are skipped, fused records are taken
 * apart, and behind a torn one the last whole record of the line is found. [] for a line that holds none.
 */
export function recordsOn({ lines }: Pick<CopyInput, 'lines'>, line: number): readonly SourceRecord[] {
  const text = (lines(line) ?? '').replaceAll('\0', '');
  const records: SourceRecord[] = [];
  for (const { start, end } of valueSpans(text)) {
    const record = recordOf(text.slice(start, end));
    if (record === undefined) return [...records, ...recovered(text.slice(start))];
    records.push(record);
  }
  return records;
}

/** Place of a message's record among those of its line: 1 unless its id says `line:N#K`. Undefined when the id is the record's own. */
export function placeOf(message: Message): number | undefined {
  const place = /^line:\d+(?:#(\d+))?$/.exec(message.id);
  return place ? Number(place[1] ?? 1) : undefined;
}

function recovered(text: string): readonly SourceRecord[] {
  if (text.length > MAX_RECOVERY_CHARS) return [];
  let at = text.indexOf('{"', 1);
  for (let tries = 0; at > 0 && tries < MAX_RECOVERY_TRIES; tries++) {
    const record = recordOf(text.slice(at).trimEnd());
    if (record) return [record];
    at = text.indexOf('{"', at + 1);
  }
  return [];
}

function recordOf(text: string): SourceRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { text, value } : undefined;
  } catch {
    // Damage that the reader has reported; it costs this record alone.
    return undefined;
  }
}
