// The report on a compaction of the past, and the projection: asked for when they are opened, by mouse and keyboard.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { PageBrowser, type OpenedPage, type OpenOptions } from './harness/browser';
import { clean, texts } from './harness/reading';

describe('the report on a compaction', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  const reportOf = (page: Page, card = 0): Locator => page.getByTestId('boundary').nth(card).getByTestId('report');

  /** Opens the report of the newest compaction. */
  const opened = async (options: OpenOptions = {}, state = 'there'): Promise<OpenedPage & { readonly report: Locator }> => {
    const one = await browser.open(options);
    const report = reportOf(one.page);
    await report.locator('summary').first().click();
    await one.page.locator(`[data-testid="report"][data-state="${state}"]`).waitFor();
    return { ...one, report };
  };

  const asked = (page: Page): Promise<number> =>
    page.evaluate(() => window.harness.asked.filter(({ name }) => name === 'boundary/report').length);

  it('is asked for when it is opened, and not before', async () => {
    const one = await opened();
    const { page, report, errors } = one;
    assert.equal(await asked(page), 1);
    assert.deepEqual(await page.evaluate(() => window.harness.asked.find(({ name }) => name === 'boundary/report')?.params), { index: 1 });
    assert.equal(await report.getByTestId('report-sizes').getAttribute('data-before'), '141208');
    await report.locator('summary').first().click();
    await page.locator('[data-testid="report"][data-state="there"]').waitFor({ state: 'detached' });
    await report.locator('summary').first().click();
    await page.locator('[data-testid="report"][data-state="there"]').waitFor();
    assert.equal(await asked(page), 2);
    assert.deepEqual(errors, []);
    await one.close();
  });

  it('shows both contexts to one scale, with their numbers', async () => {
    const one = await opened();
    const { report } = one;
    assert.equal(clean(await report.getByTestId('report-sizes').innerText()), '141.2K → 54.1K −87.1K (−62%) ~ estimate');
    const widths = await report
      .locator('.compare .bar')
      .evaluateAll((bars) =>
        bars.map(
          (bar) =>
            [...bar.querySelectorAll('.segment')].reduce((sum, part) => sum + part.getBoundingClientRect().width, 0) /
            bar.getBoundingClientRect().width,
        ),
      );
    const [before = 0, after = 0] = widths;
    assert.ok(Math.abs(before - 1) < 0.02, `${before}`);
    assert.ok(Math.abs(after - 54_064 / 141_208) < 0.02, `${after}`);
    assert.deepEqual(await texts(report.locator('.report-parts tbody tr[data-category="summary"] td')), [
      'Compaction summary',
      '6.1K',
      '8.2K',
    ]);
    assert.deepEqual(await texts(report.locator('.report-counts li')), [
      '28 messages summarized',
      '6 messages kept word for word',
      '2 results cleared or shortened; what they held still stands before the boundary: #67 #69',
    ]);
    await one.close();
  });

  it('tells what does not fit together, with what it means', async () => {
    const one = await opened();
    const { report } = one;
    const faults = report.getByTestId('faults');
    assert.equal(await faults.getAttribute('data-count'), '2');
    assert.match(
      clean(await faults.locator('[data-fault="missingPreserved"]').innerText()),
      /^Messages that it says it kept .* Ids: ef7d2f48/,
    );
    assert.equal(await report.getByTestId('of-summary').count(), 1);
    await one.close();
  });

  it('lists what was lost, each thing with its message', async () => {
    const one = await opened();
    const { page, report } = one;
    const lost = report.getByTestId('lost');
    assert.equal(clean(await lost.locator('summary').innerText()), 'What the context does not state any more 4');
    await lost.locator('summary').click();
    await lost.getByRole('button', { name: 'Show message 42' }).click();
    await page.locator('[data-index="42"]:focus').waitFor();
    await one.close();
  });

  it('leads to what came back, and to what held the same before, as one tab stop', async () => {
    const one = await opened();
    const { page, report } = one;
    const back = report.getByTestId('came-back');
    assert.equal(clean(await back.locator('.hint').innerText()), '48.1K tokens in 2 turns, largest first.');
    assert.deepEqual(await texts(back.locator('.came-back-row')), [
      '#75 Same call again: src/core/count.ts held before by #43 14.2K',
      '#80 Large new result: npm test -- --grep image 12.6K',
      '#83 Same file read again: test/fixtures/usage.json held before by #52 11.8K',
      '#73 New work: Now write the failing test first. 7.6K',
      '#72 Put back by the agent: CLAUDE.md 1.9K',
    ]);
    assert.equal(await back.locator('button[tabindex="0"]').count(), 1);
    await back.locator('button').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('[data-index="43"]:focus').waitFor();
    await back.locator('button').first().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.locator('[data-index="72"]:focus').waitFor();
    await one.close();
  });

  it('opens by keyboard, and by the menu of the row', async () => {
    const one = await browser.open();
    const { page } = one;
    await reportOf(page).locator('summary').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-testid="report"][data-state="there"]').waitFor();
    const row = await page.evaluate(() => window.harness.view.boundaries[0]?.rowIndex ?? -1);
    await page.evaluate((index) => window.harness.emit('row/reveal', { messageId: window.harness.row(index).id, index }), row);
    await reportOf(page, 1).and(page.locator('[data-state="there"]')).waitFor();
    assert.equal(clean(await reportOf(page, 1).getByTestId('came-back').innerText()), 'Nothing has come behind it yet.');
    assert.equal(
      clean(await reportOf(page, 1).getByTestId('lost').innerText()),
      'Nothing was found that the context behind it does not state any more.',
    );
    await one.close();
  });

  it('says that it waits, and gives up what is closed', async () => {
    const one = await opened({ report: 'waits' }, 'waiting');
    const { page, report } = one;
    assert.equal(clean(await report.getByRole('status').innerText()), 'Reading what this compaction did…');
    await report.locator('summary').first().click();
    await page.locator('[data-testid="report"][data-state="closed"]').first().waitFor();
    assert.equal(await page.getByTestId('failure').count(), 0);
    await one.close();
  });

  it('tells why it failed, and asks again', async () => {
    const one = await opened({ report: 'fails' }, 'failed');
    const { page, report } = one;
    assert.match(clean(await report.getByRole('alert').innerText()), /The file was changed while it was read\.$/);
    await report.getByTestId('report-retry').click();
    await page.waitForFunction(() => window.harness.asked.filter(({ name }) => name === 'boundary/report').length === 2);
    await one.close();
  });

  it('says what nobody can tell', async () => {
    const hidden = await opened({ reportParts: { lost: null, faults: [], refill: null, tokensBefore: 0, before: [] } });
    assert.match(await hidden.report.getByTestId('lost-unknown').innerText(), /encrypted/);
    assert.match(await hidden.report.innerText(), /The file begins with this compaction/);
    await hidden.close();
    const missing = await opened({ reportParts: { lost: null, faults: [{ kind: 'missingSummary', ids: [] }] } });
    assert.match(await missing.report.getByTestId('lost-unknown').innerText(), /not in the file/);
    await missing.close();
  });

  it('shows what strangers wrote as text', async () => {
    const text = '<img src=x onerror=alert(1)> \u202Etxt.exe\u202C';
    const item = { cause: 'newWork', about: text, tokens: 5, messageId: 'm-1', index: 1, sameAsIndex: null } as const;
    const one = await opened({
      reportParts: { faults: [{ kind: 'stalePreserved', ids: [text] }], refill: { turns: 1, tokens: 5, items: [item] } },
    });
    const { report, errors, foreign } = one;
    assert.equal(await report.locator('img').count(), 0);
    assert.match(await report.getByTestId('faults').innerText(), /<img src=x/);
    assert.doesNotMatch(await report.getByTestId('came-back').innerText(), /\u202E/);
    assert.deepEqual([errors, foreign], [[], []]);
    await one.close();
  });
});

