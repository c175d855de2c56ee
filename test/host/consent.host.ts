import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { SUMMARY_SCHEMA } from '../../src/core/prompts/envelope';
import { isRecord } from '../../src/core/util/json';
import { faithfulSummary } from '../support/faithfulSummary';
import { answering, closeTabs, parts, samplePath, until } from './support';

const KEY = 'key-that-must-not-leak-0123456789';

interface Heard {
  readonly url: string;
  readonly authorization: string;
  readonly body: string;
}

/** A server on this machine that answers as a model would, and notes what it hears. */
async function startServer(): Promise<{
  readonly server: Server;
  readonly baseUrl: string;
  readonly host: string;
  readonly heard: Heard[];
}> {
  const heard: Heard[] = [];
  const summary = faithfulSummary(samplePath(), 'The counter was repaired, says the stand-in.');
  const answer = {
    id: 'x',
    object: 'chat.completion',
    created: 0,
    model: 'm1',
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: JSON.stringify({ schema: SUMMARY_SCHEMA, summary }) } },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      heard.push({ url: request.url ?? '', authorization: request.headers.authorization ?? '', body });
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const host = `127.0.0.1:${address.port}`;
  return { server, baseUrl: `http://${host}/v1`, host, heard };
}

export function consentSuite(): void {
  describe('sending', () => {
    let stand: Awaited<ReturnType<typeof startServer>>;
    let sample = '';
    const files = (): readonly string[] => readdirSync(dirname(sample));
    let filesBefore: readonly string[] = [];

    before(async () => {
      stand = await startServer();
      sample = samplePath();
      filesBefore = files();
      const { services } = await parts();
      await services.configuration.update('summarizer.provider', 'openai');
      await services.configuration.update('openai.baseUrl', stand.baseUrl);
      await services.configuration.update('openai.model', 'm1');
      await answering({ showInputBox: () => KEY }, () => vscode.commands.executeCommand('contextInspector.setApiKey'));
      await services.panels.open(sample);
    });
    after(async () => {
      const { services } = await parts();
      for (const key of ['summarizer.provider', 'openai.baseUrl', 'openai.model'] as const)
        await services.configuration.update(key, undefined);
      await vscode.commands.executeCommand('contextInspector.clearApiKey');
      await closeTabs();
      stand.server.closeAllConnections();
      await new Promise((resolve) => stand.server.close(resolve));
      for (const file of files()) if (!filesBefore.includes(file)) rmSync(join(dirname(sample), file));
    });

    /** Runs "Compact…" with the model's summary chosen, and answers the question before sending. */
    async function compact(
      answer: string | undefined | (() => string | undefined),
    ): Promise<{ readonly asked: readonly string[]; readonly said: readonly string[] }> {
      const asked: string[] = [];
      const said: string[] = [];
      await answering(
        {
          showQuickPick: (items) => openaiOf(items),
          showWarningMessage: (message) => {
            asked.push(String(message));
            return typeof answer === 'function' ? answer() : answer;
          },
          showInformationMessage: (message) => void said.push(String(message)),
        },
        () => vscode.commands.executeCommand('contextInspector.compact'),
      );
      return { asked, said };
    }

    it('asks first, naming host and amount; a “no” sends nothing and writes nothing', async () => {
      const { asked, said } = await compact(undefined);
      assert.equal(asked.length, 1, said.join(' '));
      assert.match(asked[0] ?? '', new RegExp(`^Send ~[\\d.]+[KM]? tokens of this session to ${stand.host}\\?$`));
      assert.equal(stand.heard.length, 0);
      assert.deepEqual(files(), filesBefore);
    });

    it('shows on demand exactly what would be sent, as a document that cannot be changed, and asks again when it is closed', async () => {
      const answers = ['Preview What Is Sent', undefined];
      const running = compact(() => answers.shift());
      const shown = (): vscode.TextDocument | undefined =>
        vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'context-inspector-request');
      const tab = (): vscode.Tab | undefined =>
        vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => /What Is Sent/.test(label));
      await until(vscode.window.tabGroups.onDidChangeTabs, () => tab() !== undefined && shown() !== undefined);
      const text = shown()?.getText() ?? '';
      assert.ok(text.startsWith('Nothing of this has been sent.') && text.includes(stand.host), text.slice(0, 300));
      assert.match(text, /likely secrets?/);
      assert.ok(text.includes('[system]') && text.includes('[user]'));
      assert.ok(vscode.workspace.fs.isWritableFileSystem('context-inspector-request') !== true);
      await vscode.window.tabGroups.close(tab() ?? []);
      const { asked } = await running;
      assert.equal(asked.length, 2);
      assert.equal(asked[0], asked[1]);
      assert.equal(stand.heard.length, 0);
    });

    it('keeps the key in the secret storage alone', async () => {
      const { services } = await parts();
      assert.equal(await services.keys.get(new URL(stand.baseUrl).origin), KEY);
      const settings = JSON.stringify(vscode.workspace.getConfiguration('contextInspector'));
      assert.ok(!settings.includes(KEY));
      for (const state of [services.context.globalState, services.context.workspaceState]) {
        assert.ok(!state.keys().some((name) => JSON.stringify(state.get(name)).includes(KEY)));
      }
      assert.ok(!JSON.stringify(services.uiSettings()).includes(KEY));
    });

    it('sends after a “yes”, with the key, and writes a copy beside the unchanged original', async () => {
      const original = readFileSync(sample);
      const { said } = await compact('Send');
      assert.ok(stand.heard.length > 0);
      assert.ok(stand.heard.every(({ authorization }) => authorization === `Bearer ${KEY}`));
      assert.ok(stand.heard.every(({ body }) => !body.includes(KEY)));
      const written = files().filter((file) => !filesBefore.includes(file) && !file.endsWith('.history'));
      assert.equal(written.length, 1, said.join(' '));
      assert.ok(readFileSync(sample).equals(original), 'the original is unchanged');
    });

    it('asks once for a host, and again after the consent was withdrawn', async () => {
      const { services } = await parts();
      assert.deepEqual((await compact('Send')).asked, []);
      await answering({ showQuickPick: () => stand.host }, () => vscode.commands.executeCommand('contextInspector.withdrawConsent'));
      assert.deepEqual(services.consent.hosts, []);
      const requests = stand.heard.length;
      assert.equal((await compact(undefined)).asked.length, 1);
      assert.equal(stand.heard.length, requests);
    });
  });
}

/** The item of a quick pick that stands for the summary by a model. */
function openaiOf(items: unknown): unknown {
  const list: readonly unknown[] = Array.isArray(items) ? items : [];
  return list.find((item) => isRecord(item) && item['choice'] === 'openai');
}
