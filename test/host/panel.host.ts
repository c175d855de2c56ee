import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { activeInput, closeTabs, parts, samplePath, until } from './support';

export function panelSuite(): void {
  describe('inspector panel', () => {
    beforeEach(closeTabs);
    after(closeTabs);

    /** Waits until the panel is a tab; only then can it be closed. */
    const shown = (): Promise<void> =>
      until(vscode.window.tabGroups.onDidChangeTabs, () => activeInput() instanceof vscode.TabInputWebview);

    it('opens on a file, once for each file', async () => {
      const uri = vscode.Uri.file(samplePath());
      await vscode.commands.executeCommand('contextInspector.openTranscriptFrom', uri);
      await shown();
      const input = activeInput();
      assert.ok(input instanceof vscode.TabInputWebview);
      assert.match(input.viewType, /contextInspector\.panel$/);
      await vscode.commands.executeCommand('contextInspector.openTranscriptFrom', uri);
      assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
      const { services } = await parts();
      assert.equal(services.pages.active?.session?.path, samplePath());
      assert.ok((services.pages.active.session.view?.rows.count ?? 0) > 0);
    });

    it('opens the sample in a folder of our own, and shares one open file', async () => {
      const { services } = await parts();
      await vscode.commands.executeCommand('contextInspector.openSample');
      const path = services.pages.active?.path ?? '';
      assert.ok(existsSync(path));
      assert.ok(path.startsWith(services.context.globalStorageUri.fsPath));
      const lease = await services.hub.acquire(path);
      assert.equal(lease.session, services.pages.active?.session);
      lease.dispose();
      await shown();
    });

    it('closes the file with the last panel', async () => {
      const { services } = await parts();
      await vscode.commands.executeCommand('contextInspector.openTranscriptFrom', vscode.Uri.file(samplePath()));
      await shown();
      assert.ok(services.hub.paths.includes(samplePath()));
      // The status bar has a share of its own in the session that is current.
      const isCurrent = services.current.session?.path === samplePath();
      await closeTabs();
      await until(services.pages.onDidChange, () => services.pages.active === undefined);
      assert.equal(services.hub.paths.includes(samplePath()), isCurrent);
    });

    it('shows no empty panel for what can’t be read', async () => {
      const { services } = await parts();
      await assert.rejects(services.panels.open('/no/such/file.jsonl'));
      assert.deepEqual(
        vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs),
        [],
      );
    });

    it('answers a page’s handle of another session with an error and nothing else', async () => {
      const { services } = await parts();
      const before = readFileSync(samplePath());
      const page = await services.panels.open(samplePath());
      await shown();
      for (const handle of ['', '__proto__', 'other']) assert.throws(() => page.expect(handle), { code: 'otherSession' });
      assert.ok(readFileSync(samplePath()).equals(before), 'the file is unchanged');
    });
  });
}
