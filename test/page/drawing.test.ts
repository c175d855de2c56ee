// What the page shows of a session, in numbers and words, and that it keeps to its policy.
import assert from 'node:assert/strict';
import { PageBrowser } from './harness/browser';
import { clean, openAll, texts } from './harness/reading';

describe('the page', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  it('shows the headline, its state, the next event and where the numbers come from', async () => {
    const opened = await browser.open();
    const { page } = opened;
    const gauge = page.getByTestId('gauge');
    assert.equal(await gauge.getAttribute('data-used'), '152304');
    assert.equal(await gauge.getAttribute('data-window'), '200000');
    const text = clean(await gauge.innerText());
    for (const part of [
      '152.3K of 200K · 76%',
      'Nearly full',
      'Auto-compact in 14.7K tokens, about 3 turns',
      '150.1K reported by the provider',
      '2.2K estimated since then',
    ]) {
      assert.ok(text.includes(part), `"${part}" in "${text}"`);
    }
    const inspector = page.getByTestId('inspector');
    assert.equal(await inspector.getAttribute('data-state'), 'error');
    assert.equal(await inspector.getAttribute('data-revision'), '1');
    assert.equal(await inspector.getAttribute('data-handle'), 'session-1');
    await opened.close();
  });

  it('tells the gauge to a screen reader as a meter in words', async () => {
    const opened = await browser.open();
    const meter = opened.page.getByRole('meter');
    assert.equal(await meter.getAttribute('aria-valuemax'), '200000');
    assert.equal(await meter.getAttribute('aria-valuenow'), '152304');
    assert.match(
      (await meter.getAttribute('aria-valuetext')) ?? '',
      /^152,304 of 200,000 tokens used, 76%. Nearly full. Auto-compact in 14,696 tokens.$/,
    );
    await opened.close();
  });

  it('lists what fills the window so that it adds up to the window', async () => {
    const opened = await browser.open();
    const shares = await texts(opened.page.locator('.figure > [role="cell"]:nth-child(3)'));
    const sum = shares.reduce((total, share) => total + Number.parseFloat(share), 0);
    assert.ok(Math.abs(sum - 100) < 1, `shares sum up to ${sum}`);
    const names = await texts(opened.page.locator('.figure > [role="cell"]:first-child'));
    assert.deepEqual(names, [
      'System prompt',
      'Built-in tools',
      'MCP tools',
      'Memory files',
      'Not in the file',
      'Compaction summary',
      'User',
      'Assistant',
      'Thinking',
      'Tool results',
      'Images',
      'Free until blocked',
      'Buffer and output reserve',
    ]);
    await opened.close();
  });

  it('joins limits that begin at the same number, and lists each with its distance', async () => {
    const opened = await browser.open();
    assert.deepEqual(await texts(opened.page.locator('.limit-label')), ['Warning · Error 147K', 'Auto-compact 167K', 'Blocked 177K']);
    assert.deepEqual(await texts(opened.page.locator('.limit-table tbody tr')), [
      'Warning 147K passed by 5.3K',
      'Error 147K passed by 5.3K',
      'Auto-compact 167K in 14.7K',
      'Blocked 177K in 24.7K',
    ]);
    await opened.close();
  });

  it('shows neither percent nor limits for an unknown window, but a way to set it', async () => {
    const opened = await browser.open({ scenario: 'unknown' });
    const { page } = opened;
    const text = clean(await page.getByTestId('gauge').innerText());
    assert.ok(text.startsWith('152.3K tokens Unknown window'), text);
    assert.ok(!text.includes('%'), text);
    assert.equal(await page.getByRole('meter').count(), 0);
    assert.equal(await page.locator('.limit-table, .zone').count(), 0);
    await page.getByTestId('set-window').click();
    await page.waitForFunction(() => window.harness.asked.some((asked) => asked.name === 'window/set'));
    await opened.close();
  });

  it('draws an over-full window whole and says that it is blocked', async () => {
    const opened = await browser.open({ scenario: 'blocked' });
    const text = clean(await opened.page.getByTestId('gauge').innerText());
    assert.ok(text.includes('203.1K of 200K · 102%') && text.includes('No room is left'), text);
    assert.equal(await opened.page.getByRole('meter').getAttribute('aria-valuemax'), '203100');
    assert.ok((await texts(opened.page.locator('.limit-label'))).includes('Window 200K'));
    await opened.close();
  });

  it('shows the boundaries, newest first, with what was summarized and what was preserved', async () => {
    const opened = await browser.open();
    const cards = opened.page.getByTestId('boundary');
    assert.equal(await cards.count(), 2);
    const newest = clean(await cards.first().innerText());
    for (const part of [
      'Boundary at #71',
      'manual',
      '141,208',
      'not recorded',
      '48.2 s',
      '6 messages from the cut on',
      '28 summarized',
      'Valid:',
    ]) {
      assert.ok(newest.includes(part), `"${part}" in "${newest}"`);
    }
    assert.equal(await cards.first().locator('.cells .is-kept').count(), 6);
    await opened.close();
  });

  it('says what an empty session, a lost file and a missing session mean', async () => {
    const cases = [
      { scenario: 'empty', says: 'This session has no messages yet.' },
      { scenario: 'problem', says: 'The transcript is no longer there.' },
      { scenario: 'none', says: 'There is no session of a coding agent for this folder.' },
      { scenario: 'broken', says: 'The session could not be opened: The file is not a transcript of a known agent.' },
    ] as const;
    for (const { scenario, says } of cases) {
      const opened = await browser.open({ scenario, bare: true });
      await opened.page.getByText(says).waitFor();
      assert.deepEqual(opened.errors, []);
      await opened.close();
    }
  });

  it('opens again when asked to after a failure', async () => {
    const opened = await browser.open({ scenario: 'broken', bare: true });
    await opened.page.getByTestId('retry').click();
    await opened.page.waitForFunction(() => window.harness.asked.filter((asked) => asked.name === 'session/open').length === 2);
    await opened.close();
  });

  it('shows a placeholder only for a session that takes its time', async () => {
    const opened = await browser.open({ scenario: 'slow', bare: true });
    assert.equal(await opened.page.getByTestId('inspector').getAttribute('data-state'), 'loading');
    await opened.page.getByText('Reading the session…').waitFor();
    await opened.close();
  });

  it('draws the small surface without the list', async () => {
    const opened = await browser.open({ surface: 'sidebar', width: 300 });
    assert.equal(await opened.page.getByTestId('gauge').count(), 1);
    assert.equal(await opened.page.getByRole('listbox').count(), 0);
    await opened.close();
  });

  it('speaks the language and the texts of the settings', async () => {
    const opened = await browser.open({
      settings: { locale: 'de', strings: { 'header.sessions': 'Sitzungen…', 'gauge.of': 'von {window}' } },
    });
    const text = clean(await opened.page.getByTestId('headline').innerText());
    assert.equal(text, '152,3K von 200K · 76 %');
    assert.equal(clean(await opened.page.getByTestId('sessions').innerText()), 'Sitzungen…');
    await opened.close();
  });

  for (const theme of ['dark', 'light', 'hc', 'hc-light'] as const) {
    it(`keeps to its policy and to every width in ${theme}`, async () => {
      const opened = await browser.open({ theme, settings: { summarizer: 'openai' } });
      const { page } = opened;
      await page.getByTestId('compact').click();
      await page.locator('[data-testid="preview"][data-outcome="plan"]').waitFor();
      await openAll(page);
      for (const width of [1280, 820, 500, 300]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        const seen = await page.evaluate(() => ({
          inner: document.documentElement.clientWidth,
          widest: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth),
        }));
        assert.ok(seen.widest <= seen.inner, `${seen.widest} px in ${seen.inner} px`);
        assert.deepEqual(await clippedOut(page), [], `at ${width} px`);
      }
      assert.deepEqual(await page.evaluate(() => window.harness.violations), []);
      assert.deepEqual(opened.errors, []);
      assert.deepEqual(opened.foreign, []);
      await opened.close();
    });
  }
});

/** Elements that stick out of the card that they are in: they would be cut off or lie over the border. */
function clippedOut(page: Awaited<ReturnType<PageBrowser['open']>>['page']): Promise<string[]> {
  return page.evaluate(() => {
    const out: string[] = [];
    for (const card of document.querySelectorAll('.card, .boundary')) {
      const right = card.getBoundingClientRect().right + 0.5;
      for (const element of card.querySelectorAll('*')) {
        const box = element.getBoundingClientRect();
        if (box.width === 0 || element.closest('.visually-hidden, .list, .bar, .outside') !== null) continue;
        if (box.right > right) out.push(`${element.tagName} ${element.getAttribute('class') ?? ''} ${element.textContent.slice(0, 30)}`);
      }
    }
    return out;
  });
}
