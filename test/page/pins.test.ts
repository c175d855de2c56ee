// Pinned messages: shown on their rows, and not among what a plan summarizes.
import assert from 'node:assert/strict';
import { PageBrowser } from './harness/browser';

describe('pinned messages', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  it('have a sign with words on their rows, which follows the host', async () => {
    const opened = await browser.open({ pinned: ['m-082'] });
    const { page } = opened;
    await page.locator('[data-index="82"] [title="pinned, always kept"]').waitFor();
    assert.equal(await page.locator('[title="pinned, always kept"]').count(), 1);
    await page.evaluate(() => window.harness.emit('pins/changed', { messageIds: ['m-084'] }));
    await page.locator('[data-index="84"] [title="pinned, always kept"]').waitFor();
    assert.equal(await page.locator('[title="pinned, always kept"]').count(), 1);
    assert.deepEqual(opened.errors, []);
    await opened.close();
  });

  it('stay out of the range that is to be summarized; another pin makes the preview old', async () => {
    const opened = await browser.open({ pinned: ['m-082'] });
    const { page } = opened;
    await page.evaluate(() => window.harness.emit('preview/show', { request: { kind: 'partialUpTo', pivotId: 'm-086' } }));
    await page.locator('[data-testid="preview"][data-outcome="plan"]').waitFor();
    assert.equal(await page.locator('[data-index="82"]').getAttribute('data-planned'), 'false');
    assert.equal(await page.locator('[data-index="83"]').getAttribute('data-planned'), 'true');
    await page.evaluate(() => window.harness.emit('pins/changed', { messageIds: [] }));
    await page.getByTestId('outdated').waitFor();
    await opened.close();
  });
});
