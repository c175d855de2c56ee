import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeFolders } from '../../../src/node/fs/nodeFolders';

describe('createNodeFolders', () => {
  const folders = createNodeFolders();
  let root = '';
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'folders-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('makes a directory for its owner alone, and leaves one that is there', async () => {
    await folders.ensure(join(root, 'new'));
    if (process.platform !== 'win32') assert.equal(lstatSync(join(root, 'new')).mode & 0o777, 0o700);
    mkdirSync(join(root, 'old'));
    writeFileSync(join(root, 'old', 'file'), 'x');
    await folders.ensure(join(root, 'old'));
    assert.ok(lstatSync(join(root, 'old', 'file')).isFile());
  });

  it('follows no link, replaces no file and makes no parents', async () => {
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), join(root, 'link'));
    writeFileSync(join(root, 'file'), 'x');
    await assert.rejects(folders.ensure(join(root, 'link')), { name: 'StoreError', code: 'link' });
    await assert.rejects(folders.ensure(join(root, 'file')), { name: 'StoreError', code: 'exists' });
    await assert.rejects(folders.ensure(join(root, 'a', 'b')), { name: 'StoreError' });
  });
});
