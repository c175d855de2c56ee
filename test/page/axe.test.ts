// No violation of axe's rules in the states of the page, in each theme. axe-core is found among the packages, or by $AXE_CORE.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { HistoryEntryView } from '../../src/core/protocol/planView';
import type { HarnessOptions } from './harness/fakeHost';
import { PageBrowser } from './harness/browser';
import { openAll } from './harness/reading';

const AXE = findAxe();
const describeAxe = AXE === undefined ? describe.skip : describe;

const HISTORY: readonly HistoryEntryView[] = (['present', 'changed', 'missing'] as const).map((copy, at) => ({
  id: `copy-${at}`,
  createdAt: '2026-11-29T14:05:00.000Z',
  kind: at === 2 ? 'micro' : 'partialUpTo',
  sourceName: 'original.jsonl',
  fileName: `copy-${at}.jsonl`,
  tokensBefore: 152_304,
  tokensAfter: 58_900,
  summarizer: at === 1 ? 'openai' : 'offline',
  model: at === 1 ? 'gpt-5-mini' : null,
  usd: at === 1 ? 0.048 : null,
  copy,
  source: copy,
  role: at === 1 ? 'copy' : 'original',
  resume: at === 0 ? 'claude --resume copy-0' : null,
}));

describeAxe(`axe finds nothing${AXE === undefined ? ' (skipped: the package axe-core is not installed)' : ''}`, function () {
  this.timeout(240_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  const usual: HarnessOptions = { history: HISTORY, ofSummary: true, settings: { summarizer: 'openai' }, pinned: ['m-075'] };
  const preview = async (page: Page): Promise<void> => {
    await page.evaluate(() => window.harness.emit('preview/show', { request: { kind: 'partialUpTo', pivotId: 'm-086' } }));
    await page.locator('[data-testid="preview"][data-settled="true"][data-position]').waitFor();
  };

  for (const theme of ['dark', 'light', 'hc', 'hc-light'] as const) {
    it(`in a preview with everything open, in ${theme}`, async () => {
      const opened = await browser.open({ ...usual, theme });
      const { page } = opened;
      await preview(page);
      await openAll(page);
      await page.getByTestId('tick').first().waitFor();
      assert.deepEqual(await violations(page), []);
      await opened.close();
    });
  }

  it('in a narrow page with a refusal, and with a result', async () => {
    const opened = await browser.open({ ...usual, width: 300, runOutcome: 'offerOffline' });
    const { page } = opened;
    await preview(page);
    await page.getByTestId('create-copy').click();
    await page.getByTestId('use-offline').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByTestId('use-offline').click();
    await page.getByTestId('result').waitFor();
    await openAll(page);
    assert.deepEqual(await violations(page), []);
    await opened.close();
  });
});

interface AxeResult {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** What axe complains of, one line for each element. */
async function violations(page: Page): Promise<string[]> {
  // The page's policy forbids added scripts; what the debugger runs is no part of the page.
  await page.evaluate(readFileSync(AXE ?? '', 'utf8'));
  const found: unknown = await page.evaluate('axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)');
  assert.ok(Array.isArray(found));
  return found
    .filter(isResult)
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary = '' }) => `${id} ${target.join(' ')}: ${failureSummary}`));
}

function isResult(value: unknown): value is AxeResult {
  return typeof value === 'object' && value !== null && 'id' in value && 'nodes' in value && Array.isArray(value.nodes);
}

function findAxe(): string | undefined {
  const given = process.env['AXE_CORE'];
  if (given !== undefined && existsSync(given)) return given;
  try {
    return createRequire(`${process.cwd()}/package.json`).resolve('axe-core/axe.min.js');
  } catch {
    return undefined;
  }
}
