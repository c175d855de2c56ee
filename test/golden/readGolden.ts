import { readFileSync } from 'node:fs';
import { arrayOf, field, isRecord, stringOf } from '../../src/core/util/json';
import { expand } from '../support/valueLanguage';
import type { Difference, Vector } from './goldenTypes';

/** Reads a vector file; its long strings are built when a vector is used. Throws when it has not the form of one. */
export function readVectors(path: string): readonly Vector[] {
  const list: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(list)) throw new Error(`${path} holds no list of vectors`);
  return list.map((item: unknown) => {
    const name = isRecord(item) ? stringOf(item, 'name') : undefined;
    const fn = isRecord(item) ? stringOf(item, 'fn') : undefined;
    if (!isRecord(item) || name === undefined || fn === undefined) throw new Error(`${path} holds a vector without name or fn`);
    return { name, fn, input: field(item, 'input'), output: field(item, 'output') };
  });
}

/** Builds the long strings of a vector. */
export function expandVector(vector: Vector): Vector {
  return { ...vector, input: expand(vector.input), output: expand(vector.output) };
}

/** Reads the list of deliberate differences. */
export function readDifferences(path: string): readonly Difference[] {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const list = isRecord(value) ? arrayOf(value, 'differences') : undefined;
  if (list === undefined) throw new Error(`${path} holds no list of differences`);
  return list.map((item) => {
    if (!isRecord(item)) throw new Error(`${path} holds an entry that is no record`);
    const text = (key: string): string => {
      const found = stringOf(item, key);
      if (found === undefined) throw new Error(`${path} holds an entry without ${key}`);
      return found;
    };
    return { name: text('name'), path: text('path'), ours: field(item, 'ours'), source: text('source'), reason: text('reason') };
  });
}
