// The numbers that explain themselves: the agent's own rule, counts that disagree, the error band, and the timeline.
import assert from 'node:assert/strict';
import { PageBrowser } from './harness/browser';
import { clean, texts } from './harness/reading';

describe('numbers of the page', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  it('names the counts that disagree, and says what each of them is', async () => {
    const opened = await browser.open();
    const counters = opened.page.getByTestId('counters');
    await counters.locator('summary').click();
    assert.deepEqual(await texts(counters.locator('tbody tr')), [
      'Of the whole window 152.3K / 200K 76% used',
      'Of what a prompt may take 152.3K / 180K 85% used',
      'Until auto-compact 152.3K / 167K 9% left',
      'What Claude Code shows 150.1K / 200K 75% used',
      'What Claude Code decides by 152.3K / 167K 91% used',
    ]);
    assert.equal(clean(await opened.page.getByTestId('error-band').innerText()), '± 310');
    await opened.close();
  });

  it('draws the rule of an agent that decides otherwise beside the limits', async () => {
    const opened = await browser.open({ scenario: 'otherAgent' });
    const row = opened.page.getByTestId('agent-limit');
    assert.equal(clean(await row.innerText()), 'Gemini CLI compacts 100K before its next request');
    assert.match((await row.getAttribute('title')) ?? '', /It counts 150,104, the gauge 152,304\./);
    assert.ok((await texts(opened.page.locator('.limit-label'))).includes('Gemini CLI compacts 100K'));
    await opened.close();
  });

  it('shows the timeline with its marks, and leads to their messages', async () => {
    const opened = await browser.open();
    const { page } = opened;
    const timeline = page.getByTestId('timeline');
    assert.equal(await timeline.locator('.timeline-mark').count(), 3);
    assert.equal(await timeline.locator('.timeline-boundary').count(), 2);
    const marks = await texts(timeline.locator('.timeline-marks li'));
    assert.equal(marks.length, 3);
    assert.match(marks[0] ?? '', /^9\.3K less without a compaction: nothing in the file tells why/);
    assert.match(marks[1] ?? '', /^61K came back after the compaction: mostly calls that had been made before it/);
    assert.match(marks[2] ?? '', /^12\.4K more than the messages hold: nothing in the file tells why/);
    await timeline.locator('.timeline-marks button').first().click();
    await page.locator('[role="option"][aria-selected="true"]').waitFor();
    await opened.close();
  });

  it('is gone through with the keyboard and speaks', async () => {
    const opened = await browser.open();
    const { page } = opened;
    const chart = page.getByTestId('timeline-chart');
    const count = Number(await chart.getAttribute('aria-valuemax'));
    await chart.focus();
    assert.equal(await chart.getAttribute('aria-valuenow'), String(count));
    await page.keyboard.press('Home');
    assert.equal(await chart.getAttribute('aria-valuetext'), 'Message 0: 38,000 tokens');
    const spoken: string[] = [];
    for (let at = 1; at < count; at++) {
      await page.keyboard.press('ArrowRight');
      spoken.push((await chart.getAttribute('aria-valuetext')) ?? '');
    }
    assert.equal(spoken.filter((text) => text.includes('compacted before it')).length, 2);
    assert.equal(spoken.filter((text) => text.includes('12.4K more than the messages hold')).length, 1);
    await page.keyboard.press('ArrowRight');
    assert.equal(await chart.getAttribute('aria-valuenow'), String(count));
    await page.keyboard.press('Enter');
    await page.locator('[role="option"][aria-selected="true"]').waitFor();
    await opened.close();
  });

  it('is a table for those who want one', async () => {
    const opened = await browser.open();
    const timeline = opened.page.getByTestId('timeline');
    await timeline.getByText('Show as table').click();
    const rows = await texts(timeline.locator('tbody tr'));
    assert.equal(rows.length, Number(await opened.page.getByTestId('timeline-chart').getAttribute('aria-valuemax')));
    assert.equal(rows.filter((row) => row.includes('compacted before it')).length, 2);
    await opened.close();
  });
});
