import assert from 'node:assert/strict';
import { appendFileSync, rmSync } from 'node:fs';
import * as vscode from 'vscode';
import type { UsageChange } from '../../src/extension/api';
import { extension, parts, until, writeSession } from './support';

const OLD = '00000000-0000-4000-8000-000000000001';
const LIVE = '00000000-0000-4000-8000-000000000002';

export function sessionsSuite(): void {
  describe('sessions', () => {
    let files: string[] = [];
    before(() => {
      files = [writeSession(OLD, 600), writeSession(LIVE, 0)];
    });
    after(async () => {
      for (const file of files) rmSync(file);
      const { services } = await parts();
      await services.sessions.refresh();
    });

    it('are listed with the live one first', async () => {
      const { services, tree } = await parts();
      await services.sessions.refresh();
      const entries = await tree.getChildren();
      assert.equal(entries[0]?.fileName, `${LIVE}.jsonl`);
      assert.ok(entries.some(({ fileName }) => fileName === `${OLD}.jsonl`));
    });

    it('have plain tooltips, whatever their text is', async () => {
      const { tree } = await parts();
      const [entry] = await tree.getChildren();
      assert.ok(entry);
      const { tooltip, description, iconPath } = tree.getTreeItem({ ...entry, title: '[x](command:workbench.action.quit) $(trash) <b>' });
      assert.ok(tooltip instanceof vscode.MarkdownString);
      assert.deepEqual([tooltip.isTrusted, tooltip.supportHtml, tooltip.supportThemeIcons ?? false], [false, false, false]);
      assert.doesNotMatch(tooltip.value, /\]\(command:/);
      assert.match(String(description), /^\d+ % · .+ of .+ · now$/);
      assert.ok(iconPath instanceof vscode.ThemeIcon);
    });

    it('show the newest in the status bar, in numbers and in words', async () => {
      const { services, statusBar } = await parts();
      await until(services.current.onDidChange, () => services.current.view?.fileName === `${LIVE}.jsonl`);
      await until(
        (listener) => services.current.onDidChange(listener),
        () => statusBar.isVisible || services.current.view !== undefined,
      );
      assert.equal(statusBar.item.name, 'Context Usage');
      await eventually(() => /^\$\(dashboard\) [~≥]?\d+%$/.test(statusBar.item.text));
      assert.match(statusBar.item.accessibilityInformation?.label ?? '', /^Context \d+ percent, [\d,]+ of [\d,]+ tokens, /);
      assert.equal(statusBar.item.command, 'contextInspector.openInspector');
    });

    it('tell other extensions of their usage', async () => {
      const { services } = await parts();
      const api = await extension().activate();
      const heard: UsageChange[] = [];
      const listening = api.onDidChangeUsage((change) => heard.push(change));
      const [, live = ''] = files;
      const record = {
        type: 'user',
        uuid: '00000000-0000-4000-8000-0000000000ff',
        parentUuid: null,
        sessionId: LIVE,
        timestamp: new Date().toISOString(),
        message: { role: 'user', content: 'One more question about the counter, with a little text of its own.' },
      };
      appendFileSync(live, `${JSON.stringify(record)}\n`);
      await until(services.current.onDidChange, () => heard.some(({ uri }) => uri.fsPath === live));
      listening.dispose();
    });

    it('stay with the one that was chosen', async () => {
      const { services } = await parts();
      const [old = ''] = files;
      await services.current.setPinned(old);
      await until(services.current.onDidChange, () => services.current.view?.fileName === `${OLD}.jsonl`);
      await services.current.setPinned(undefined);
      await until(services.current.onDidChange, () => services.current.view?.fileName === `${LIVE}.jsonl`);
    });
  });
}

/** The status bar is updated at most twice a second, so the text may come a moment after the change. */
async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 50));
}
