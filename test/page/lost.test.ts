// What a compaction loses: listed by kind in the preview and in the result, each thing with a way to its message.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PageBrowser } from './harness/browser';
import { clean, texts } from './harness/reading';

describe('the list of what is lost', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  const preview = async (page: Page): Promise<void> => {
    await page.evaluate(() => window.harness.emit('preview/show', { request: { kind: 'partialUpTo', pivotId: 'm-086' } }));
    await page.locator('[data-testid="preview"][data-outcome="plan"]').waitFor();
  };

  it('stands in the preview, folded, by kind with counts', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await preview(page);
    const lost = page.getByTestId('lost');
    assert.equal(clean(await lost.locator('summary').innerText()), 'What the copy would not state any more 143');
    assert.equal(await lost.locator('.lost-row').first().isVisible(), false);
    await lost.locator('summary').click();
    assert.deepEqual(await texts(lost.locator('.lost-head')), ['Constraints 1', 'Files 141', 'Names 1']);
    assert.equal(clean(await lost.locator('[data-kind="constraint"] .lost-row').innerText()), '#73 Never change the recorded usage.');
    assert.equal(await lost.locator('[data-kind="file"] .lost-row').count(), 121);
    assert.equal(clean(await lost.locator('[data-kind="file"] .lost-row').last().innerText()), 'and 21 more');
    assert.deepEqual(opened.errors, []);
    await opened.close();
  });

  it('leads to the message of each thing', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await preview(page);
    await page.getByTestId('lost').locator('summary').click();
    await page.getByTestId('lost').getByRole('button', { name: 'Show message 85' }).click();
    await page.locator('[data-index="85"]:focus').waitFor();
    assert.equal(await page.locator('[data-index="85"]').getAttribute('aria-selected'), 'true');
    await opened.close();
  });

  it('says that a model may lose other things', async () => {
    const opened = await browser.open({ settings: { summarizer: 'openai' } });
    await preview(opened.page);
    await opened.page.getByTestId('lost').locator('summary').click();
    await opened.page.getByText('This is what the offline summary leaves out').waitFor();
    await opened.close();
  });

  it('stands in the result of a run', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await preview(page);
    await page.getByTestId('create-copy').click();
    await page.locator('[data-testid="preview"][data-outcome="written"]').waitFor();
    const lost = page.getByTestId('result').getByTestId('lost');
    assert.equal(clean(await lost.locator('summary').innerText()), 'What the copy does not state any more 143');
    await lost.locator('summary').click();
    await lost.getByRole('button', { name: 'Show message 73' }).click();
    await page.locator('[data-index="73"]:focus').waitFor();
    await opened.close();
  });

  it('says so when nothing is lost', async () => {
    const opened = await browser.open({ lost: { count: 0, groups: [] } });
    await preview(opened.page);
    assert.equal(clean(await opened.page.getByTestId('lost').innerText()), 'Nothing was found that the copy would not state any more.');
    await opened.close();
  });
});
