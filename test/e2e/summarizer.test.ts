// A summary by a model: nothing is sent before the person agrees, the key is only where secrets are kept, and the summary is the model's.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { faithfulSummary } from '../support/faithfulSummary';
import { sha256 } from '../support/folders';
import { inspect } from './support/cli';
import { Inspector } from './support/inspector';
import { SAMPLE, SAMPLE_ID, SAMPLE_TITLE } from './support/sample';
import { startStub, type StubServer } from './support/stubServer';
import { until } from './support/wait';
import { pictureOfFailures } from './support/pictures';
import { Workbench } from './support/workbench';
import { addClaudeSession } from './support/workspace';

const KEY = 'sk-stub-4b0f6a1c9d';
const SENTENCE = 'Documents are counted by pages, says the stand-in.';

describe('a summary by a model', function () {
  this.timeout(300_000);
  let stub: StubServer;
  let workbench: Workbench;
  let inspector: Inspector;
  let path = '';
  let original = '';

  before(async () => {
    stub = await startStub(faithfulSummary(SAMPLE, SENTENCE));
    const settings = {
      'contextInspector.summarizer.provider': 'openai',
      'contextInspector.openai.baseUrl': stub.baseUrl,
      'contextInspector.openai.model': 'stub-model',
    };
    workbench = await Workbench.open(
      (workspace) => {
        path = addClaudeSession(workspace, SAMPLE, `${SAMPLE_ID}.jsonl`);
      },
      { machineSettings: settings },
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

  it('takes a key with a command and shows it nowhere', async () => {
    await workbench.runCommand('Context: Set API Key…');
    const input = workbench.quickInput();
    await until('the field for the key', async () => (await input.getAttribute('type')) === 'password');
    await input.fill(KEY);
    await workbench.page.keyboard.press('Enter');
    await input.waitFor({ state: 'hidden' });
  });

  it('previews without a request', async () => {
    await inspector.byId('compact').click();
    await inspector.outcome('plan');
    const { before, after } = await inspector.previewSizes();
    assert.ok(after < before);
    await until('the name of the server', async () => (await inspector.preview.innerText()).includes(stub.host));
    assert.equal(stub.requests.length, 0);
  });

  it('asks before anything is sent, and takes no for an answer', async () => {
    await inspector.byId('create-copy').click();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    assert.ok((await dialog.innerText()).includes(stub.host));
    await workbench.shot('consent');
    assert.equal(stub.requests.length, 0);
    await workbench.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await inspector.outcome('refused', 'cancelled');
    assert.equal(stub.requests.length, 0);
    assert.deepEqual(copies(), []);
  });

  it('sends one request after a yes, and writes the summary of the model', async () => {
    await inspector.byId('create-copy').click();
    await workbench.button('Send').click();
    await inspector.outcome('written');
    assert.equal(stub.requests.length, 1);
    const [request] = stub.requests;
    assert.equal(request?.headers.authorization, `Bearer ${KEY}`);
    assert.ok(request.path.endsWith('/chat/completions'));
    assert.ok(request.body.includes('stub-model'));
    const [copy] = copies();
    assert.ok(copy);
    assert.ok(readFileSync(copy, 'utf8').includes(SENTENCE));
    const boundary = inspect(copy).boundaries.at(-1);
    assert.equal(boundary?.valid, true);
    assert.equal(sha256(path), original);
  });

  it('keeps the key out of files, requests and pages', async () => {
    const holders = [workbench.server.profile, workbench.workspace.root].flatMap(filesWithKey);
    assert.deepEqual(holders, []);
    assert.ok(!stub.requests.some((request) => request.body.includes(KEY)));
    for (const frame of workbench.page.frames()) {
      const text = await frame.evaluate(() => document.documentElement.outerHTML).catch(() => '');
      assert.ok(!text.includes(KEY));
    }
    assert.deepEqual(workbench.foreign, []);
  });

  function copies(): readonly string[] {
    return readdirSync(dirname(path))
      .filter((name) => name.endsWith('.jsonl') && name !== `${SAMPLE_ID}.jsonl`)
      .map((name) => join(dirname(path), name));
  }
});

function filesWithKey(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true && readFileSync(file).includes(KEY));
}
