import { DisposableStore, type Disposable } from '../../core/util/disposable';
import type { SessionHub } from '../sessions/sessionHub';
import type { SessionList } from '../sessions/sessionList';
import { vscode } from '../vscode';

/** Files that are known to be transcripts: those of the list and those that are open. Menus of text editors are shown for these only. */
export class TranscriptPaths implements Disposable {
  readonly #store = new DisposableStore();
  #paths: ReadonlySet<string> = new Set();

  constructor(
    private readonly list: SessionList,
    private readonly hub: SessionHub,
  ) {
    this.#store.add(list.onDidChange(() => this.#update()));
    this.#store.add(hub.onDidChangePaths(() => this.#update()));
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const paths = [...this.list.found.shown.map((entry) => entry.path), ...this.hub.paths].map((path) => vscode.Uri.file(path).fsPath);
    const next = new Set(paths);
    if (next.size === this.#paths.size && paths.every((path) => this.#paths.has(path))) return;
    this.#paths = next;
    // `resourcePath in …` looks for keys of a record.
    const record = Object.fromEntries([...next].map((path) => [path, true]));
    void vscode.commands.executeCommand('setContext', 'contextInspector.transcriptPaths', record);
  }
}
