import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import * as vscode from 'vscode';
import { COMMAND_IDS } from '../../src/extension/commandIds';
import { SETTINGS } from '../../src/extension/config/settings';
import { cpuMs } from '../../src/extension/util/cpuTime';
import { extension, parts, samplePath } from './support';

/** What activation may take of the processor (UX: nothing is noticed at the start). */
const ACTIVATION_MS = 50;

export function activationSuite(): void {
  describe('activation', () => {
    it('answers the API', async () => {
      const api = await extension().activate();
      assert.equal(api.apiVersion, 1);
      assert.equal(typeof api.inspect, 'function');
      assert.equal(typeof api.onDidChangeUsage, 'function');
    });

    it(`takes less than ${ACTIVATION_MS} ms of processor time, loading included`, async () => {
      const { activationCpuMs } = await parts();
      const file = vscode.Uri.joinPath(extension().extensionUri, 'dist', 'extension.js').fsPath;
      const total = activationCpuMs + loadCpuMs(file);
      assert.ok(total < ACTIVATION_MS, `${activationCpuMs.toFixed(1)} ms of ${total.toFixed(1)} ms are activate()`);
    });

    it('registers every command', async () => {
      const known = new Set(await vscode.commands.getCommands(true));
      assert.deepEqual(
        COMMAND_IDS.filter((id) => !known.has(id)),
        [],
      );
    });

    it('has the settings’ defaults', () => {
      const section = vscode.workspace.getConfiguration('contextInspector');
      for (const [key, spec] of Object.entries(SETTINGS)) assert.deepEqual(section.inspect(key)?.defaultValue, spec.default, key);
    });

    it('inspects a file for other extensions', async () => {
      const api = await extension().activate();
      const report = await api.inspect(vscode.Uri.file(samplePath()));
      assert.equal(report.schema, 'context-inspector/inspect/v1');
      assert.equal(report.format, 'claude-code');
      assert.ok(report.usage.usedTokens > 0);
      assert.ok((report.messages ?? []).length > 0);
    });

    it('refuses what is no file of this machine', async () => {
      const api = await extension().activate();
      await assert.rejects(api.inspect(vscode.Uri.parse('untitled:x.jsonl')), { code: 'notOnThisMachine' });
    });
  });
}

/** Processor time of loading the bundle once more beside the running one. Loading starts nothing, and `activate` is not called. */
function loadCpuMs(file: string): number {
  const begun = cpuMs();
  const source = readFileSync(file, 'utf8');
  const evaluate: unknown = new Script(`(function (require, module, exports) {${source}\n})`).runInThisContext();
  assert.ok(typeof evaluate === 'function');
  const own = { exports: {} };
  Reflect.apply(evaluate, undefined, [require, own, own.exports]);
  const spent = cpuMs() - begun;
  assert.ok('activate' in own.exports);
  return spent;
}
