// From a preview to a copy: what is shown, what is refused, what runs, and how it is called off.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PlanRequestView } from '../../src/core/protocol/planView';
import { PageBrowser } from './harness/browser';
import { clean } from './harness/reading';

describe('the compaction preview', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  const show = (page: Page, request: PlanRequestView): Promise<void> =>
    page.evaluate((given) => window.harness.emit('preview/show', { request: given }), request);
  const outcome = (page: Page, value: string): Promise<void> => page.locator(`[data-testid="preview"][data-outcome="${value}"]`).waitFor();
  const planned = async (page: Page): Promise<number[]> =>
    (await page.locator('[data-planned="true"]').evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-index'))))).sort(
      (a, b) => a - b,
    );

  it('shows what a compaction up to a row would do, and marks its range', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await show(page, { kind: 'partialUpTo', pivotId: 'm-086' });
    await outcome(page, 'plan');
    const preview = page.getByTestId('preview');
    const before = Number(await preview.getAttribute('data-before'));
    const after = Number(await preview.getAttribute('data-after'));
    assert.equal(before, 152_304);
    assert.ok(after < before);
    const text = clean(await preview.innerText());
    for (const part of [
      'PREVIEW: COMPACT UP TO #86',
      '152.3K →',
      'Kept: 8 messages',
      'in place of 20 messages',
      '#65 – #85',
      'State after',
      'The original transcript is never changed.',
    ]) {
      assert.ok(text.toUpperCase().includes(part.toUpperCase()), `"${part}" in "${text}"`);
    }
    const marked = await planned(page);
    assert.equal(marked.at(-1), 85);
    assert.ok(!marked.includes(86) && !marked.includes(71));
    assert.equal(await page.getByTestId('pivot-line').getAttribute('data-at'), '86');
    await page.getByTestId('cancel').click();
    assert.equal(await preview.count(), 0);
    assert.deepEqual(await planned(page), []);
    await opened.close();
  });

  it('moves the focus to the preview that a menu asked for', async () => {
    const opened = await browser.open({ width: 500 });
    const { page } = opened;
    await show(page, { kind: 'partialFrom', pivotId: 'm-086' });
    await page.locator('#preview-title:focus', { hasText: 'compact from #86' }).waitFor();
    assert.ok(await page.locator('#preview-title').isVisible());
    await opened.close();
  });

  it('gives the focus back to the row that it came from', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await page.locator('[data-index="86"]').click();
    await show(page, { kind: 'partialUpTo', pivotId: 'm-086' });
    await outcome(page, 'plan');
    await page.locator('#preview-title:focus').waitFor();
    await page.getByTestId('cancel').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-index="86"]:focus').waitFor();
    await opened.close();
  });

  it('says why a cut was moved', async () => {
    const opened = await browser.open();
    await show(opened.page, { kind: 'partialUpTo', pivotId: 'm-085' });
    await opened.page.getByText('The cut lies at #84 instead of #85, so that a tool call and its result stay together.').waitFor();
    await opened.close();
  });

  it('shows a refusal as a plain sentence', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await show(page, { kind: 'partialUpTo', pivotId: 'm-065' });
    await outcome(page, 'refusal');
    assert.match(await page.getByTestId('refusal').innerText(), /^There are not enough messages to summarize here\./);
    assert.equal(await page.locator('.note-error, [role="alert"]').count(), 0);
    assert.equal(await page.getByTestId('create-copy').count(), 0);
    await page.getByTestId('cancel').click();
    assert.equal(await page.getByTestId('preview').count(), 0);
    await opened.close();
  });

  it('keeps as many of the newest messages as the user says', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await page.getByTestId('compact').click();
    await page.getByText('Kept: 10 messages').waitFor();
    await page.getByTestId('keep-messages').fill('4');
    await page.getByText('Kept: 4 messages').waitFor();
    await page.locator('[data-testid="preview"][data-settled="true"]').waitFor();
    const asked = await page.evaluate(() =>
      window.harness.asked.filter((one) => one.name === 'compaction/preview').map((one) => one.params),
    );
    const whole = { kind: 'full', summarizer: 'offline', detail: 'normal' };
    assert.deepEqual(asked, [
      { ...whole, keepMessages: 10 },
      { ...whole, keepMessages: 4, figuresOnly: true },
      { ...whole, keepMessages: 4 },
    ]);
    await opened.close();
  });

  it('runs the plan that was shown, tells its stages, and offers the copy', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await show(page, { kind: 'partialUpTo', pivotId: 'm-086' });
    await page.getByTestId('create-copy').click();
    await outcome(page, 'written');
    const text = clean(await page.getByTestId('result').innerText());
    assert.ok(text.includes('b2e41c07-compacted.jsonl') && text.includes('152.3K → 58.9K'), text);
    await page.getByTestId('open-copy').click();
    await page.getByTestId('copy-resume').click();
    await page.waitForFunction(() => window.harness.asked.some((one) => one.name === 'copy/resume'));
    const asked = await page.evaluate(() => window.harness.asked.filter((one) => /run|copy\//.test(one.name)));
    assert.deepEqual(asked.slice(1), [
      { name: 'copy/open', params: { handle: 'session-1', newSessionId: 'b2e41c07' } },
      { name: 'copy/resume', params: { handle: 'session-1', newSessionId: 'b2e41c07' } },
    ]);
    const [run] = asked;
    assert.equal(run?.name, 'compaction/run');
    assert.match(JSON.stringify(run), /"planId":"plan-\d+","summarizer":"offline","instructions":""/);
    await opened.close();
  });

  it('shows how far it is and stops when told to', async () => {
    const opened = await browser.open({ holdRun: true });
    const { page } = opened;
    await show(page, { kind: 'partialUpTo', pivotId: 'm-086' });
    await page.getByTestId('create-copy').click();
    await page.locator('[data-testid="progress"][data-stage="summarizing"]').waitFor();
    assert.equal(clean(await page.getByTestId('received').innerText()), '1,204 characters received');
    assert.equal(await page.getByTestId('preview').getAttribute('aria-busy'), 'true');
    await page.getByTestId('cancel').click();
    await outcome(page, 'cancelled');
    assert.equal(clean(await page.getByTestId('notice').innerText()), 'Cancelled. Nothing was written.');
    assert.equal(await page.locator('.note-error').count(), 0);
    assert.ok(await page.getByTestId('create-copy').isVisible());
    await opened.close();
  });

  it('lets a running compaction go on when another preview is asked for', async () => {
    const opened = await browser.open({ holdRun: true });
    const { page } = opened;
    await show(page, { kind: 'partialUpTo', pivotId: 'm-086' });
    await page.getByTestId('create-copy').click();
    await page.getByTestId('received').waitFor();
    await show(page, { kind: 'partialFrom', pivotId: 'm-080' });
    assert.equal(await page.getByTestId('preview').getAttribute('data-outcome'), 'running');
    const previews = await page.evaluate(() => window.harness.asked.filter((one) => one.name === 'compaction/preview').length);
    assert.equal(previews, 1);
    await opened.close();
  });

  for (const [runOutcome, shown, says] of [
    ['refused', 'refused', 'The summary would not be smaller than what it replaces.'],
    ['failed', 'failed', 'The copy was not created: The server did not answer.'],
    ['throws', 'failed', 'The copy was not created: The disk is full.'],
  ] as const) {
    it(`says what came of a run that ${runOutcome}, and lets it be tried again`, async () => {
      const opened = await browser.open({ runOutcome });
      const { page } = opened;
      await show(page, { kind: 'partialUpTo', pivotId: 'm-086' });
      await page.getByTestId('create-copy').click();
      await outcome(page, shown);
      assert.equal(clean(await page.getByTestId('notice').innerText()), says);
      assert.equal(await page.getByTestId('create-copy').getAttribute('disabled'), null);
      await opened.close();
    });
  }

  it('does not run a plan that the session has outgrown', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await show(page, { kind: 'partialUpTo', pivotId: 'm-086' });
    await outcome(page, 'plan');
    await page.evaluate(() => window.harness.patch({ title: 'Only the title' }));
    await page.getByText('Only the title').waitFor();
    assert.equal(await page.getByTestId('outdated').count(), 0);
    await page.evaluate(() => window.harness.append({ preview: 'One more' }));
    await page.getByTestId('outdated').waitFor();
    await page.getByTestId('create-copy').click({ force: true });
    assert.equal(await page.getByTestId('preview').getAttribute('data-outcome'), 'plan');
    await page.getByTestId('outdated').getByRole('button').click();
    await page.getByText('Kept: 9 messages').waitFor();
    assert.equal(await page.getByTestId('outdated').count(), 0);
    await opened.close();
  });

  it('takes instructions for a model, says where the text goes, and asks for a setup where there is none', async () => {
    const opened = await browser.open({ settings: { summarizer: 'openai' } });
    const { page } = opened;
    await show(page, { kind: 'partialUpTo', pivotId: 'm-086' });
    await outcome(page, 'plan');
    await page.getByText('tokens of this session are sent to gpt-5-mini at api.example.com.').waitFor();
    await page.getByTestId('instructions').locator('textarea').fill('Keep the file paths.');
    await page.getByTestId('create-copy').click();
    await outcome(page, 'written');
    const run = await page.evaluate(() => window.harness.asked.find((one) => one.name === 'compaction/run')?.params);
    assert.match(JSON.stringify(run), /"summarizer":"openai","instructions":"Keep the file paths\."/);
    await opened.close();

    const without = await browser.open({ settings: { openaiLabel: '' } });
    await show(without.page, { kind: 'partialUpTo', pivotId: 'm-086' });
    await outcome(without.page, 'plan');
    await without.page.getByTestId('summarizer').click();
    await without.page.getByRole('option', { name: 'OpenAI-compatible server' }).click();
    await without.page.waitForFunction(() => window.harness.asked.some((one) => one.name === 'summarizer/select'));
    assert.notEqual(await without.page.getByTestId('create-copy').getAttribute('disabled'), null);
    await without.close();
  });

  it('writes nothing in a workspace that is not trusted', async () => {
    const opened = await browser.open({ settings: { canAct: false } });
    const { page } = opened;
    await show(page, { kind: 'partialUpTo', pivotId: 'm-086' });
    await page.getByText('Creating a copy is off, because this workspace is not trusted.').waitFor();
    await page.getByTestId('create-copy').click({ force: true });
    assert.equal(await page.evaluate(() => window.harness.asked.some((one) => one.name === 'compaction/run')), false);
    await opened.close();
  });
});
