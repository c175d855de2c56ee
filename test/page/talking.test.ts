// How the page follows its host: patches in order, gaps, other sessions, and requests that nobody may send.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PageBrowser } from './harness/browser';
import { clean } from './harness/reading';

describe('the page and its host', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  const opens = (page: Page): Promise<number> =>
    page.evaluate(() => window.harness.asked.filter((asked) => asked.name === 'session/open').length);
  const revision = (page: Page, value: number): Promise<void> =>
    page.locator(`[data-testid="inspector"][data-revision="${value}"]`).waitFor();

  it('applies a patch without asking anything or loading anew', async () => {
    const opened = await browser.open();
    const { page } = opened;
    const document = await page.evaluate(() => window.document.documentElement.dataset['documentId']);
    await page.evaluate(() => {
      const { gauge } = window.harness.view;
      window.harness.patch({ gauge: { ...gauge, usedTokens: 160_000, percentUsed: 80 } });
    });
    await revision(page, 2);
    assert.ok(clean(await page.getByTestId('headline').innerText()).startsWith('160K of 200K · 80%'));
    assert.equal(await opens(page), 1);
    assert.ok(document !== undefined && document.length > 20);
    assert.equal(await page.evaluate(() => window.document.documentElement.dataset['documentId']), document);
    await opened.close();
  });

  it('says that the rest of the file is being read, until it was', async () => {
    const opened = await browser.open();
    const { page } = opened;
    const note = page.getByTestId('partial');
    assert.equal(await note.innerText(), '');
    await page.evaluate(() => window.harness.patch({ partial: true }));
    await revision(page, 2);
    assert.equal(await note.innerText(), 'Reading the rest of the file…');
    assert.equal(await note.getAttribute('role'), 'status');
    await page.evaluate(() => window.harness.patch({ partial: false }));
    await revision(page, 3);
    assert.equal(await note.innerText(), '');
    await opened.close();
  });

  it('reads changed rows again, and only from the first that changed', async () => {
    const opened = await browser.open({ scenario: 'long', count: 1000 });
    const { page } = opened;
    await page.evaluate(() => (window.harness.asked.length = 0));
    await page.evaluate(() => window.harness.append({ preview: 'Just written' }));
    await page.locator('[data-index="1000"]', { hasText: 'Just written' }).waitFor();
    const asked = await page.evaluate(() => window.harness.asked.filter((one) => one.name === 'rows/read').map((one) => one.params));
    assert.ok(asked.length >= 1 && asked.every((params) => JSON.stringify(params) === '{"from":1000,"to":1100}'), JSON.stringify(asked));
    await opened.close();
  });

  it('asks for the whole view when a patch was lost', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await page.evaluate(() => {
      window.harness.patch({ title: 'Never seen' }, null, true);
      window.harness.patch({ turns: 48 });
    });
    await revision(page, 3);
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Never seen');
    assert.equal(await opens(page), 2);
    await opened.close();
  });

  it('takes no patch for another session, and opens anew instead', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await page.evaluate(() =>
      window.harness.emit('session/patched', { handle: 'another', from: 1, to: 2, changes: { title: 'Wrong' }, rowsFrom: null }),
    );
    await page.waitForFunction(() => window.harness.asked.filter((asked) => asked.name === 'session/open').length === 2);
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Fix token counter drift');
    await opened.close();
  });

  it('drops a patch that a snapshot overtook, and one that is none', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await page.evaluate(() => window.harness.patch({ turns: 48 }));
    await revision(page, 2);
    await page.evaluate(() => {
      const { handle } = window.harness.view;
      window.harness.emit('session/patched', { handle, from: 1, to: 2, changes: { turns: 1 }, rowsFrom: null });
      window.postMessage({ k: 'event', name: 'session/patched', value: 'nonsense' }, '*');
      window.postMessage('nonsense', '*');
      window.harness.patch({ turns: 49 });
    });
    await revision(page, 3);
    await page.getByText('49 turns').waitFor();
    assert.equal(await opens(page), 1);
    assert.deepEqual(opened.errors, []);
    await opened.close();
  });

  it('opens the session again when the host does not know it any more', async () => {
    const opened = await browser.open({ scenario: 'long', count: 5000 });
    const { page } = opened;
    await page.evaluate(() => window.harness.forget());
    await page.getByRole('listbox').evaluate((list) => (list.scrollTop = 0));
    await page.locator('[data-testid="inspector"][data-handle="session-1-new"]').waitFor();
    await page.locator('[data-testid="row"]').first().waitFor();
    assert.equal(await opens(page), 2);
    await opened.close();
  });

  it('changes to another session when it is told to', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await page.locator('[data-index="80"]').click();
    await page.getByTestId('compact').click();
    await page.locator('[data-testid="preview"][data-outcome="plan"]').waitFor();
    await page.evaluate(() => window.harness.replace({ scenario: 'fresh' }));
    await page.getByText('Say hello').waitFor();
    await page.locator('[data-testid="row"][data-index="1"]').waitFor();
    assert.equal(await page.locator('.row').count(), 2);
    assert.equal(await page.getByTestId('preview').count(), 0);
    assert.equal(await page.locator('[aria-selected="true"]').count(), 0);
    assert.equal(await opens(page), 1);
    await opened.close();
  });

  it('takes a session that comes after there was none', async () => {
    const opened = await browser.open({ scenario: 'none', bare: true });
    const { page } = opened;
    await page.getByTestId('empty').waitFor();
    await page.evaluate(() => window.harness.replace({ scenario: 'usual' }));
    await page.getByTestId('gauge').waitFor();
    await opened.close();
  });

  it('speaks when the state of the window changes, and only then', async () => {
    const opened = await browser.open();
    const { page } = opened;
    const announcer = page.getByTestId('announcer');
    await page.evaluate(() => window.harness.patch({ gauge: { ...window.harness.view.gauge, usedTokens: 153_000 } }));
    await revision(page, 2);
    assert.equal(await announcer.innerText(), '');
    await page.evaluate(() =>
      window.harness.patch({
        gauge: { ...window.harness.view.gauge, state: 'autoCompact', usedTokens: 168_000, percentUsed: 84, next: null },
      }),
    );
    await page.getByTestId('announcer').filter({ hasText: 'Compacts next' }).waitFor();
    assert.equal(await announcer.getAttribute('aria-live'), 'polite');
    await opened.close();
  });

  it('sends only what the contract allows', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await page.locator('[data-index="80"]').click();
    await page.keyboard.press('Enter');
    await page.getByTestId('sessions').click();
    await page.getByTestId('compact').click();
    await page.getByTestId('create-copy').click();
    await page.getByTestId('open-copy').click();
    await page.getByTestId('copy-resume').click();
    await page.getByText('The resume command was handed to the clipboard.').waitFor();
    assert.deepEqual(await page.evaluate(() => window.harness.refused), []);
    const names = new Set(await page.evaluate(() => window.harness.asked.map((one) => one.name)));
    for (const name of [
      'session/open',
      'rows/read',
      'transcript/reveal',
      'session/pick',
      'compaction/preview',
      'compaction/run',
      'copy/open',
      'copy/resume',
    ]) {
      assert.ok(names.has(name), name);
    }
    await opened.close();
  });
});
