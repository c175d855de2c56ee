// test/mutants: plausible wrong versions of src/core as edits of its text, and the tests of each component.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ file: string, find: string, replace: string }} Edit */
/** @typedef {{ does: string, edits: Edit[] }} Patch one wrong version; its edits belong together */
/** @typedef {{ line: number, name: string, patches: Patch[] }} Mutant `line` counts in the list of wrong versions */
/** @typedef {{ unit: string[], golden: string[], cases: string[], property: string[] }} Tests files or folders, functions, components, files */

/** The list of wrong versions that the patches are made for; it lies beside the checkout. */
const SHARED_LIST = '../shared/cases/MUTANTS.md';

/** @returns {Mutant[]} */
export function readMutants(root) {
  return JSON.parse(readFileSync(join(root, 'test/mutants/mutants.json'), 'utf8'));
}

/** @returns {Record<string, Tests>} tests by what stands before the colon of a name */
export function readComponents(root) {
  return JSON.parse(readFileSync(join(root, 'test/mutants/components.json'), 'utf8'));
}

/** Component of a mutant: what stands before the colon. */
export function componentOf({ name }) {
  return name.slice(0, Math.max(0, name.indexOf(':')));
}

/** A text with the edit made in it; undefined where what it looks for does not stand there exactly once. */
export function edited(text, { find, replace }) {
  const at = text.indexOf(find);
  return find === '' || at < 0 || text.includes(find, at + 1) ? undefined : text.slice(0, at) + replace + text.slice(at + find.length);
}

/**
 * The changed files of a patch by path. Throws an error that says which edit does not apply.
 * @param {(file: string) => string} read
 */
export function patchedFiles({ edits }, read) {
  const files = new Map();
  for (const edit of edits) {
    const text = edited(files.get(edit.file) ?? read(edit.file), edit);
    if (text === undefined) throw new Error(`${edit.file} does not hold this exactly once: ${JSON.stringify(edit.find)}`);
    files.set(edit.file, text);
  }
  return files;
}

/** Names of the list of wrong versions by line; undefined where the list is missing. */
export function sharedNames(root) {
  const path = join(root, SHARED_LIST);
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, 'utf8').matchAll(/^(\d+)\. (.+)$/gm);
  return new Map([...lines].map(([, line, name]) => [Number(line), name.trim()]));
}

/**
 * What is wrong with the list itself, one sentence each: lines that are missing or twice, names that differ from the shared list's, components
 * without tests, mutants without patches.
 */
export function listProblems(mutants, components, names) {
  const problems = [];
  const seen = new Set();
  for (const mutant of mutants) {
    for (const key of [mutant.line, mutant.name]) if (seen.has(key)) problems.push(`${key} is there twice`);
    seen.add(mutant.line).add(mutant.name);
    if (mutant.patches.length === 0) problems.push(`${mutant.line}. ${mutant.name}: there is no patch`);
    if (!Object.hasOwn(components, componentOf(mutant)))
      problems.push(`${mutant.line}. ${mutant.name}: there are no tests of this component`);
    if (names !== undefined && names.get(mutant.line) !== mutant.name)
      problems.push(`${mutant.line}. ${mutant.name}: the list has no such line`);
  }
  for (const [line, name] of names ?? []) if (!seen.has(line)) problems.push(`${line}. ${name}: there is no patch`);
  return problems;
}
