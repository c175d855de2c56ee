// What can be done with a copy: right after it was made, and later, from the history.
import assert from 'node:assert/strict';
import type { HistoryEntryView } from '../../src/core/protocol/planView';
import { PageBrowser } from './harness/browser';
import { clean, texts } from './harness/reading';

const ENTRY: HistoryEntryView = {
  id: 'b2e41c07',
  createdAt: '2026-11-29T14:05:00.000Z',
  kind: 'partialUpTo',
  sourceName: 'original.jsonl',
  fileName: 'b2e41c07-compacted.jsonl',
  tokensBefore: 152_304,
  tokensAfter: 58_900,
  summarizer: 'openai',
  model: 'gpt-5-mini',
  usd: 0.048,
  copy: 'present',
  source: 'present',
  role: 'original',
  resume: 'claude --resume b2e41c07',
};

describe('the history of compactions', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  it('says how it is filled while it is empty', async () => {
    const opened = await browser.open();
    await opened.page.getByTestId('history').locator('summary').click();
    await opened.page.getByText('The copies that you create are listed here.').waitFor();
    await opened.close();
  });

  it('offers what the state of the files allows', async () => {
    const history: readonly HistoryEntryView[] = [
      ENTRY,
      { ...ENTRY, id: 'changed', copy: 'changed', source: 'changed', role: 'copy', resume: null },
      { ...ENTRY, id: 'missing', copy: 'missing', kind: 'micro', summarizer: 'offline', model: null, usd: null },
      { ...ENTRY, id: 'gone', copy: 'missing', source: 'missing' },
    ];
    const opened = await browser.open({ history });
    const { page } = opened;
    await page.getByTestId('history').locator('summary').click();
    const entry = (id: string): ReturnType<typeof page.locator> => page.locator(`[data-testid="history-entry"][data-id="${id}"]`);
    const offered = (id: string): Promise<string[]> => texts(entry(id).getByRole('button'));
    assert.deepEqual(await offered('b2e41c07'), [
      'Open Copy',
      'Compare',
      'Undo…',
      'Compact Again…',
      'Copy Resume Command',
      'Resume in Terminal',
    ]);
    assert.match(clean(await entry('b2e41c07').innerText()), /152\.3K → 58\.9K · gpt-5-mini · \$0\.05/);
    assert.deepEqual(await offered('changed'), ['Compare', 'Undo…', 'Compact Again…']);
    assert.match(clean(await entry('changed').innerText()), /The copy has been changed since: an agent went on in it\./);
    assert.deepEqual(await offered('missing'), ['Compact Again…']);
    assert.deepEqual(await offered('gone'), []);
    assert.match(clean(await entry('gone').innerText()), /Neither file is there any more\./);
    await entry('b2e41c07').getByText('Compare').focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-id="changed"] [data-action="undo"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[data-testid="history-said"]', { hasText: 'The copy was removed.' }).waitFor();
    await entry('missing').getByText('Compact Again…').click();
    const asked = await page.evaluate(() => window.harness.asked.filter((one) => /^history\//.test(one.name)));
    assert.deepEqual(asked.slice(1), [
      { name: 'history/undo', params: { handle: 'session-1', id: 'changed' } },
      { name: 'history/list', params: { handle: 'session-1' } },
      { name: 'history/again', params: { handle: 'session-1', id: 'missing' } },
    ]);
    assert.deepEqual(opened.errors, []);
    await opened.close();
  });

  it('takes a new copy back, and asks for the list again after each', async () => {
    const opened = await browser.open({ undo: { outcome: 'kept', message: 'The copy was kept: an agent has gone on in it.' } });
    const { page } = opened;
    await page.evaluate(() => window.harness.emit('preview/show', { request: { kind: 'partialUpTo', pivotId: 'm-086' } }));
    await page.getByTestId('create-copy').click();
    await page.getByTestId('result').waitFor();
    await page.getByTestId('compare-copy').click();
    await page.getByTestId('run-copy').click();
    await page.getByTestId('undo-copy').click();
    await page.locator('[data-testid="result-said"]', { hasText: 'The copy was kept: an agent has gone on in it.' }).waitFor();
    const asked = await page.evaluate(() => window.harness.asked.map(({ name }) => name).filter((name) => /^(history|copy)\//.test(name)));
    assert.deepEqual(asked, ['history/list', 'history/list', 'history/compare', 'copy/run', 'history/undo', 'history/list']);
    await opened.close();
  });
});
