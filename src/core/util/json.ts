export type JsonRecord = Readonly<Record<string, unknown>>;

/** True for a JSON object: no array, no null. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own property of a record, so that `__proto__` and inherited names are never read (R59). */
export function field(record: JsonRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** An own property that is text; undefined for one that is missing or of another type. */
export function stringOf(record: JsonRecord, key: string): string | undefined {
  const value = field(record, key);
  return typeof value === 'string' ? value : undefined;
}

/** An own property that is an object; undefined for one that is missing or of another type. */
export function recordOf(record: JsonRecord, key: string): JsonRecord | undefined {
  const value = field(record, key);
  return isRecord(value) ? value : undefined;
}

/** An own property that is an array; undefined for one that is missing or of another type. */
export function arrayOf(record: JsonRecord, key: string): readonly unknown[] | undefined {
  const value = field(record, key);
  return Array.isArray(value) ? value : undefined;
}

/** An own property that is a finite number; undefined for one that is missing or of another type. */
export function numberOf(record: JsonRecord, key: string): number | undefined {
  const value = field(record, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
