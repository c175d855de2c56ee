import type { FormatId } from '../model/transcript';
import { isRecord, recordOf, stringOf } from '../util/json';
import { FORMATS } from './formats';
import { LineReader } from './lineReader';

export interface HeadFacts {
  /** Undefined when the lines show no known format. */
  readonly format: FormatId | undefined;
  /** First working folder that a record names. It is text of the file: compare it, never open it. */
  readonly cwd: string | undefined;
}

/** Tells the format of a JSONL file by its first bytes, which may end anywhere. */
export function headFacts(bytes: Uint8Array): HeadFacts {
  const lines = new LineReader();
  const records = [...lines.push(bytes), ...lines.tail().records].map((record) => record.value);
  const scores = FORMATS.map((format) => ({ id: format.id, sureness: format.recognise(records) }));
  const best = scores.reduce((a, b) => (b.sureness > a.sureness ? b : a));
  return { format: best.sureness > 0 ? best.id : undefined, cwd: records.map(cwdOf).find((cwd) => cwd !== undefined) };
}

function cwdOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  return stringOf(value, 'cwd') ?? stringOf(recordOf(value, 'payload') ?? {}, 'cwd');
}
