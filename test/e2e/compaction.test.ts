// Compacting from a message: menu, preview, copy; from the page, from the transcript's text and from the keyboard. The original never changes.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NO_TRANSCRIPTS, TRANSCRIPTS, sha256 } from '../support/folders';
import { inspect } from './support/cli';
import { Inspector } from './support/inspector';
import { SAMPLE, SAMPLE_ID, SAMPLE_TITLE } from './support/sample';
import { until } from './support/wait';
import { pictureOfFailures } from './support/pictures';
import { Workbench } from './support/workbench';
import { addClaudeSession } from './support/workspace';

const REAL = TRANSCRIPTS === undefined ? undefined : join(TRANSCRIPTS, 'claude/v2.1.14-two-manual-compacts.jsonl');
const SOURCES: readonly { readonly name: string; readonly file: string | undefined }[] = [
  { name: 'the bundled sample', file: SAMPLE },
  { name: `a session from the wild${NO_TRANSCRIPTS}`, file: REAL },
];

for (const { name, file } of SOURCES) {
  describe(`compacting ${name}`, function () {
    this.timeout(300_000);
    if (file === undefined || !existsSync(file)) {
      it.skip('needs a session of ../shared/transcripts, which is not here');
      return;
    }
    let workbench: Workbench;
    let inspector: Inspector;
    let path = '';
    let original = '';

    before(async () => {
      workbench = await Workbench.open((workspace) => {
        path = addClaudeSession(workspace, file, `${SAMPLE_ID}.jsonl`);
      });
      original = sha256(path);
      await workbench.statusItem(/\d\s*%/).click();
      inspector = await Inspector.find(workbench, 'panel');
    });
    pictureOfFailures(() => workbench);
    after(() => workbench.close());

    it('offers both directions in the menu of a message', async () => {
      const row = await rowToCompactAt();
      await row.click({ button: 'right' });
      const titles = await workbench.menuTitles();
      for (const title of ['Compact Up to Here…', 'Compact from Here…', 'Reveal in Transcript', 'Copy Message']) {
        assert.ok(titles.includes(title), `${title} is missing in ${titles.join(', ')}`);
      }
      assert.ok(!titles.includes('Paste'), 'the menu of a web page is in the way');
      await workbench.shot(`menu-${file === SAMPLE ? 'sample' : 'wild'}`);
      await workbench.page.keyboard.press('Escape');
    });

    it('previews "Compact Up to Here…" with the sizes before and after', async () => {
      const row = await rowToCompactAt();
      await inspector.chooseOnRow(row, 'Compact Up to Here…');
      await inspector.outcome('plan');
      const { before, after } = await inspector.previewSizes();
      assert.ok(before > after && after > 0, `${before} → ${after}`);
      assert.equal(sha256(path), original);
      await inspector.frame.locator('[data-testid="row"][data-planned="true"]').first().waitFor();
    });

    it('writes a copy beside the original, which stays as it is', async () => {
      const { before, after } = await inspector.previewSizes();
      const filesBefore = readdirSync(dirname(path));
      await inspector.byId('create-copy').click();
      await inspector.outcome('written');
      const added = readdirSync(dirname(path)).filter((one) => !filesBefore.includes(one));
      const files = added.filter((one) => !one.endsWith('.history'));
      assert.equal(files.length, 1);
      assert.equal(added.length, 2, 'the copy and what the history tells of it');
      assert.equal(sha256(path), original);
      const copy = inspect(join(dirname(path), files[0] ?? ''));
      assert.equal(copy.boundaries.length, 1 + (copyHoldsOldBoundaries(copy) ? inspect(path).boundaries.length : 0));
      const boundary = copy.boundaries.at(-1);
      assert.equal(boundary?.valid, true);
      assert.notEqual(boundary.summaryId, null);
      assert.ok((copy.messages ?? []).some((message) => message.kind === 'summary' && message.active));
      const written = await inspector.previewSizes();
      assert.equal(written.before, before);
      assert.ok(Math.abs(written.after - after) <= Math.max(50, after * 0.02), `${written.after} and not ${after} as previewed`);
    });

    it('opens the copy with its boundary and what was preserved', async () => {
      await inspector.byId('open-copy').click();
      const copy = await until('the page of the copy', async () => {
        const pages = await pagesWithBoundary();
        return pages.find((page) => page.frame !== inspector.frame);
      });
      await copy.byId('boundary').first().waitFor();
      assert.equal(await copy.byId('boundary').last().getAttribute('data-valid'), 'true');
      await copy.frame.locator('.segment-cells .is-kept').first().waitFor();
      assert.ok((await copy.used()) < inspect(path).usage.usedTokens);
      await workbench.shot(`copy-${file === SAMPLE ? 'sample' : 'wild'}`);
    });

    it('asked nothing of another machine and threw nothing', () => {
      assert.deepEqual(workbench.foreign, []);
      assert.deepEqual(workbench.errors, []);
      assert.equal(sha256(path), original);
    });

    /** A row of the user in the last third of the context. */
    async function rowToCompactAt() {
      const messages = inspect(path).messages ?? [];
      const active = messages.filter((message) => message.active);
      const from = Math.floor(active.length * 0.67);
      const pivot = active.slice(from).find((message) => message.role === 'user' && message.blocks.every((block) => block === 'text'));
      assert.ok(pivot);
      return inspector.scrollTo(pivot.index);
    }

    function copyHoldsOldBoundaries(copy: ReturnType<typeof inspect>): boolean {
      return copy.boundaries.length > 1;
    }

    async function pagesWithBoundary(): Promise<readonly Inspector[]> {
      const pages: Inspector[] = [];
      for (const frame of workbench.page.frames()) {
        const page = frame.locator('[data-testid="inspector"][data-surface="panel"][data-revision]');
        if ((await page.count().catch(() => 0)) > 0) pages.push(new Inspector(workbench, frame));
      }
      return pages;
    }
  });
}

