import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { InspectorApi } from '../../src/extension/api';
import type { TestSurface } from '../../src/extension/extension';

export const EXTENSION_ID = 'context-inspector.context-inspector';

type Exports = InspectorApi & { readonly testing?: TestSurface };

/** The extension as VS Code knows it. */
export function extension(): vscode.Extension<Exports> {
  const found = vscode.extensions.getExtension<Exports>(EXTENSION_ID);
  assert.ok(found, 'the extension is installed');
  return found;
}

/** Activates the extension and answers its parts. */
export async function parts(): Promise<TestSurface> {
  const { testing } = await extension().activate();
  assert.ok(testing, 'this is a test run');
  return testing;
}

/** Folder that the window has open. */
export function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'a folder is open');
  return folder.uri.fsPath;
}

/** The bundled sample in the workspace. */
export function samplePath(): string {
  const folder = join(workspaceFolder(), 'sample');
  const name = readdirSync(folder).find((file) => file.endsWith('.jsonl'));
  assert.ok(name, 'the workspace has the sample');
  return join(folder, name);
}

/**
 * Writes a session of Claude Code for the open folder where that agent would: the sample under a new id. It was last written to so many
 * minutes ago.
 */
export function writeSession(id: string, minutesAgo: number): string {
  const cwd = workspaceFolder();
  const folder = join(homedir(), '.claude', 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  const text = readFileSync(samplePath(), 'utf8')
    .replaceAll(/"sessionId":"[^"]*"/g, `"sessionId":${JSON.stringify(id)}`)
    .replaceAll(/"cwd":"[^"]*"/g, `"cwd":${JSON.stringify(cwd)}`);
  writeFileSync(path, text);
  const time = new Date(Date.now() - minutesAgo * 60_000);
  utimesSync(path, time, time);
  return path;
}

/** Waits until the check holds, looking now and after every event. Mocha's limit ends a wait in vain. */
export function until(event: (listener: () => void) => { dispose(): void }, holds: () => boolean): Promise<void> {
  if (holds()) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = event(() => {
      if (!holds()) return;
      listening.dispose();
      resolve();
    });
  });
}

/** Closes all tabs. */
export async function closeTabs(): Promise<void> {
  await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
}

/** What the active tab shows. */
export function activeInput(): unknown {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.input;
}

type Asking = 'showQuickPick' | 'showInputBox' | 'showWarningMessage' | 'showInformationMessage';

/** Answers in the user's place while the action runs. */
export async function answering(
  answers: { readonly [Name in Asking]?: (...args: readonly unknown[]) => unknown },
  action: () => PromiseLike<unknown>,
): Promise<void> {
  const own = new Map(Object.keys(answers).map((name) => [name, Object.getOwnPropertyDescriptor(vscode.window, name)]));
  for (const [name, answer] of Object.entries(answers)) {
    const value = (...args: readonly unknown[]): Promise<unknown> => Promise.resolve(answer(...args));
    Object.defineProperty(vscode.window, name, { value, configurable: true, writable: true });
  }
  try {
    await action();
  } finally {
    for (const [name, descriptor] of own) if (descriptor !== undefined) Object.defineProperty(vscode.window, name, descriptor);
  }
}
