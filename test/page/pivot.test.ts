// The cut of a preview that moves: by keys, by hand, by numbers; in the preview, in the list and in the chart.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { HarnessOptions } from './harness/fakeHost';
import { PageBrowser, type OpenedPage } from './harness/browser';
import { clean } from './harness/reading';

describe('the cut of the preview', function () {
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
  const at = async (page: Page, position: number): Promise<void> => {
    await page.locator(`[data-testid="preview"][data-settled="true"][data-position="${position}"]`).waitFor();
  };
  const previews = (page: Page): Promise<unknown[]> =>
    page.evaluate(() => window.harness.asked.filter((one) => one.name === 'compaction/preview').map((one) => one.params));

  it('moves by keys to the next possible places, by turns and to the ends, and says where it is', async () => {
    const opened = await open();
    const { page } = opened;
    const slider = page.getByTestId('pivot');
    // Row 86 is the twenty-first message of the context, 65 … 70 and 72 … 93.
    await at(page, 20);
    await slider.focus();
    assert.equal(
      await slider.getAttribute('aria-valuetext'),
      'Cut before message #86 · the newest turn stays whole · 84.2K tokens after it',
    );
    await page.keyboard.press('ArrowRight');
    await at(page, 21);
    await page.keyboard.press('ArrowLeft');
    await at(page, 20);
    // A result stays with its call, so 19 is no place.
    await page.keyboard.press('ArrowLeft');
    await at(page, 18);
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^Cut before message #84 /);
    assert.equal(await slider.getAttribute('aria-valuenow'), '18');
    await page.keyboard.press('PageDown');
    await at(page, 7);
    await page.keyboard.press('PageUp');
    await at(page, 21);
    await page.keyboard.press('Home');
    await at(page, 3);
    await page.keyboard.press('End');
    await at(page, 28);
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^Cut after the newest message /);
    assert.equal(await slider.evaluate((element) => element === document.activeElement), true);
    assert.deepEqual(opened.errors, []);
    assert.deepEqual(await page.evaluate(() => window.harness.refused), []);
    await opened.close();
  });

  it('follows a held key without losing a step, however slow the host is', async () => {
    const opened = await open({ planMs: { figures: 60, all: 600 } });
    const { page } = opened;
    await page.getByTestId('pivot').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await at(page, 22);
    await opened.close();
  });

  it('follows the hand with its figures, never shows an empty preview, and ends where the hand was let go', async () => {
    const opened = await open({ planMs: { figures: 120, all: 500 } });
    const { page } = opened;
    const begun = await page.evaluate(() => {
      window.harness.asked.length = 0;
      const seen: string[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => seen.push(document.querySelector('.delta')?.textContent ?? 'nothing')).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      });
      return performance.now();
    });
    await page.getByTestId('pivot').scrollIntoViewIfNeeded();
    const box = await page.locator('.pivot-width').boundingBox();
    assert.ok(box !== null);
    const x = (position: number): number => box.x + (box.width * position) / 28;
    const y = box.y + box.height / 2;
    await page.mouse.move(x(20), y);
    await page.mouse.down();
    for (let position = 20; position >= 10; position--) {
      await page.mouse.move(x(position), y);
      await page.evaluate(() => new Promise((done) => setTimeout(done, 40)));
    }
    await page.mouse.up();
    await at(page, 10);
    const seen = await page.evaluate(() =>
      Object.hasOwn(window, 'seen') ? (Object.getOwnPropertyDescriptor(window, 'seen')?.value as string[]) : [],
    );
    assert.ok(new Set(seen).size >= 3, `the figures moved with the hand: ${[...new Set(seen)].join(' | ')}`);
    assert.ok(!seen.includes('nothing'));
    const asked = await previews(page);
    const whole = asked.filter((params) => !JSON.stringify(params).includes('figuresOnly'));
    // Each figure takes 120 ms, and the next is only asked for after it.
    const ms = await page.evaluate((from) => performance.now() - from, begun);
    assert.ok(asked.length - whole.length <= ms / 120 + 1, `${asked.length} requests, ${whole.length} of them whole, in ${ms} ms`);
    assert.deepEqual(asked.at(-1), { kind: 'partialUpTo', position: 10, summarizer: 'offline', detail: 'normal' });
    await opened.close();
  });

  it('keeps so many turns, or so many tokens', async () => {
    const opened = await open();
    const { page } = opened;
    await page.getByTestId('keep-turns').fill('2');
    await at(page, 7);
    assert.match(clean(await page.getByTestId('pivot-words').innerText()), /^Cut before message #73 · the newest 2 turns stay whole$/);
    await page.getByTestId('keep-tokens').fill('3700');
    await at(page, 25);
    assert.equal(await page.getByTestId('keep-turns').inputValue(), '0');
    await page.getByTestId('keep-tokens').fill('');
    assert.equal(await page.getByTestId('keep-tokens').getAttribute('aria-invalid'), 'true');
    await page.keyboard.press('Tab');
    assert.equal(await page.getByTestId('keep-tokens').getAttribute('aria-invalid'), 'false');
    await opened.close();
  });

  it('turns round at the same place', async () => {
    const opened = await open();
    const { page } = opened;
    const direction = page.getByTestId('direction');
    await direction.getByText('After the cut').click();
    await page.locator('#preview-title', { hasText: /compact from #86/i }).waitFor();
    await at(page, 20);
    assert.equal(await page.getByTestId('keep-turns').count(), 0);
    await direction.getByText('Whole').click();
    await page.locator('#preview-title', { hasText: /full compaction/i }).waitFor();
    await at(page, 20);
    assert.equal(await page.getByTestId('keep-messages').inputValue(), '8');
    await page.keyboard.press('ArrowLeft');
    await page.locator('#preview-title', { hasText: /compact from #86/i }).waitFor();
    await opened.close();
  });

  it('says in its place why there is no plan, and can be moved back', async () => {
    const opened = await open();
    const { page } = opened;
    await page.getByTestId('pivot').scrollIntoViewIfNeeded();
    const box = await page.locator('.pivot-width').boundingBox();
    assert.ok(box !== null);
    await page.mouse.click(box.x, box.y + 4);
    await page.getByTestId('refusal').waitFor();
    const slider = page.getByTestId('pivot');
    assert.equal(await slider.evaluate((element) => element === document.activeElement), true);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await at(page, 28);
    await opened.close();
  });

  it('lies between two rows of the list, where it is dragged and moved by Alt and arrow keys', async () => {
    const opened = await open();
    const { page } = opened;
    const line = page.getByTestId('pivot-line');
    assert.equal(await line.getAttribute('data-at'), '86');
    await line.scrollIntoViewIfNeeded();
    const box = await line.boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x + 200, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 5 - 40);
    await page.mouse.move(box.x + 200, box.y + 5 - 5 * 24);
    await page.mouse.up();
    await at(page, 15);
    assert.equal(await line.getAttribute('data-at'), '81');
    await page.locator('[data-index="80"]').click();
    await page.keyboard.press('Alt+ArrowDown');
    await at(page, 16);
    await page.locator('[data-testid="pivot-spoken"]', { hasText: 'Cut before message #82 · the newest turn stays whole' }).waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await at(page, 15);
    assert.equal(await page.locator('[data-index="80"]').evaluate((row) => row === document.activeElement), true);
    assert.equal(await page.getByRole('listbox').locator('[tabindex="0"]').count(), 1);
    await opened.close();
  });

  it('stands in the chart, and goes with the preview', async () => {
    const opened = await open();
    const { page } = opened;
    const path = page.getByTestId('timeline-pivot');
    const before = await path.getAttribute('d');
    await page.getByTestId('pivot').focus();
    await page.keyboard.press('Home');
    await at(page, 3);
    assert.notEqual(await path.getAttribute('d'), before);
    await page.getByTestId('cancel').click();
    assert.equal(await path.count(), 0);
    assert.equal(await page.getByTestId('pivot-line').count(), 0);
    await opened.close();
  });
});
