import assert from 'node:assert/strict';
import { parseShell } from '../../../../src/core/compaction/offline/shell';
import { readShell } from '../../../../src/core/compaction/offline/shellEffects';

describe('simple commands of a command line', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['ls -la', ['ls -la']],
    ['a && b || c; d | e', ['a', 'b', 'c', 'd', 'e']],
    [`echo "a && b" 'c; d'`, ['echo a && b c; d']],
    ['cat <<EOF\nrm x\nEOF\nls', ['cat', 'ls']],
    ["cat > f <<'END'\nrm x && y\nEND", ['cat']],
    ['git commit -m "$(cat <<\'EOF\'\nFix (a) && rm x\nEOF\n)" && git push', ['git commit -m ', 'git push']],
    ['a # b; c\nd', ['a', 'd']],
    ['x=$(rm y) ls', ['x= ls']],
    ['a 2>&1 | tail -3', ['a', 'tail -3']],
    ['a \\\n  b', ['a b']],
    ['', []],
    ['"', ['']],
  ];
  for (const [script, expected] of table) {
    it(JSON.stringify(script), () =>
      assert.deepEqual(
        parseShell(script).map(({ words }) => words.map(({ text }) => text).join(' ')),
        expected,
      ),
    );
  }

  it('marks words that the shell would expand', () => {
    const literal = parseShell('rm a "$b" *.c "d e" `f` g$h').flatMap(({ words }) => words.map((word) => word.literal));
    assert.deepEqual(literal, [true, true, false, false, true, false, false]);
  });
});

describe('what a command line does to files', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['cat a.ts b.ts', ['read a.ts', 'read b.ts']],
    ["sed -n '1,20p' src/a.ts", ['read src/a.ts']],
    ["sed -i '' 's/a/b/' src/a.ts", ['changed src/a.ts']],
    ["sed -i.bak -e 's/a/b/' a.ts", ['changed a.ts']],
    ['head -n 5 a.ts | grep x', ['read a.ts']],
    ["nl -ba a.ts | sed -n '1,9p'", ['read a.ts']],
    ['rm -rf dist old.ts', ['deleted dist', 'deleted old.ts']],
    ['git rm -q a.ts', ['deleted a.ts']],
    ['git rm --cached a.ts', []],
    ['mv a.ts b.ts', ['deleted a.ts', 'written b.ts']],
    ['mv a.ts src/', ['deleted a.ts']],
    ['mv a.ts src', ['deleted a.ts']],
    ['cp a.ts b.ts', ['written b.ts']],
    ['echo hi > a.txt', ['written a.txt']],
    ['echo hi >> a.txt', ['changed a.txt']],
    ['go test ./... > /dev/null 2>&1', []],
    ['make 2> errors.log', []],
    ['make &> all.log', []],
    ['tee -a log.txt', ['changed log.txt']],
    ['cat a || rm b', ['read a']],
    ['cat $f *.ts', []],
    ['cd sub && cat a.ts', ['read (sub) a.ts']],
    ['cd /repo && cat a.ts /etc/hosts', ['read (/repo) a.ts', 'read /etc/hosts']],
    ['cd "$X" && rm a.ts', []],
    ['sudo FOO=1 rm a.ts', ['deleted a.ts']],
    ['grep -n x a.ts', []],
    ['cat > a.py <<EOF\nrm b\nEOF', ['written a.py']],
  ];
  for (const [script, expected] of table) {
    it(JSON.stringify(script), () => {
      const { effects } = readShell(script, undefined);
      assert.deepEqual(
        effects.map(({ kind, path, base }) => `${kind} ${base === undefined ? '' : `(${base}) `}${path}`),
        expected,
      );
    });
  }

  const lookUps: readonly (readonly [string, boolean])[] = [
    ['ls -la && git status', true],
    ['git log --oneline | head -5', true],
    ['git -C /repo branch --show-current', true],
    ['git branch -D old', false],
    ['git commit -m x', false],
    ['gh pr view 36', true],
    ['gh pr create', false],
    ['npm ls', true],
    ['npm install', false],
    ['find . -name x', true],
    ['find . -delete', false],
    ['cat a > b', false],
    ['grep -l x . | xargs rm', false],
  ];
  for (const [script, expected] of lookUps)
    it(`${script} ${expected ? 'only looks' : 'does something'}`, () => assert.equal(readShell(script, undefined).isLookUp, expected));
});
