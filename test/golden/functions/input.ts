import { arrayOf, field, isRecord, type JsonRecord } from '../../../src/core/util/json';

/** The input of a vector as a record; an empty one when it is none. */
export function recordInput(input: unknown): JsonRecord {
  return isRecord(input) ? input : {};
}

/** A number of a record; 0 when it is absent, as in the language of the measured code. */
export function numberInput(input: unknown, key: string): number {
  const value = field(recordInput(input), key);
  return typeof value === 'number' ? value : 0;
}

export function listInput(input: unknown, key: string): readonly unknown[] {
  return arrayOf(recordInput(input), key) ?? [];
}