describe('compacting from the text and from the keyboard', function () {
  this.timeout(300_000);
  let workbench: Workbench;
  let inspector: Inspector;
  let path = '';

  before(async () => {
    workbench = await Workbench.open((workspace) => {
      path = addClaudeSession(workspace, SAMPLE, `${SAMPLE_ID}.jsonl`);
    });
    await workbench.statusItem(/\d\s*%/).click();
    inspector = await Inspector.find(workbench, 'panel', SAMPLE_TITLE);
  });
  pictureOfFailures(() => workbench);
  after(() => workbench.close());

  it('opens the native menu of the focused row with Shift+F10', async () => {
    const messages = inspect(path).messages ?? [];
    const pivot = messages.findLast((message) => message.active && message.role === 'user' && message.blocks.includes('text'));
    assert.ok(pivot);
    await inspector.scrollTo(pivot.index);
    await workbench.page.keyboard.press('Shift+F10');
    await workbench.chooseMenuEntry('Compact from Here…');
    // What follows the newest question is little; either way the answer is about that row.
    const outcome = await inspector.outcome('plan', 'refusal');
    if (outcome === 'plan') assert.ok((await inspector.preview.innerText()).includes(`#${pivot.index}`));
    else assert.notEqual((await inspector.byId('refusal').innerText()).trim(), '');
  });

  it('shows a message in the transcript', async () => {
    const row = await inspector.scrollTo((inspect(path).messages?.length ?? 1) - 2);
    await inspector.chooseOnRow(row, 'Reveal in Transcript');
    await workbench.tab(`${SAMPLE_ID}.jsonl`).waitFor();
    await workbench.page.locator('.editor-instance .view-lines').first().waitFor();
  });

  it('offers both directions in the menu of the text, and previews from there', async () => {
    // Lines are in no order in the document, so the place is what counts: a third down in the part that is in sight.
    const box = await workbench.page.locator('.editor-instance .monaco-editor .overflow-guard').first().boundingBox();
    assert.ok(box);
    await workbench.page.mouse.click(box.x + box.width / 2, box.y + box.height / 3, { button: 'right' });
    const titles = await workbench.menuTitles();
    for (const title of ['Reveal in Inspector', 'Compact Up to Here…', 'Compact from Here…']) {
      assert.ok(titles.includes(title), `${title} is missing in ${titles.join(', ')}`);
    }
    await workbench.chooseMenuEntry('Compact from Here…');
    await inspector.outcome('plan', 'refusal');
    await workbench.shot('text-and-inspector');
  });
});
