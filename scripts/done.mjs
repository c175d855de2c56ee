// test/done.json: the functions whose golden vectors and the components whose cases hold. The list grows, it never shrinks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './vscode-host.mjs';

/** @returns {{ golden: string[], cases: string[] }} */
export function doneList() {
  const value = JSON.parse(readFileSync(join(ROOT, 'test/done.json'), 'utf8'));
  const isList = (list) => Array.isArray(list) && list.every((name) => typeof name === 'string');
  if (!isList(value.golden) || !isList(value.cases)) throw new Error('test/done.json must hold the lists "golden" and "cases".');
  return value;
}
