// A summary by a language model of the editor: VS Code asks for leave, the model is asked once, and its checked summary stands in the copy.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { faithfulSummary } from '../support/faithfulSummary';
import { sha256 } from '../support/folders';
import { inspect } from './support/cli';
import { Inspector } from './support/inspector';
import { SAMPLE, SAMPLE_ID, SAMPLE_TITLE } from './support/sample';
import { packStandInModel, STAND_IN_MODEL, STAND_IN_NAME } from './support/standInModel';
import { until } from './support/wait';
import { pictureOfFailures } from './support/pictures';
import { Workbench } from './support/workbench';
import { addClaudeSession } from './support/workspace';

const SENTENCE = 'Documents are counted by pages, says the stand-in.';

describe('a summary by a language model of the editor', function () {
  this.timeout(300_000);
  let workbench: Workbench;
  let inspector: Inspector;
  let path = '';
  let original = '';
  let asked = '';

  before(async () => {
    const answers: Record<string, string> = {};
    workbench = await Workbench.open(
      (workspace) => {
        path = addClaudeSession(workspace, SAMPLE, `${SAMPLE_ID}.jsonl`);
        answers.STAND_IN_ANSWER = join(workspace.root, 'answer.txt');
        answers.STAND_IN_ASKED = asked = join(workspace.root, 'asked.jsonl');
        const summary = faithfulSummary(SAMPLE, SENTENCE);
        writeFileSync(answers.STAND_IN_ANSWER, JSON.stringify({ schema: 'compact-summary/v2', summary }));
      },
      {
        settings: {
          'chat.disableAIFeatures': false,
          'contextInspector.vscodeLm.model': STAND_IN_MODEL,
        },
        machineSettings: { 'contextInspector.summarizer.provider': 'vscode' },
        packages: async ({ root }) => [await packStandInModel(root)],
        env: answers,
      },
    );
    original = sha256(path);
    await workbench.statusItem(/\d\s*%/).click();
    inspector = await Inspector.find(workbench, 'panel', SAMPLE_TITLE);
  });
  pictureOfFailures(() => workbench);
  after(() => workbench.close());

  it('previews without asking the model', async () => {
    await inspector.byId('compact').click();
    await inspector.outcome('plan');
    await until('the name of the model', async () => (await inspector.preview.innerText()).includes(STAND_IN_MODEL));
    assert.equal(existsSync(asked), false);
  });

  it('asks for leave, asks the model once, and writes the copy with the summary of the model', async () => {
    await inspector.byId('create-copy').click();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    assert.ok((await dialog.innerText()).includes(STAND_IN_NAME));
    assert.equal(existsSync(asked), false);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await inspector.outcome('written');
    const questions = readFileSync(asked, 'utf8').trimEnd().split('\n');
    assert.equal(questions.length, 1);
    const copy = readdirSync(dirname(path)).find((name) => name.endsWith('.jsonl') && name !== `${SAMPLE_ID}.jsonl`);
    assert.ok(copy);
    const written = join(dirname(path), copy);
    assert.ok(readFileSync(written, 'utf8').includes(SENTENCE));
    assert.equal(inspect(written).boundaries.at(-1)?.valid, true);
    assert.equal(sha256(path), original);
  });
});
