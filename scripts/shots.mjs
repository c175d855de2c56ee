// npm run shots: pictures of the page in its main states, themes and widths, in dist/shots/page. Tells how many differ from those of the
// run before. `--only TEXT` draws the pictures whose name holds that text.
import { build } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = 'dist/shots/page';
const THEMES = ['dark', 'light', 'hc', 'hc-light'];
const WIDTHS = [1280, 820, 500];

/** Opens the preview at the row that shows a patch; the page asks its host for a plan. */
const preview = async (page, kind = 'partialUpTo') => {
  await page.evaluate((of) => {
    const pivot = [...Array(window.harness.view.rows.count).keys()]
      .map((index) => window.harness.row(index))
      .find((row) => row.preview.startsWith('Patch applied'));
    window.harness.emit('preview/show', { request: { kind: of, pivotId: pivot.id } });
  }, kind);
  await page.getByTestId('preview').and(page.locator('[data-outcome="plan"][data-settled="true"]')).waitFor();
};

/** Opens the pane that lists the tool results. */
const micro = async (page) => {
  await page.getByTestId('tool-results').locator('summary').first().click();
  await page.getByTestId('tick').first().waitFor();
};

/** Compactions in every state that the history knows. */
const HISTORY = [
  ['b2e41c07', 'partialUpTo', 'offline', 'present', 'present'],
  ['9d1f0c2a', 'full', 'openai', 'changed', 'changed'],
  ['51c7aa90', 'micro', 'offline', 'missing', 'present'],
  ['07e2b3f4', 'partialFrom', 'vscode', 'missing', 'missing'],
].map(([id, kind, summarizer, copy, source], at) => ({
  id,
  createdAt: `2026-11-${29 - at}T14:05:00.000Z`,
  kind,
  sourceName: '7f3a9c1e-2b4d-4c55-9a01-5d2f3c9e8b77.jsonl',
  fileName: `${id}-compacted.jsonl`,
  tokensBefore: 152_304,
  tokensAfter: 58_900 + at * 1_000,
  summarizer,
  model: summarizer === 'offline' ? null : 'gpt-5-mini',
  usd: summarizer === 'offline' ? null : 0.048,
  copy,
  source,
  role: 'original',
  resume: `claude --resume ${id}`,
}));

