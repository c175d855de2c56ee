// The parts of a preview: what would be missed, what it costs, what is put back, and the ways on from a refusal.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { HarnessOptions } from './harness/fakeHost';
import { PageBrowser, type OpenedPage } from './harness/browser';
import { clean, texts } from './harness/reading';

describe('the parts of a preview', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  const open = async (options: HarnessOptions = {}): Promise<OpenedPage> => {
    const opened = await browser.open(options);
    await opened.page.evaluate(() => window.harness.emit('preview/show', { request: { kind: 'partialUpTo', pivotId: 'm-086' } }));
    await settled(opened.page);
    return opened;
  };
  const settled = (page: Page): Promise<void> => page.locator('[data-testid="preview"][data-settled="true"][data-position]').waitFor();
  const asked = (page: Page, name: string): Promise<unknown> =>
    page.evaluate((of) => window.harness.asked.findLast((one) => one.name === of)?.params, name);

  it('say what would be missed most, at risk first, with a way to it', async () => {
    const opened = await open();
    const { page } = opened;
    assert.deepEqual(await texts(page.getByTestId('safety').getByRole('row')), [
      'at risk Constraint #73 Now write the failing test first.',
      'kept Call without a result #91 Bash npm test',
      'kept Last request #87 Also check the PDF path, see the screenshot.',
    ]);
    assert.equal(await page.getByTestId('safety').locator('[tabindex="0"]').count(), 1);
    await page.getByTestId('safety').getByRole('button', { name: 'Constraint #73' }).click();
    await page.locator('[data-index="73"]:focus').waitFor();
    assert.equal(clean(await page.getByTestId('refill').innerText()), 'fills again after about 17 turns');
    await opened.close();
  });

  it('name the cost by its three parts, and follow the summarizer and the detail', async () => {
    const opened = await open();
    const { page } = opened;
    const cost = page.getByTestId('cost');
    assert.deepEqual(await texts(cost.locator('tr')), [
      'Summary made on this machine $0.00',
      'Written to the cache again 21.6K, 62.6K stay in it $0.13',
      'Saved each turn 68.1K fewer −$0.03',
      'Total pays back after about 4 turns $0.13',
    ]);
    assert.match(clean(await cost.innerText()), /by the prices of claude-opus-4 from the list of known models\.$/);
    await page.getByTestId('summarizer').click();
    await page.getByRole('option', { name: 'OpenAI-compatible' }).click();
    await cost.getByText('75.8K in, 8K out').waitFor();
    await page.getByTestId('detail').click();
    await page.getByRole('option', { name: 'Brief' }).click();
    await cost.getByText('75.8K in, 4K out').waitFor();
    await settled(page);
    assert.deepEqual(await asked(page, 'compaction/preview'), {
      kind: 'partialUpTo',
      pivotId: 'm-086',
      summarizer: 'openai',
      detail: 'brief',
    });
    await opened.close();
  });

  it('say that a cost is unknown, and why', async () => {
    const opened = await open({ cost: null, ofSummary: true });
    assert.match(clean(await opened.page.getByTestId('cost').innerText()), /Cost unknown The prices of this model are not known\./i);
    assert.match(clean(await opened.page.getByTestId('of-summary').innerText()), /summarize an earlier summary again/);
    await opened.close();
  });

  it('put back what is ticked, and count it on the button', async () => {
    const opened = await open();
    const { page } = opened;
    const lost = page.getByTestId('lost');
    await lost.locator('summary').click();
    await lost.getByRole('checkbox', { name: 'Put back: Never change the recorded usage.' }).check();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    assert.equal(clean(await page.getByTestId('create-copy').innerText()), 'Create Copy, 2 Put Back');
    assert.equal(await lost.locator('[tabindex="0"]').count(), 1);
    await page.getByTestId('create-copy').click();
    await page.getByTestId('result').waitFor();
    const run = await asked(page, 'compaction/run');
    assert.match(
      JSON.stringify(run),
      /"putBack":\[{"kind":"constraint","messageId":"m-073","value":"Never change the recorded usage\."},{"kind":"file",/,
    );
    assert.deepEqual(await page.evaluate(() => window.harness.refused), []);
    await opened.close();
  });

  it('put back in a new copy what the written one has lost', async () => {
    const opened = await open();
    const { page } = opened;
    await page.getByTestId('create-copy').click();
    const result = page.getByTestId('result');
    await result.waitFor();
    await result.getByTestId('lost').locator('summary').click();
    await result.getByRole('checkbox', { name: 'Put back: Never change the recorded usage.' }).check();
    assert.equal(clean(await page.getByTestId('put-back').innerText()), 'Put 1 Back in a New Copy');
    await page.getByTestId('put-back').click();
    await result.getByText('c3f52d18-compacted.jsonl').waitFor();
    assert.equal(await page.getByTestId('put-back').count(), 0);
    assert.deepEqual(await asked(page, 'compaction/putBack'), {
      handle: 'session-1',
      newSessionId: 'b2e41c07',
      items: [{ kind: 'constraint', messageId: 'm-073', value: 'Never change the recorded usage.' }],
    });
    await opened.close();
  });

  it('copy the new context as a prompt, and show what a model would be sent', async () => {
    const opened = await open({ settings: { summarizer: 'openai' } });
    const { page } = opened;
    await page.getByTestId('preview-request').click();
    await page.getByTestId('copy-prompt').click();
    await page.locator('[data-testid="prompt-said"]', { hasText: 'The prompt is on the clipboard.' }).waitFor();
    assert.match(JSON.stringify(await asked(page, 'compaction/request')), /"planId":"plan-\d+","instructions":""}$/);
    assert.match(JSON.stringify(await asked(page, 'compaction/prompt')), /"summarizer":"openai"/);
    assert.deepEqual(await page.evaluate(() => window.harness.refused), []);
    await opened.close();
  });

  it('lead on from a refusal: to the offline summary, or to the prompt', async () => {
    const model = await open({ runOutcome: 'offerOffline', settings: { summarizer: 'openai' } });
    await model.page.getByTestId('create-copy').click();
    await model.page.getByTestId('use-offline').click();
    await model.page.getByTestId('result').waitFor();
    assert.match(JSON.stringify(await asked(model.page, 'compaction/run')), /"summarizer":"offline"/);
    await model.close();
    const format = await open({ runOutcome: 'notSupported' });
    await format.page.getByTestId('create-copy').click();
    await format.page.getByTestId('prompt-instead').click();
    await format.page.locator('[data-testid="prompt-said"]', { hasText: 'The prompt is on the clipboard.' }).waitFor();
    await format.close();
  });
});
