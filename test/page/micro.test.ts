// Clearing tool results: which are ticked and why, what that frees, and the copy that comes of it.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { HarnessOptions } from './harness/fakeHost';
import { PageBrowser, type OpenedPage } from './harness/browser';
import { clean, texts } from './harness/reading';

describe('the pane of tool results', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  const open = async (options: HarnessOptions = {}): Promise<OpenedPage> => {
    const opened = await browser.open(options);
    await opened.page.getByTestId('tool-results').locator('summary').first().click();
    await settled(opened.page);
    return opened;
  };
  const settled = (page: Page): Promise<void> => page.locator('[data-testid="micro"][data-outcome="shown"][data-settled="true"]').waitFor();
  const freed = async (page: Page, count: number): Promise<number> => {
    await page.getByTestId('micro-freed').getByText(`${count} result`, { exact: false }).waitFor();
    await settled(page);
    return Number(await page.getByTestId('micro-freed').getAttribute('data-freed'));
  };

  it('asks for nothing until it is opened, and lists the results by size with their reasons', async () => {
    const opened = await browser.open();
    const { page } = opened;
    assert.equal(await page.evaluate(() => window.harness.asked.some((one) => one.name === 'compaction/preview')), false);
    await page.getByTestId('tool-results').locator('summary').first().click();
    await settled(page);
    const ticks = page.getByTestId('tick');
    assert.equal(clean(await ticks.first().innerText()), 'Read src/core/count.ts 14.2K #75 read again later 1 turn ago');
    // The newest are protected and not ticked; all that something speaks for are.
    assert.equal(await page.locator('[data-id="call-92"]').getByRole('checkbox').isChecked(), false);
    assert.match(clean(await page.locator('[data-id="call-92"]').innerText()), /among the newest this turn$/);
    assert.equal(await freed(page, 8), 58_908);
    assert.equal(clean(await page.getByTestId('micro').locator('.delta').innerText()), '152.3K → 93.4K −58.9K (−39%) ~ estimate');
    assert.deepEqual(opened.errors, []);
    await opened.close();
  });

  it('chooses all, none, by reason and one by one, with what is freed at once', async () => {
    const opened = await open();
    const { page } = opened;
    const choose = page.getByTestId('selections');
    assert.deepEqual(await texts(choose.getByRole('button')), [
      'All',
      'None',
      'read again later (3)',
      'error that was got over (1)',
      'older turns (4)',
    ]);
    await choose.getByText('None').click();
    assert.equal(await freed(page, 0), 0);
    assert.notEqual(await page.getByTestId('create-cleared').getAttribute('disabled'), null);
    await choose.getByText('read again later').click();
    // Three reads, each replaced by a mark of 12 tokens.
    assert.equal(await freed(page, 3), 14_210 + 14_180 + 11_790 - 3 * 12);
    // What is protected is ticked by itself alone.
    await page.locator('[data-id="call-92"]').getByRole('checkbox').check();
    assert.equal(await freed(page, 4), 14_210 + 14_180 + 11_790 + 3_390 - 4 * 12);
    await choose.getByText('All').click();
    await freed(page, 8);
    assert.deepEqual(await page.evaluate(() => window.harness.refused), []);
    await opened.close();
  });

  it('does not clear what the user has pinned', async () => {
    const opened = await open({ pinned: ['m-075'] });
    const { page } = opened;
    const box = page.locator('[data-id="call-75"]').getByRole('checkbox');
    assert.equal(await box.getAttribute('aria-disabled'), 'true');
    await box.click({ force: true });
    assert.equal(await box.isChecked(), false);
    assert.match(clean(await page.locator('[data-id="call-75"]').innerText()), /pinned by you/);
    await opened.close();
  });

  it('opens at the result of a row that a menu names, with that one alone ticked', async () => {
    const opened = await browser.open();
    const { page } = opened;
    const context = await page.locator('[data-index="83"]').getAttribute('data-vscode-context');
    assert.match(context ?? '', /"canClear":true/);
    await page.evaluate(() => window.harness.emit('preview/show', { request: { kind: 'micro', pivotId: 'm-083' } }));
    assert.equal(await freed(page, 1), 11_790 - 12);
    assert.equal(await page.locator('[data-id="call-83"]').getByRole('checkbox').isChecked(), true);
    await page.locator('[data-testid="tool-results"] > summary:focus').waitFor();
    await opened.close();
  });

  it('is one tab stop, holds few rows of a long list, and goes through all by keys', async () => {
    const opened = await open({ moreResults: 480 });
    const { page } = opened;
    const list = page.getByTestId('tick-list');
    assert.equal(await list.getAttribute('aria-rowcount'), '490');
    assert.ok((await page.getByTestId('tick').count()) < 40);
    await list.getByRole('checkbox').first().focus();
    await page.keyboard.press('End');
    await page.locator('[data-testid="tick"][aria-rowindex="490"] input:focus').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('[data-testid="tick"][aria-rowindex="490"] button:focus').waitFor();
    await page.keyboard.press('Home');
    await page.locator('[data-testid="tick"][aria-rowindex="1"] button:focus').waitFor();
    assert.equal(await list.locator('[tabindex="0"]').count(), 1);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Space');
    await settled(page);
    assert.equal(await page.locator('[data-testid="tick"][aria-rowindex="1"] input').isChecked(), false);
    await opened.close();
  });

  it('creates a copy, and says so', async () => {
    const opened = await open();
    const { page } = opened;
    await page.getByTestId('create-cleared').click();
    const result = page.getByTestId('tool-results').getByTestId('result');
    await result.waitFor();
    assert.equal(await result.getByTestId('lost').count(), 0);
    const run = await page.evaluate(() => window.harness.asked.find((one) => one.name === 'compaction/run')?.params);
    assert.match(JSON.stringify(run), /"summarizer":"offline","instructions":""/);
    await opened.close();
  });
});
