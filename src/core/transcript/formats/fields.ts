// Fields that many formats have in common, read with the same limits.
import { isTokenCount } from '../../model/usage';
import { field, type JsonRecord } from '../../util/json';

const LONGEST_TIME = 64;
const LONGEST_TITLE = 200;
/** Largest time that a Date can hold, in ms. */
const LAST_MS = 8.64e15;

/** A time as the agent wrote it, or as ISO text where it wrote milliseconds; undefined for anything else and for longer text. */
export function timeOf(record: JsonRecord, key: string): string | undefined {
  const value = field(record, key);
  if (typeof value === 'string') return value.length <= LONGEST_TIME ? value : undefined;
  return typeof value === 'number' && Math.abs(value) <= LAST_MS ? new Date(value).toISOString() : undefined;
}

/** Text that is not empty. */
export function filledOf(record: JsonRecord, key: string): string | undefined {
  const value = field(record, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A title, cut at 200 units; undefined when there is none. */
export function titleOf(record: JsonRecord, key: string): string | undefined {
  return filledOf(record, key)?.slice(0, LONGEST_TITLE);
}

/** A count of tokens that says something: 1 to 10^8. */
export function countOf(record: JsonRecord, key: string): number | undefined {
  const value = field(record, key);
  return isTokenCount(value) && value > 0 ? value : undefined;
}

/** A sum over a session, which may well pass the limit of a single report; 0 where none is told. */
export function sumOf(record: JsonRecord, key: string): number {
  const value = field(record, key);
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
