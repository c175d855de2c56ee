// The list of messages: as many elements for a long session as for a short one, and everything by keyboard.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PageBrowser, type OpenedPage } from './harness/browser';

describe('the list of messages', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  describe('of 100,000 rows', () => {
    let opened: OpenedPage;
    let page: Page;
    before(async () => {
      opened = await browser.open({ scenario: 'long', count: 100_000 });
      ({ page } = opened);
    });
    after(() => opened.close());

    it('begins at the newest and holds fewer than 200 row elements wherever it is scrolled to', async () => {
      await page.locator('[data-testid="row"][data-index="99999"]').waitFor();
      for (const share of [0, 0.5, 0.123, 0.999, 1]) {
        const index = await page.evaluate((part) => {
          const list = document.querySelector('[role="listbox"]');
          if (list === null) throw new Error('no list');
          list.scrollTop = Math.round((list.scrollHeight - list.clientHeight) * part);
          return Math.floor(list.scrollTop / 24) + 3;
        }, share);
        await page.locator(`[data-testid="row"][data-index="${index}"]`).waitFor();
        const rows = await page.locator('.row').count();
        assert.ok(rows > 20 && rows < 200, `${rows} rows at ${index}`);
      }
    });

    it('asks for pages of 100 rows, and not for those that are flung past', async () => {
      const asked = await page.evaluate(() => window.harness.asked.filter((one) => one.name === 'rows/read').map((one) => one.params));
      for (const params of asked) assert.match(JSON.stringify(params), /^{"from":\d+00,"to":\d+00}$|^{"from":0,"to":100}$/);
      const before = asked.length;
      await page.evaluate(async () => {
        const list = document.querySelector('[role="listbox"]');
        if (list === null) throw new Error('no list');
        for (let step = 0; step < 60; step++) {
          list.scrollTop = step * 30_000;
          await new Promise((next) => requestAnimationFrame(next));
        }
      });
      await page.locator('[data-testid="row"][data-index="73755"]').waitFor();
      const after = await page.evaluate(() => window.harness.asked.filter((one) => one.name === 'rows/read').length);
      assert.ok(after - before < 60, `${after - before} requests for 60 jumps`);
    });

    it('finds a row by its id alone', async () => {
      await page.evaluate(() => window.harness.emit('row/reveal', { messageId: 'm-99321' }));
      await page.locator('[data-testid="row"][data-index="99321"]:focus').waitFor();
      await page.evaluate(() => window.harness.emit('row/reveal', { messageId: 'm-12', index: 12 }));
      await page.locator('[data-testid="row"][data-index="12"]:focus').waitFor();
    });

    it('tells a screen reader position and size', async () => {
      const row = page.locator('[data-testid="row"][data-index="12"]');
      assert.equal(await row.getAttribute('aria-posinset'), '13');
      assert.equal(await row.getAttribute('aria-setsize'), '100000');
    });
  });

  it('is one tab stop and moves by arrows, pages, Home and End', async () => {
    const opened = await browser.open();
    const { page } = opened;
    const list = page.getByRole('listbox');
    assert.equal(await list.locator('[tabindex="0"]').count(), 1);
    await page.locator('[data-index="80"]').click();
    const focused = async (): Promise<string | undefined> =>
      page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.dataset['index'] : undefined));
    assert.equal(await focused(), '80');
    const steps = [
      ['ArrowDown', '81'],
      ['ArrowUp', '80'],
      ['ArrowUp', '79'],
      ['Home', '0'],
      ['ArrowUp', '0'],
      ['End', '93'],
      ['ArrowDown', '93'],
    ] as const;
    for (const [key, index] of steps) {
      await page.keyboard.press(key);
      await page.locator(`[data-index="${index}"]:focus`).waitFor();
      assert.equal(await list.locator('[tabindex="0"]').count(), 1);
    }
    await page.keyboard.press('PageUp');
    const up = Number(await focused());
    assert.ok(up < 93 && up > 50, `PageUp leads to ${up}`);
    await page.keyboard.press('PageDown');
    assert.equal(await focused(), '93');
    await page.keyboard.press('Shift+Tab');
    assert.notEqual(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'option');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), '93');
    assert.deepEqual(opened.errors, []);
    await opened.close();
  });

  it('tells the host of the selection, once it rests', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await page.locator('[data-index="80"]').click();
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => window.harness.asked.some((one) => JSON.stringify(one).includes('"messageId":"m-085"')));
    const told = await page.evaluate(() => window.harness.asked.filter((one) => one.name === 'selection/changed'));
    assert.ok(told.length <= 4, `${told.length} messages`);
    await opened.close();
  });

  it('reveals by Enter and double click, and copies by Ctrl+C', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await page.locator('[data-index="80"]').click();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+c');
    await page.locator('[data-index="82"]').dblclick();
    await page.waitForFunction(() => window.harness.asked.filter((one) => one.name === 'transcript/reveal').length === 2);
    const asked = await page.evaluate(() => window.harness.asked.filter((one) => /reveal|copy/.test(one.name)));
    assert.deepEqual(asked, [
      { name: 'transcript/reveal', params: { handle: 'session-1', messageId: 'm-080' } },
      { name: 'message/copy', params: { handle: 'session-1', messageId: 'm-080' } },
      { name: 'transcript/reveal', params: { handle: 'session-1', messageId: 'm-082' } },
    ]);
    await opened.close();
  });

  it('opens VS Code’s menu by its button, the menu key and the right mouse button, with the row’s ids', async () => {
    const opened = await browser.open();
    const { page } = opened;
    const context = {
      webviewSection: 'message',
      messageId: 'm-080',
      handle: 'session-1',
      canCompact: true,
      canClear: true,
      preventDefaultContextMenuItems: true,
    };
    const menus = async (): Promise<unknown[]> =>
      (await page.evaluate(() => window.harness.menus)).map((text): unknown => JSON.parse(text));
    const row = page.locator('[data-index="80"]');
    await row.click();
    await row.locator('[data-action="menu"]').click();
    await page.keyboard.press('Shift+F10');
    await page.locator('[data-index="81"]').click({ button: 'right' });
    assert.deepEqual(await menus(), [context, context, { ...context, messageId: 'm-081', canClear: false }]);
    assert.equal(await page.locator('[data-index="81"]').getAttribute('aria-selected'), 'true');
    await opened.close();
  });

  it('marks what is out of the context, preserved, a boundary', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await page.evaluate(() => window.harness.emit('row/reveal', { messageId: 'm-064', index: 64 }));
    const attributes = (index: number): Promise<string[]> =>
      page
        .locator(`[data-testid="row"][data-index="${index}"]`)
        .evaluate((row) => [row.getAttribute('data-active') ?? '', row.getAttribute('data-preserved') ?? '', row.textContent]);
    const [outActive, , outLabel] = await attributes(60);
    assert.equal(outActive, 'false');
    assert.match(outLabel ?? '', /not in context/);
    const [, kept, keptLabel] = await attributes(66);
    assert.equal(kept, 'true');
    assert.match(keptLabel ?? '', /in context, preserved/);
    const [, , boundaryLabel] = await attributes(71);
    assert.match(boundaryLabel ?? '', /Compaction manual · 141\.2K → \? · 6 preserved/);
    await opened.close();
  });

  it('leads from a boundary’s row to its card and back', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await page.locator('[data-index="71"] [data-action="inspect"]').click();
    await page.locator('[data-testid="boundary"] > summary:focus', { hasText: 'Boundary at #71' }).waitFor();
    await page.locator('[data-testid="boundary"] > summary', { hasText: 'Boundary at #36' }).click();
    await page.locator('[data-testid="boundary"]', { hasText: 'Boundary at #36' }).getByText('Show in List').click();
    await page.locator('[data-index="36"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[data-testid="boundary"] > summary:focus', { hasText: 'Boundary at #36' }).waitFor();
    await opened.close();
  });

  it('comes back to selection and place when the page was thrown away', async () => {
    const first = await browser.open({ scenario: 'long', count: 5000 });
    await first.page.evaluate(() => window.harness.emit('row/reveal', { messageId: 'm-1234', index: 1234 }));
    await first.page.locator('[data-index="1234"]:focus').waitFor();
    await first.page.waitForFunction(() => JSON.stringify(window.harness.state ?? null).includes('m-1234'));
    const state: unknown = await first.page.evaluate(() => window.harness.state);
    await first.close();
    const second = await browser.open({ scenario: 'long', count: 5000, state });
    await second.page.locator('[data-index="1234"][aria-selected="true"]').waitFor();
    assert.ok(await second.page.locator('[data-index="1234"]').isVisible());
    await second.close();
  });

  it('follows its end while it is there, and stays where it was scrolled to', async () => {
    const opened = await browser.open();
    const { page } = opened;
    await page.evaluate(() => window.harness.append({ preview: 'One more' }));
    await page.locator('[data-index="94"]', { hasText: 'One more' }).waitFor();
    const isAtEnd = (): Promise<boolean> =>
      page.getByRole('listbox').evaluate((list) => list.scrollTop + list.clientHeight >= list.scrollHeight - 2);
    assert.ok(await isAtEnd());
    await page.getByRole('listbox').evaluate((list) => (list.scrollTop = 240));
    await page.locator('[data-testid="row"][data-index="12"]').waitFor();
    await page.evaluate(() => window.harness.append({ preview: 'And another' }));
    await page.locator('[data-testid="inspector"][data-revision="3"]').waitFor();
    assert.equal(await page.getByRole('listbox').evaluate((list) => list.scrollTop), 240);
    await opened.close();
  });
});
