// The wrong versions of test/mutants still fit the present sources, so that `npm run mutants` tries each of them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { edited, listProblems, patchedFiles, readComponents, readMutants, sharedNames } from '../../../scripts/mutant-list.mjs';
import { arrayOf, isRecord } from '../../../src/core/util/json';

const ROOT = process.cwd();
const mutants = readMutants(ROOT);
const components = readComponents(ROOT);
const names = sharedNames(ROOT);

describe('the list of wrong versions', () => {
  it(`has tests and patches for every line${names === undefined ? ' (not compared: ../shared/cases/MUTANTS.md is missing)' : ''}`, () => {
    assert.deepEqual(listProblems(mutants, components, names), []);
    assert.deepEqual(
      mutants.map(({ line }) => line),
      Array.from(mutants, (_, index) => index + 1),
    );
  });

  it('names tests that are there', () => {
    const done: unknown = JSON.parse(readFileSync(join(ROOT, 'test/done.json'), 'utf8'));
    assert.ok(isRecord(done));
    const isDone = (list: string, name: string): boolean => arrayOf(done, list)?.includes(name) === true;
    for (const [name, { unit, golden, cases, property }] of Object.entries(components)) {
      const unknown = [
        ...[...unit, ...property].filter((path) => !existsSync(join(ROOT, path))),
        ...golden.filter((fn) => !isDone('golden', fn)),
        ...cases.filter((component) => !isDone('cases', component)),
      ];
      assert.deepEqual(unknown, [], name);
    }
  });

  for (const { line, name, patches } of mutants) {
    it(`${line}. ${name}: fits the sources`, () => {
      for (const patch of patches) {
        assert.ok(patch.edits.every(({ file }) => file.startsWith('src/core/')));
        const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
        for (const [file, text] of patchedFiles(patch, read)) assert.notEqual(text, read(file));
      }
    });
  }
});

describe('edits of wrong versions', () => {
  const rows: readonly [name: string, text: string, find: string, expected: string | undefined][] = [
    ['changes the one place', 'a > b', '>', 'a >= b'],
    ['refuses a place that is gone', 'a < b', '>', undefined],
    ['refuses two places', 'a > b > c', '>', undefined],
    ['refuses two places that overlap', 'aaa', 'aa', undefined],
    ['refuses to look for nothing', 'a > b', '', undefined],
    ['takes dollar signs as they are', 'a $& b', '$&', 'a >= b'],
  ];
  for (const [name, text, find, expected] of rows) it(name, () => assert.equal(edited(text, { find, replace: '>=' }), expected));

  it('makes the edits of a patch one after another, and says which one does not apply', () => {
    const edit = (find: string, replace: string): { file: string; find: string; replace: string } => ({ file: 'x.ts', find, replace });
    assert.deepEqual([...patchedFiles({ edits: [edit('a', 'b'), edit('bc', 'd')] }, () => 'ac')], [['x.ts', 'd']]);
    assert.throws(
      () => patchedFiles({ edits: [edit('a', 'b'), edit('a', 'd')] }, () => 'ac'),
      /x\.ts does not hold this exactly once: "a"/,
    );
  });

  it('names lines without a patch, lines that are there twice and lines that the list does not have', () => {
    const patches = [{ does: 'x', edits: [] }];
    const tests = { cut: { unit: [], golden: [], cases: [], property: [] } };
    const list = [
      { line: 1, name: 'cut: a', patches },
      { line: 1, name: 'cut: b', patches: [] },
      { line: 3, name: 'other: c', patches },
    ];
    const wanted = new Map([
      [1, 'cut: a'],
      [2, 'cut: d'],
      [3, 'other: c'],
    ]);
    assert.deepEqual(listProblems(list, tests, wanted), [
      '1 is there twice',
      '1. cut: b: there is no patch',
      '1. cut: b: the list has no such line',
      '3. other: c: there are no tests of this component',
      '2. cut: d: there is no patch',
    ]);
  });
});
