import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activeInput, closeTabs, parts, samplePath } from './support';

export function textSuite(): void {
  describe('transcript as text', () => {
    before(async () => {
      const { services } = await parts();
      await services.sessions.refresh();
    });
    beforeEach(closeTabs);
    after(closeTabs);

    async function showLine(line: number): Promise<vscode.TextEditor> {
      const at = new vscode.Position(line - 1, 0);
      return vscode.window.showTextDocument(vscode.Uri.file(samplePath()), { selection: new vscode.Range(at, at) });
    }

    it('is known by its path', async () => {
      const { services } = await parts();
      assert.ok(services.transcriptPaths.has(samplePath()));
    });

    it('opens the inspector beside for a line, and leads back to the same line', async () => {
      const { services } = await parts();
      const { document } = await showLine(20);
      await vscode.commands.executeCommand('contextInspector.revealInInspector', document.uri);
      const page = services.pages.active;
      assert.ok(page?.session?.view);
      const { handle } = page.session.view;
      const found = await services.engine.request('line/message', { handle, line: 20 });
      assert.ok(found);
      await vscode.commands.executeCommand('contextInspector.revealInTranscript', {
        webviewSection: 'message',
        messageId: found.messageId,
      });
      const { line } = await services.engine.request('message/read', { handle, messageId: found.messageId });
      assert.ok(activeInput() instanceof vscode.TabInputText);
      assert.equal(vscode.window.activeTextEditor?.selection.active.line, line - 1);
    });

    it('copies a message exactly as it is stored', async () => {
      const { services } = await parts();
      const page = await services.panels.open(samplePath());
      const handle = page.session?.view?.handle ?? '';
      const { rows } = await services.engine.request('rows/read', { handle, from: 0, to: 1 });
      const messageId = rows[0]?.id ?? '';
      await vscode.commands.executeCommand('contextInspector.copyMessage', { webviewSection: 'message', messageId });
      const { text } = await services.engine.request('message/read', { handle, messageId });
      assert.notEqual(text, '');
      assert.equal(await vscode.env.clipboard.readText(), text);
    });

    it('goes from boundary to boundary', async () => {
      const { services } = await parts();
      const lease = await services.hub.acquire(samplePath());
      const boundaries = lease.session.view?.boundaries ?? [];
      lease.dispose();
      assert.ok(boundaries.length > 0, 'the sample has a boundary');
      await showLine(1);
      await vscode.commands.executeCommand('contextInspector.goToNextBoundary');
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor);
      const line = editor.selection.active.line;
      assert.ok(line > 0);
      assert.match(editor.document.lineAt(line).text, /compact_boundary/);
      await showLine(editor.document.lineCount);
      for (let step = 0; step < boundaries.length; step++) await vscode.commands.executeCommand('contextInspector.goToPreviousBoundary');
      assert.equal(vscode.window.activeTextEditor?.selection.active.line, line);
    });
  });
}
