import { readFileSync } from 'node:fs';
import { isRecord, recordOf, type JsonRecord } from '../../../src/core/util/json';

/** The project's package.json. */
export function readManifest(): JsonRecord {
  return readJson('package.json');
}

/** The English texts of the manifest. */
export function readManifestTexts(): JsonRecord {
  return readJson('package.nls.json');
}

/** What the manifest contributes under a name. */
export function contributed(name: string): unknown {
  return recordOf(readManifest(), 'contributes')?.[name];
}

/** The items of an array that are records; fails when the value is anything else. */
export function records(value: unknown): readonly JsonRecord[] {
  if (!Array.isArray(value) || !value.every(isRecord)) throw new Error('the manifest has no list of records here');
  return value;
}

function readJson(file: string): JsonRecord {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isRecord(value)) throw new Error(`${file} is no record`);
  return value;
}
