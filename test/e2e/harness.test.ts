// The rig itself: a real VS Code opens a folder, reaches nothing beyond this machine, and takes the built package.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pictureOfFailures } from './support/pictures';
import { Workbench } from './support/workbench';

describe('the VS Code under test', function () {
  this.timeout(180_000);
  let workbench: Workbench;

  before(async () => {
    workbench = await Workbench.open((workspace) => writeFileSync(join(workspace.folder, 'notes.txt'), 'one line\n'), { bare: true });
  });
  pictureOfFailures(() => workbench);
  after(() => workbench.close());

  it('shows the folder and opens a file of it', async () => {
    await workbench.openFile('notes.txt');
    await workbench.page.locator('.editor-instance .view-lines', { hasText: 'one line' }).waitFor();
    await workbench.tab('notes.txt').waitFor();
  });

  it('runs a command of the palette', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.tab('notes.txt').waitFor({ state: 'detached' });
  });

  it('asks nothing of another machine', () => {
    assert.deepEqual(workbench.foreign, []);
  });

  it('leaves no profile behind when it stops', async () => {
    const other = await Workbench.open(() => undefined, { bare: true });
    const { profile } = other.server;
    assert.ok(existsSync(profile));
    await other.close();
    assert.ok(!existsSync(profile) && !existsSync(other.workspace.root));
  });
});
