// What a person does with a compaction from its preview to its undoing, with each summarizer: the cut moved by keyboard, a message pinned,
// something lost put back, the copy created and taken back.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { faithfulSummary } from '../support/faithfulSummary';
import { sha256 } from '../support/folders';
import { inspect } from './support/cli';
import { Inspector } from './support/inspector';
import { SAMPLE, SAMPLE_ID, SAMPLE_TITLE } from './support/sample';
import { packStandInModel, STAND_IN_MODEL } from './support/standInModel';
import { startStub, type StubServer } from './support/stubServer';
import { until } from './support/wait';
import { pictureOfFailures } from './support/pictures';
import { Workbench } from './support/workbench';
import { addClaudeSession } from './support/workspace';

const SENTENCE = 'Documents are counted by pages, says the stand-in.';
/** How the page calls them. */
const SUMMARIZERS = { offline: /offline/i, openai: /stub-model/, vscode: /stand-in/ } as const;
/** Newest messages that the compaction of the whole session keeps. */
const KEEP = 10;

describe('a compaction from preview to undo', function () {
  this.timeout(300_000);
  let stub: StubServer;
  let workbench: Workbench;
  let inspector: Inspector;
  let path = '';
  let original = '';
  let asked = '';
  let pinned = '';

  before(async () => {
    const summary = faithfulSummary(SAMPLE, SENTENCE, KEEP);
    stub = await startStub(summary);
    const env: Record<string, string> = {};
    workbench = await Workbench.open(
      (workspace) => {
        path = addClaudeSession(workspace, SAMPLE, `${SAMPLE_ID}.jsonl`);
        env['STAND_IN_ANSWER'] = join(workspace.root, 'answer.txt');
        env['STAND_IN_ASKED'] = asked = join(workspace.root, 'asked.jsonl');
        writeFileSync(env['STAND_IN_ANSWER'], JSON.stringify({ schema: 'compact-summary/v2', summary }));
      },
      {
        settings: { 'chat.disableAIFeatures': false, 'contextInspector.vscodeLm.model': STAND_IN_MODEL },
        machineSettings: { 'contextInspector.openai.baseUrl': stub.baseUrl, 'contextInspector.openai.model': 'stub-model' },
        packages: async ({ root }) => [await packStandInModel(root)],
        env,
      },
    );
    original = sha256(path);
    await workbench.statusItem(/\d\s*%/).click();
    inspector = await Inspector.find(workbench, 'panel', SAMPLE_TITLE);
  });
  pictureOfFailures(() => workbench);
  after(async () => {
    await workbench.close();
    await stub.stop();
  });

  it('pins a message', async () => {
    const active = (inspect(path).messages ?? []).filter((message) => message.active);
    const message = active
      .slice(Math.floor(active.length / 4))
      .find(({ role, blocks }) => role === 'user' && blocks.every((one) => one === 'text'));
    assert.ok(message);
    pinned = message.id;
    await inspector.chooseOnRow(await inspector.scrollTo(message.index), 'Pin Message (Always Preserve)');
  });

  it('moves the cut with the keyboard alone, and nothing else', async () => {
    await inspector.byId('compact').click();
    await inspector.outcome('plan');
    const pivot = inspector.byId('pivot');
    await pivot.focus();
    const at = async (): Promise<number> => Number(await pivot.getAttribute('aria-valuenow'));
    const start = await at();
    for (const key of ['ArrowLeft', 'PageDown', 'Home']) {
      const before = await at();
      await workbench.page.keyboard.press(key);
      await until(`the cut after ${key}`, async () => (await at()) < before);
    }
    const least = await at();
    await workbench.page.keyboard.press('ArrowRight');
    await until('the cut to the right', async () => (await at()) > least);
    await workbench.page.keyboard.press('End');
    await until('the cut at the end', async () => (await at()) >= start);
    await inspector.outcome('plan', 'refusal');
    assert.equal(sha256(path), original);
    assert.deepEqual(copies(), []);
  });

  it('keeps what is pinned and puts one lost thing back, offline', async () => {
    await preview();
    const lost = inspector.preview.locator('[data-testid="lost"]');
    await until('what would be lost', async () => Number(await lost.getAttribute('data-count')) > 0);
    await lost.locator('summary').click();
    const item = lost.locator('[role="row"].can-tick').first();
    const value = (await item.locator('.lost-value').innerText()).trim();
    await item.locator('input[type="checkbox"]').check();
    await workbench.shot('story-lost');
    const copy = await create('offline');
    const text = readFileSync(copy, 'utf8');
    assert.ok(text.includes(JSON.stringify(value).slice(1, -1)), value);
    const kept = inspect(copy).messages ?? [];
    const pin = (inspect(path).messages ?? []).find(({ id }) => id === pinned);
    assert.ok(
      kept.some((message) => message.active && message.preview === pin?.preview),
      'the pinned message',
    );
    await undo(copy);
  });

  for (const [choice, count] of [
    ['openai', () => stub.requests.length],
    ['vscode', () => (existsSync(asked) ? readFileSync(asked, 'utf8').trimEnd().split('\n').length : 0)],
  ] as const) {
    it(`does the same with the summary of a model: ${choice}`, async () => {
      await preview();
      assert.equal(count(), 0);
      const copy = await create(choice);
      assert.equal(count(), 1);
      assert.ok(readFileSync(copy, 'utf8').includes(SENTENCE));
      assert.equal(inspect(copy).boundaries.at(-1)?.valid, true);
      await undo(copy);
    });
  }

  it('changed nothing and asked no other machine', () => {
    assert.equal(sha256(path), original);
    assert.deepEqual(workbench.foreign, []);
    assert.deepEqual(workbench.errors, []);
    assert.deepEqual(readdirSync(dirname(path)), [`${SAMPLE_ID}.jsonl`]);
  });

  async function preview(): Promise<void> {
    await inspector.byId('compact').click();
    await inspector.outcome('plan');
  }

  /** Creates the copy that is previewed, allows to send where a model is to be asked, and answers the copy's path. */
  async function create(summarizer: 'offline' | 'openai' | 'vscode'): Promise<string> {
    const field = inspector.byId('summarizer');
    await field.click();
    await field.locator('vscode-option', { hasText: SUMMARIZERS[summarizer] }).click();
    await inspector.outcome('plan');
    await until('a plan that can be run', async () => (await inspector.byId('create-copy').getAttribute('disabled')) === null);
    await inspector.byId('create-copy').click();
    if (summarizer !== 'offline') await workbench.button('Send').click();
    await inspector.outcome('written');
    const [copy, ...more] = copies();
    assert.ok(copy !== undefined && more.length === 0);
    return copy;
  }

  async function undo(copy: string): Promise<void> {
    await inspector.byId('undo-copy').click();
    await workbench.page.locator('.monaco-dialog-box').waitFor();
    await workbench.shot('story-undo');
    await workbench.page
      .locator('.monaco-dialog-box .monaco-button', { hasText: /Undo|Remove|Delete/ })
      .first()
      .click();
    await until('the copy to go', () => Promise.resolve(!existsSync(copy)));
    assert.deepEqual(copies(), []);
  }

  function copies(): readonly string[] {
    return readdirSync(dirname(path))
      .filter((name) => name.endsWith('.jsonl') && name !== `${SAMPLE_ID}.jsonl`)
      .map((name) => join(dirname(path), name));
  }
});
