// Holds every import against the tables of docs/architecture.md.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { sourcesIn, type Import, type Source } from './sources';

const PAGE_PACKAGES = /^(preact|@preact\/signals)(\/|$)/;
const TOOLKIT = '@vscode/webview-ui-toolkit';

const ranks = ranksOf(readFileSync('docs/architecture.md', 'utf8'));
const core = sourcesIn('src/core');

describe('layers of the core', () => {
  it('has a rank for every folder', () => {
    const folders = readdirSync('src/core', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.ok(folders.length > 10);
    assert.deepEqual(
      folders.map(({ name }) => name).filter((name) => !ranks.has(name)),
      [],
    );
  });

  it('imports downwards', () => {
    assert.deepEqual(
      broken(core, ({ path }, one) => one.target === undefined || goesDown(path, one.target)),
      [],
    );
  });

  it('imports no package, nothing of Node, nothing of VS Code', () => {
    assert.deepEqual(
      broken(core, (_, one) => one.target !== undefined),
      [],
    );
  });

  it('gives the page no code of the model', () => {
    const protocol = core.filter(({ path }) => path.startsWith('src/core/protocol/'));
    assert.ok(protocol.length > 0);
    const allowed = ({ target = '' }: Import): boolean => /^src\/core\/(protocol|util)\//.test(target);
    assert.deepEqual(
      broken(protocol, (_, one) => one.typeOnly || allowed(one)),
      [],
    );
  });
});

describe('parts around the core', () => {
  const rules: readonly [folder: string, allowed: (one: Import, path: string) => boolean][] = [
    ['src/node', ({ target, specifier }) => (target === undefined ? specifier !== 'vscode' : within(target, 'src/core', 'src/node'))],
    [
      'src/cli',
      ({ target, specifier }) => (target === undefined ? specifier.startsWith('node:') : within(target, 'src/core', 'src/node', 'src/cli')),
    ],
    [
      'src/extension',
      ({ target, specifier }) =>
        target === undefined
          ? specifier === 'vscode' || specifier.startsWith('node:')
          : within(target, 'src/core', 'src/node', 'src/extension'),
    ],
    [
      'webview-ui',
      ({ target, specifier }, path) => {
        if (target !== undefined) return within(target, 'src/core/protocol', 'webview-ui') || target.endsWith('.css');
        return PAGE_PACKAGES.test(specifier) || (specifier === TOOLKIT && path === 'webview-ui/controls.ts');
      },
    ],
  ];
  for (const [folder, allowed] of rules) {
    it(`${folder} imports what it may`, () => {
      assert.ok(existsSync(folder));
      const sources = sourcesIn(folder);
      assert.ok(sources.length > 0);
      assert.deepEqual(
        broken(sources, ({ path }, one) => allowed(one, path)),
        [],
      );
    });
  }
});

/** Reads `| 2 | `tokens` `cut` | … |` rows. */
function ranksOf(page: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [, rank, folders = ''] of page.matchAll(/^\| (\d)\s+\| ([^|]+) \|/gm)) {
    for (const [, name = ''] of folders.matchAll(/`(\w+)`/g)) found.set(name, Number(rank));
  }
  return found;
}

function goesDown(path: string, target: string): boolean {
  const [from, to] = [folderOf(path), folderOf(target)];
  if (from === to) return true;
  const [high, low] = [ranks.get(from), ranks.get(to)];
  if (high === undefined || low === undefined) return false;
  const groundFloor = (from === 'model' && to === 'util') || (from === 'errors' && to !== 'errors');
  return low < high || (high === 0 && low === 0 && groundFloor);
}

function folderOf(path: string): string {
  return path.split('/')[2] ?? '';
}

function within(target: string, ...folders: readonly string[]): boolean {
  return folders.some((folder) => target.startsWith(`${folder}/`));
}

function broken(sources: readonly Source[], allowed: (source: Source, one: Import) => boolean): readonly string[] {
  return sources.flatMap((source) =>
    source.imports.filter((one) => !allowed(source, one)).map((one) => `${source.path} imports ${one.specifier}`),
  );
}