/** name, options of the harness, what to do before the picture; `once` states are drawn in one theme and width only. */
const STATES = [
  { name: 'usual', options: {} },
  { name: 'preview', options: {}, act: (page) => preview(page) },
  {
    name: 'lost',
    options: { ofSummary: true },
    widths: [1280, 500],
    act: async (page) => {
      await preview(page);
      await page.getByTestId('lost').locator('summary').click();
      for (const index of [0, 2, 3]) await page.getByTestId('lost').getByRole('checkbox').nth(index).check();
    },
  },
  { name: 'micro', options: {}, widths: [1280, 500], act: micro },
  {
    name: 'history',
    options: { history: HISTORY },
    widths: [1280, 500],
    act: (page) => page.getByTestId('history').locator('summary').first().click(),
  },
  {
    name: 'boundary',
    options: {},
    widths: [1280, 500],
    act: async (page) => {
      await page.evaluate(() => window.harness.emit('row/reveal', { messageId: window.harness.row(36).id, index: 36 }));
      await page.evaluate(() => window.harness.emit('row/reveal', { messageId: window.harness.row(33).id, index: 33 }));
      await page.getByTestId('boundary').first().getByText('Summary text').click();
      await page.locator('[data-index="33"]').focus();
    },
  },
  { name: 'fresh', options: { scenario: 'fresh' }, once: true },
  { name: 'unknown', options: { scenario: 'unknown' }, widths: [1280, 500] },
  { name: 'blocked', options: { scenario: 'blocked' }, widths: [1280, 500] },
  { name: 'empty', options: { scenario: 'empty' }, once: true, bare: true },
  { name: 'problem', options: { scenario: 'problem' }, once: true, bare: true },
  { name: 'none', options: { scenario: 'none', surface: 'sidebar' }, once: true, bare: true, only: 300 },
  { name: 'failed', options: { scenario: 'broken' }, once: true, bare: true },
  {
    name: 'loading',
    options: { scenario: 'slow' },
    once: true,
    bare: true,
    act: (page) => page.getByText('Reading the session').waitFor(),
  },
  { name: 'sidebar', options: { surface: 'sidebar' }, once: true, bare: true, only: 300 },
  { name: 'narrow', options: {}, once: true, only: 300 },
  {
    name: 'openai',
    options: { settings: { summarizer: 'openai' } },
    widths: [1280],
    act: (page) => preview(page, 'partialFrom'),
  },
  {
    name: 'full',
    options: {},
    once: true,
    act: async (page) => {
      await page.getByTestId('compact').click();
      await page.locator('[data-testid="preview"][data-outcome="plan"]').waitFor();
    },
  },
  {
    name: 'refusal',
    options: {},
    once: true,
    act: async (page) => {
      await page.evaluate(() => window.harness.emit('preview/show', { request: { kind: 'partialUpTo', pivotId: 'gone' } }));
      await page.locator('[data-testid="preview"][data-outcome="refusal"]').waitFor();
    },
  },
  {
    name: 'running',
    options: { holdRun: true },
    widths: [1280],
    act: async (page) => {
      await preview(page);
      await page.getByTestId('create-copy').click();
      await page.getByTestId('received').waitFor();
    },
  },
  {
    name: 'written',
    options: {},
    widths: [1280, 500],
    act: async (page) => {
      await preview(page);
      await page.getByTestId('create-copy').click();
      await page.getByTestId('result').waitFor();
    },
  },
  {
    name: 'noCost',
    options: { cost: null, runOutcome: 'notSupported' },
    once: true,
    act: async (page) => {
      await preview(page);
      await page.getByTestId('create-copy').click();
      await page.getByTestId('notice').waitFor();
    },
  },
  {
    name: 'hostile',
    options: { scenario: 'hostile', text: '<img src=x onerror=alert(1)> \u202Etxt.exe\u202C <style> [a](javascript:alert(1))' },
    once: true,
  },
];

const { values } = parseArgs({ options: { only: { type: 'string' } } });
process.chdir(ROOT);
mkdirSync(FOLDER, { recursive: true });
const { PageBrowser } = await harness();
const browser = await PageBrowser.start();
let count = 0;
let different = 0;
try {
  for (const state of STATES)
    for (const theme of state.once ? ['dark'] : THEMES) for (const width of widthsOf(state)) await shoot(state, theme, width);
} finally {
  await browser.close();
}
console.log(`${FOLDER}: ${count} pictures, ${different} differ from the run before`);

function widthsOf(state) {
  if (state.only !== undefined) return [state.only];
  return state.widths ?? (state.once ? [1280] : WIDTHS);
}

async function shoot(state, theme, width) {
  const name = `${state.name}-${theme}-${width}`;
  if (values.only !== undefined && !name.includes(values.only)) return;
  const opened = await browser.open({ ...state.options, theme, width, bare: state.bare ?? false, reduceMotion: true });
  try {
    if (state.bare) await opened.page.locator('[data-testid="inspector"]').waitFor();
    await state.act?.(opened.page);
    await opened.page.mouse.move(0, 0);
    await opened.page.evaluate(() => new Promise((done) => setTimeout(done, 150)));
    save(`${name}.png`, await opened.page.screenshot({ fullPage: true }));
  } finally {
    await opened.close();
  }
}

function save(name, bytes) {
  const path = join(FOLDER, name);
  if (existsSync(path) && !readFileSync(path).equals(bytes)) different++;
  writeFileSync(path, bytes);
  count++;
}

/** The harness is TypeScript, like the tests that use it. */
async function harness() {
  const outfile = join(ROOT, 'out/page/browser.mjs');
  await build({
    entryPoints: ['test/page/harness/browser.ts'],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}
