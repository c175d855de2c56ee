// Every exported name of the two documented packages that this core follows has a counterpart here; seedNames.json says which.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { isRecord, recordOf } from '../../src/core/util/json';
import { exportedNames, namesInDocuments } from './seedDocuments';

interface Counterpart {
  readonly file: string;
  readonly exported: string;
  /** A member of it, or one of its literals in quotes. */
  readonly part: string | undefined;
}

const TABLE: unknown = JSON.parse(readFileSync('test/architecture/seedNames.json', 'utf8'));
const COUNTERPARTS = new Map(entries('counterparts').map(([name, value]) => [name, counterpartOf(name, value)]));
const NAMES = readFileSync('test/architecture/seed-names.txt', 'utf8').trim().split('\n');
const DOCUMENTED = namesInDocuments();

describe(`names of the seeds (${COUNTERPARTS.size} with a counterpart)`, () => {
  it('are 12 and 240, each once', () => {
    assert.equal(new Set(NAMES).size, NAMES.length);
    assert.deepEqual(
      ['0', '2'].map((seed) => NAMES.filter((name) => name.startsWith(`${seed} `)).length),
      [12, 240],
    );
  });

  it('are all in the table, and nothing else is', () => {
    assert.deepEqual([...COUNTERPARTS.keys()].sort(), [...NAMES].sort());
    assert.deepEqual(isRecord(TABLE) ? Object.keys(TABLE) : [], ['counterparts'], 'a name without a counterpart may not be put aside');
  });

  it('have counterparts that exist', function () {
    this.timeout(20_000);
    const missing = [...COUNTERPARTS].flatMap(([name, one]) => {
      const reason = whatIsMissing(one);
      return reason === undefined ? [] : [`${name}: ${reason}`];
    });
    assert.deepEqual(missing, []);
  });

  const missing = DOCUMENTED === undefined ? ' (skipped: the folder ../shared/seeds is missing)' : '';
  it(`are those of the documents${missing}`, function () {
    if (DOCUMENTED === undefined) this.skip();
    assert.deepEqual(NAMES, DOCUMENTED);
  });
});

describe('the reader of names', () => {
  it('takes constants, variables, functions, types and methods, and no fields', () => {
    const page = [
      'const (',
      '\t// Inside says Nothing = 1',
      '\tFirst = 1',
      '\tSecond Kind = "x"',
      ')',
      'var (',
      '\t//go:embed x',
      '\tThird string',
      ')',
      'const Fourth Kind = 2',
      'func Fifth(a int) int',
      'func (e Sixth) Do() int',
      'func (*Sixth) Undo()',
      'type Seventh struct {',
      '\tField int',
      '}',
    ].join('\n');
    assert.deepEqual([...exportedNames(page)].sort(), ['Fifth', 'First', 'Fourth', 'Second', 'Seventh', 'Sixth.Do', 'Sixth.Undo', 'Third']);
  });
});

describe('the check of a counterpart', () => {
  const file = 'src/core/window/contextWindow.ts';
  const table: readonly (readonly [string, Counterpart, boolean])[] = [
    ['an export', { file, exported: 'ContextWindow', part: undefined }, true],
    ['a member', { file, exported: 'ContextWindow', part: 'remaining' }, true],
    ['a literal', { file: 'src/core/model/measurement.ts', exported: 'Measurement', part: "'unknown'" }, true],
    ['no file', { file: 'src/core/window/none.ts', exported: 'ContextWindow', part: undefined }, false],
    ['no export', { file, exported: 'NoWindow', part: undefined }, false],
    ['a name that is only used', { file, exported: 'currentInputUsage', part: undefined }, false],
    ['no member', { file, exported: 'ContextWindow', part: 'gone' }, false],
    ['no literal', { file: 'src/core/model/measurement.ts', exported: 'Measurement', part: "'guess'" }, false],
  ];
  for (const [name, one, exists] of table) it(`tells ${name}`, () => assert.equal(whatIsMissing(one) === undefined, exists));
});

function entries(section: string): readonly (readonly [string, unknown])[] {
  const found = isRecord(TABLE) ? recordOf(TABLE, section) : undefined;
  assert.ok(found !== undefined, `seedNames.json has no ${section}`);
  return Object.entries(found);
}

function counterpartOf(name: string, value: unknown): Counterpart {
  assert.ok(Array.isArray(value) && value.every((word) => typeof word === 'string'), name);
  const [file, exported, part] = value;
  assert.ok(file !== undefined && exported !== undefined && value.length <= 3, name);
  return { file, exported, part };
}

function whatIsMissing({ file, exported, part }: Counterpart): string | undefined {
  if (!existsSync(file)) return `${file} is missing`;
  const found = exportOf(file, exported);
  if (found === undefined) return `${file} exports no ${exported}`;
  return part === undefined || holds(found, part) ? undefined : `${exported} in ${file} has no ${part}`;
}

const trees = new Map<string, ts.SourceFile>();

/** The declaration of an exported name. */
function exportOf(file: string, name: string): ts.Node | undefined {
  const tree = trees.get(file) ?? ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  trees.set(file, tree);
  return tree.statements.find((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return isExported === true && declaredNames(statement).includes(name);
  });
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  const named =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return named && statement.name !== undefined ? [statement.name.text] : [];
}

/** True when a declaration has a member of this name, or, for a part in quotes or `undefined`, such a literal type. */
function holds(node: ts.Node, part: string): boolean {
  const isLiteral = part.startsWith("'") || part === 'undefined';
  const here = isLiteral ? ts.isTypeNode(node) && node.getText() === part : isMember(node) && node.name.getText() === part;
  return here || (ts.forEachChild(node, (child) => holds(child, part) || undefined) ?? false);
}

function isMember(node: ts.Node): node is ts.Node & { readonly name: ts.PropertyName } {
  return ts.isClassElement(node) || ts.isTypeElement(node) || ts.isObjectLiteralElement(node) ? node.name !== undefined : false;
}
