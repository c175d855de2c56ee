import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { isRecord } from '../../src/core/util/json';
import { activeInput, answering, closeTabs, parts, until, workspaceFolder, writeSession } from './support';

const SESSION_ID = '7a1f0c2e-1111-4222-8333-9444455556';

export function historySuite(): void {
  describe('history of compactions', function () {
    // Panels and the comparing editor are loaded anew for each test.
    this.timeout(120_000);
    let path = '';
    let next = 10;
    let original: Buffer;
    const others = (): readonly string[] => readdirSync(dirname(path)).filter((name) => name !== basename(path));
    let before: readonly string[] = [];
    const added = (): readonly string[] => others().filter((name) => !before.includes(name));

    beforeEach(async () => {
      await closeTabs();
      // Each test has a session of its own, as the one before may still be open.
      path = writeSession(`${SESSION_ID}${next++}`, 3);
      original = readFileSync(path);
      before = others();
      const { services } = await parts();
      await services.panels.open(path);
    });
    afterEach(async () => {
      await closeTabs();
      assert.ok(readFileSync(path).equals(original), 'the original is unchanged');
      for (const name of added()) rmSync(join(dirname(path), name));
      rmSync(path);
    });

    /** Compacts the open session with the offline summary; answers the path of the copy. */
    async function compact(): Promise<string> {
      await answering(
        {
          showQuickPick: (items) => recordsIn(items).find((item) => item['choice'] === 'offline'),
          showInformationMessage: () => undefined,
        },
        () => vscode.commands.executeCommand('contextInspector.compact'),
      );
      const [copy] = added().filter((name) => name.endsWith('.jsonl'));
      assert.ok(copy, 'a copy was written');
      assert.equal(added().length, 2, 'and its note');
      return join(dirname(path), copy);
    }

    /** Runs a command and answers the questions that it asks, in order. */
    async function asked(command: string, answers: readonly (string | undefined)[]): Promise<readonly string[]> {
      const questions: string[] = [];
      const left = [...answers];
      await answering(
        {
          showWarningMessage: (question, options) => {
            assert.ok(isRecord(options) && options['modal'] === true, 'it is asked in a dialog');
            questions.push(String(question));
            return left.shift();
          },
        },
        () => vscode.commands.executeCommand(command),
      );
      return questions;
    }

    it('undo asks first, and a “no” keeps everything', async () => {
      const copy = await compact();
      const [question] = await asked('contextInspector.undoCompaction', [undefined]);
      assert.ok(question?.includes(basename(copy)));
      assert.ok(existsSync(copy));
      assert.equal(added().length, 2);
    });

    it('undo removes the copy and its note, and leaves the list of compactions empty', async () => {
      const copy = await compact();
      const questions = await asked('contextInspector.undoCompaction', ['Remove Copy']);
      assert.deepEqual(questions, [`Undo this compaction and remove its copy ${basename(copy)}?`]);
      assert.ok(!existsSync(copy));
      assert.deepEqual(added(), []);
      const { services } = await parts();
      const handle = services.pages.active?.session?.view?.handle ?? '';
      assert.deepEqual(await services.engine.request('history/list', { handle }), []);
    });

    it('undo asks in other words where an agent went on, and the first answer is not enough', async () => {
      const copy = await compact();
      appendFileSync(copy, '\n');
      const [kept] = await asked('contextInspector.undoCompaction', ['Remove Copy']);
      assert.match(kept ?? '', /went on in it/);
      assert.ok(existsSync(copy));
      await asked('contextInspector.undoCompaction', ['Remove with All That Was Added']);
      assert.deepEqual(added(), []);
    });

    it('undo from the copy itself opens the original', async () => {
      const copy = await compact();
      const { services } = await parts();
      await services.panels.open(copy);
      await asked('contextInspector.undoCompaction', ['Remove Copy']);
      assert.ok(!existsSync(copy));
      assert.equal(services.pages.active?.path, path);
    });

    it('compares the texts of both side by side, as documents that cannot be changed', async () => {
      await compact();
      await vscode.commands.executeCommand('contextInspector.compareCompaction');
      await until(vscode.window.tabGroups.onDidChangeTabs, () => activeInput() instanceof vscode.TabInputTextDiff);
      const input = activeInput();
      assert.ok(input instanceof vscode.TabInputTextDiff);
      const [left, right] = await Promise.all([input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)));
      assert.ok(left !== undefined && right !== undefined);
      assert.match(left.getText(), /──── user ────/);
      assert.match(right.getText(), /──── summary ────/);
      assert.ok(!right.getText().includes('"parentUuid"'), 'no lines of the file');
      assert.ok(vscode.workspace.fs.isWritableFileSystem(left.uri.scheme) !== true);
    });

    it('opens the original again with the preview', async () => {
      const copy = await compact();
      const { services } = await parts();
      await services.panels.open(copy);
      await vscode.commands.executeCommand('contextInspector.compactOriginalAgain');
      assert.equal(services.pages.active?.path, path);
    });

    it('copies the new context as a prompt and writes nothing', async () => {
      await vscode.env.clipboard.writeText('before');
      const said: string[] = [];
      await answering({ showInformationMessage: (message) => void said.push(String(message)) }, () =>
        vscode.commands.executeCommand('contextInspector.copyAsPrompt'),
      );
      const prompt = await vscode.env.clipboard.readText();
      assert.ok(prompt.length > 500, `${prompt.slice(0, 200)} ${said.join(' ')}`);
      assert.match(said.join(' '), /is on the clipboard/);
      assert.deepEqual(added(), []);
    });

    it('resumes in a terminal in the session’s folder, by a command of its own', async () => {
      const copy = await compact();
      const made: unknown[] = [];
      const sent: string[] = [];
      const own = Object.getOwnPropertyDescriptor(vscode.window, 'createTerminal');
      const value = (options: unknown): unknown => {
        made.push(options);
        return { show: () => undefined, sendText: (text: string) => sent.push(text) };
      };
      Object.defineProperty(vscode.window, 'createTerminal', { value, configurable: true, writable: true });
      try {
        await vscode.commands.executeCommand('contextInspector.runResumeCommand');
      } finally {
        if (own !== undefined) Object.defineProperty(vscode.window, 'createTerminal', own);
      }
      assert.deepEqual(sent, [`claude --resume ${basename(copy, '.jsonl')}`]);
      assert.ok(isRecord(made[0]) && made[0]['cwd'] === workspaceFolder());
    });
  });
}

function recordsIn(items: unknown): readonly Record<string, unknown>[] {
  const list: readonly unknown[] = Array.isArray(items) ? items : [];
  return list.filter(isRecord);
}
