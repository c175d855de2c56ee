import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commonRoot, fileLines, readFileStatements, rootLine } from '../../../../src/core/compaction/offline/fileStatements';
import type { FileAction, FileFact } from '../../../../src/core/compaction/offline/sessionFacts';
import { property } from '../../../support/property';

function file(path: string, actions: readonly FileAction[], base?: string): FileFact {
  return { path, base, actions, lastSource: { index: 0, id: 'm0' } };
}

function section(files: readonly FileFact[]): string {
  const root = commonRoot(files);
  const lines: string[] = root === undefined ? [] : [rootLine(root)];
  let label = '';
  for (const line of fileLines(files, root)) {
    if (line.label !== label) lines.push(line.label);
    label = line.label;
    lines.push(line.text);
  }
  return `## Other\n- not: a file\n## Files\n${lines.join('\n')}\n\n## Next\n- x/: y`;
}

function statements(files: readonly FileFact[]): string[] {
  return files.flatMap(({ path, base, actions }) => actions.map((action) => `${action} ${base ?? ''} ${path}`)).sort();
}

function readBack(text: string): string[] {
  return readFileStatements(text)
    .map(({ path, base, action }) => `${action} ${base ?? ''} ${path}`)
    .sort();
}

describe('statements about files', () => {
  it('are grouped by what happened and by folder, below a shortened root', () => {
    const files = [
      file('/code/dev/work/project/src/core/a.ts', ['changed', 'read']),
      file('/code/dev/work/project/src/core/b.ts', ['changed', 'read']),
      file('/code/dev/work/project/docs/c.md', ['created']),
      file('/code/dev/work/project/test/e.ts', ['created']),
      file('README.md', ['read']),
      file('lib/d.ts', ['deleted'], '/other'),
    ];
    assert.equal(
      section(files),
      [
        '## Other',
        '- not: a file',
        '## Files',
        '`…/` stands for `/code/dev/work/project/`.',
        '**Created:**',
        '- …/docs/: c.md',
        '- …/test/: e.ts',
        '**Changed and read:**',
        '- …/src/core/: a.ts, b.ts',
        '**Deleted:**',
        '- (in /other) lib/: d.ts',
        '**Read:**',
        '- README.md',
        '',
        '## Next',
        '- x/: y',
      ].join('\n'),
    );
    assert.deepEqual(readBack(section(files)), statements(files));
  });

  it('of a drive with backslashes come back as they were', () => {
    const files = ['D:\\work\\site\\src\\a.js', 'D:\\work\\site\\docs\\long name, with comma.md', 'D:\\work\\site\\b.js'].map((path) =>
      file(path, ['read']),
    );
    assert.deepEqual(readBack(section(files)), statements(files));
  });

  it('in a quoted text state nothing', () => {
    assert.deepEqual(readFileStatements('## Files\n**Read:**\n- a.ts\n```\n## Files\n**Deleted:**\n- b.ts\n```\n'), [
      { path: 'a.ts', base: undefined, action: 'read' },
    ]);
  });

  const name = fc
    .string({ unit: fc.constantFrom('a', 'b', '.', ',', ' ', '`', ':', '(', ')', '*', 'é', '-'), minLength: 1, maxLength: 8 })
    .filter((part) => part.trim() === part && part !== '');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  const actions = fc.uniqueArray(fc.constantFrom<FileAction>('created', 'changed', 'deleted', 'read'), { minLength: 1 });
  const anyFile = fc
    .tuple(path, fc.boolean(), actions)
    .map(([rest, isAbsolute, done]) => file(isAbsolute ? `/home/dev/${rest}` : rest, done));

  property(
    'read back say exactly what was written',
    fc.uniqueArray(anyFile, { maxLength: 12, selector: ({ path: one }) => one }),
    (files) => {
      assert.deepEqual(readBack(section(files)), statements(files));
    },
  );
});
