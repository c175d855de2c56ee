import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { arrayOf, field, isRecord, numberOf, recordOf, stringOf } from '../../src/core/util/json';
import { expand } from '../support/valueLanguage';
import type { Case } from './caseTypes';

/** Paths of all `*.json` below a folder, in order of their names. */
export function caseFiles(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => join(folder, name));
}

/** Reads a case; throws when the file has not the form of a case. */
export function readCase(path: string): Case {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!isRecord(value)) throw new Error(`${path} holds no case`);
  const call = recordOf(value, 'call');
  const expect = recordOf(value, 'expect');
  const fn = call === undefined ? undefined : stringOf(call, 'fn');
  const id = stringOf(value, 'id');
  const component = stringOf(value, 'component');
  if (call === undefined || expect === undefined || fn === undefined || id === undefined || component === undefined) {
    throw new Error(`${path} lacks id, component, call or expect`);
  }
  const limits = recordOf(value, 'limits') ?? {};
  const ms = numberOf(limits, 'ms');
  const rssMiB = numberOf(limits, 'rssMiB');
  return {
    id,
    component,
    fn,
    input: record(expand(recordOf(value, 'input') ?? {})),
    args: record(expand(recordOf(call, 'args') ?? {})),
    stubs: record(expand(recordOf(call, 'stubs') ?? {})),
    match: matchOf(stringOf(expect, 'match'), path),
    expected: field(expect, 'value'),
    invariants: (arrayOf(value, 'invariants') ?? []).map(String),
    limits: { ...(ms === undefined ? {} : { ms }), ...(rssMiB === undefined ? {} : { rssMiB }) },
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function matchOf(match: string | undefined, path: string): Case['match'] {
  if (match === 'equals' || match === 'subset' || match === 'oneOf' || match === 'range') return match;
  throw new Error(`${path} has the unknown match ${match ?? ''}`);
}