describe('the projection as a what-if', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  const opened = async (options: OpenOptions = {}, state = 'there'): Promise<OpenedPage & { readonly pane: Locator }> => {
    const one = await browser.open(options);
    const pane = one.page.getByTestId('projection');
    await pane.locator('summary').first().click();
    await pane.locator(`[data-state="${state}"]`).waitFor();
    return { ...one, pane };
  };

  it('is worked out when it is opened, and says what would be done and why', async () => {
    const one = await opened();
    const { page, pane, errors } = one;
    const decision = pane.getByTestId('projection-decision');
    assert.equal(
      clean(await decision.innerText()),
      'It would not be done. Writing the cache anew costs more than what it saves. Over the next requests it costs $0.49 more.',
    );
    assert.match(clean(await pane.innerText()), /Nothing is changed: neither the session nor what the agent sends/);
    assert.deepEqual(await texts(pane.locator('.projection-row')), [
      '#75 Read src/core/count.ts short pieces of it 14.2K → 420',
      '#83 Read test/fixtures/usage.json only where it looked 11.8K → 130',
      '#80 Bash npm test -- --grep image whole: its tool has no shorter form 12.6K',
      '#89 Grep “document” in src/ whole: among the newest of its kind 6.8K',
      '#92 Bash npm test whole: its tool has no shorter form 3.4K',
    ]);
    assert.equal(clean(await pane.locator('.projection-more').innerText()), 'and 4 smaller ones');
    await pane.locator('.projection-list button').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('[data-index="83"]:focus').waitFor();
    assert.deepEqual(errors, []);
    await one.close();
  });

  it('tells a gain', async () => {
    const one = await opened({ projection: 'admitted' });
    const { pane } = one;
    assert.match(clean(await pane.getByTestId('projection-decision').innerText()), /^It would be done\..* it saves \$0\.13\.$/);
    await one.close();
  });

  it('says why there is nothing to show, that it waits, and why it failed', async () => {
    const none = await opened({ projection: 'none' });
    assert.match(await none.pane.getByTestId('projection-refusal').innerText(), /no tool result/);
    await none.close();
    const waits = await opened({ projection: 'waits' }, 'waiting');
    assert.match(await waits.pane.getByRole('status').innerText(), /Working out/);
    await waits.close();
    const fails = await opened({ projection: 'fails' }, 'failed');
    await fails.pane.getByTestId('projection-retry').click();
    await fails.page.waitForFunction(() => window.harness.asked.filter(({ name }) => name === 'projection/preview').length === 2);
    await fails.close();
  });
});
