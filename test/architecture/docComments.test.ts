// Exported functions of the core say what they do in a comment: shapes, units, edges, what is refused, and where a rule comes from.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** Readers and writers of formats: their functions are named by the format's table and say what they do there. */
const ELSEWHERE = /^(?:transcript|session\/copy)\//;

describe('exported functions of the core', () => {
  const files = readdirSync('src/core', { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  const wanted = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !ELSEWHERE.test(file));

  it('have a comment each', () => {
    const functions = wanted.flatMap((file) => exportedFunctions(file, readFileSync(`src/core/${file}`, 'utf8')));
    assert.ok(functions.length > 300, `only ${functions.length} were found`);
    assert.deepEqual(
      functions.filter(({ hasComment }) => !hasComment).map(({ name }) => name),
      [],
    );
  });

  it('are told apart from what needs none', () => {
    const source = 'export function a() {}\n/** Says. */\nexport function b() {}\nfunction c() {}\n/* no */ export function d() {}';
    assert.deepEqual(
      exportedFunctions('x.ts', source).map(({ name, hasComment }) => [name, hasComment]),
      [
        ['x.ts: a', false],
        ['x.ts: b', true],
        ['x.ts: d', false],
      ],
    );
  });
});

function exportedFunctions(file: string, source: string): readonly { readonly name: string; readonly hasComment: boolean }[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  return tree.statements.flatMap((statement) => {
    if (!ts.isFunctionDeclaration(statement)) return [];
    const isExported = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    const hasComment = ts.getJSDocCommentsAndTags(statement).length > 0;
    return isExported ? [{ name: `${file}: ${statement.name?.text ?? ''}`, hasComment }] : [];
  });
}
