// The page for newcomers names files; each must be there.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';

describe('docs/core.md', () => {
  const page = readFileSync('docs/core.md', 'utf8');

  it('names files of the core that exist', () => {
    const files = [...page.matchAll(/`([\w/]+\.ts)`/g)].map(([, file = '']) => file);
    assert.ok(files.length > 15);
    assert.deepEqual(
      files.filter((file) => !existsSync(`src/core/${file}`)),
      [],
    );
  });

  it('links to files that exist', () => {
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    assert.ok(links.length > 0);
    assert.deepEqual(
      links.filter((link) => !existsSync(`docs/${link}`)),
      [],
    );
  });
});
