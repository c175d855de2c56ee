// The transcript as an editor: never the default one, and read-only.
import assert from 'node:assert/strict';
import { sha256 } from '../support/folders';
import { Inspector } from './support/inspector';
import { SAMPLE, SAMPLE_TITLE } from './support/sample';
import { pictureOfFailures } from './support/pictures';
import { Workbench } from './support/workbench';
import { copyInto } from './support/workspace';

const NAME = 'fix-token-counter-drift.jsonl';

describe('the editor of transcripts', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let path = '';
  let original = '';

  before(async () => {
    workbench = await Workbench.open((workspace) => {
      path = copyInto(workspace, SAMPLE, NAME);
    });
    original = sha256(path);
  });
  pictureOfFailures(() => workbench);
  after(() => workbench.close());

  it('leaves a .jsonl file to the text editor', async () => {
    await workbench.openFile(NAME);
    await workbench.page.locator('.editor-instance .view-lines').first().waitFor();
    const inspectors = workbench.page.frames().map((frame) => frame.locator('[data-testid="inspector"][data-surface="editor"]').count());
    assert.deepEqual(
      (await Promise.all(inspectors)).filter((count) => count > 0),
      [],
    );
  });

  it('shows the session when the file is reopened with it', async () => {
    await workbench.runCommand('View: Reopen Editor With...');
    await workbench.quickRow('Context Inspector').click();
    const inspector = await Inspector.find(workbench, 'editor', SAMPLE_TITLE);
    await inspector.gauge.waitFor({ state: 'visible' });
    await workbench.shot('editor');
  });

  it('changes nothing, whatever is typed', async () => {
    const inspector = await Inspector.find(workbench, 'editor', SAMPLE_TITLE);
    await inspector.focusList();
    await workbench.page.keyboard.type('abc');
    await workbench.page.keyboard.press('Delete');
    await workbench.runCommand('File: Save');
    assert.equal(await workbench.page.locator('.tabs-container .tab.dirty').count(), 0);
    assert.equal(sha256(path), original);
  });

  it('asked nothing of another machine and threw nothing', () => {
    assert.deepEqual(workbench.foreign, []);
    assert.deepEqual(workbench.errors, []);
  });
});
