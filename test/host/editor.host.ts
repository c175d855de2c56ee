import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { activeInput, closeTabs, samplePath } from './support';

export function editorSuite(): void {
  describe('custom editor', () => {
    after(closeTabs);

    it('never takes *.jsonl from the user', async () => {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(samplePath()));
      assert.ok(activeInput() instanceof vscode.TabInputText);
    });

    it('shows a transcript on demand, and leaves the file alone', async () => {
      const before = readFileSync(samplePath());
      await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.file(samplePath()), 'contextInspector.transcript');
      const input = activeInput();
      assert.ok(input instanceof vscode.TabInputCustom);
      assert.equal(input.viewType, 'contextInspector.transcript');
      await vscode.commands.executeCommand('workbench.action.files.save');
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.isDirty, false);
      assert.ok(readFileSync(samplePath()).equals(before), 'the file is unchanged');
    });
  });
}
