import { dirname } from 'node:path';
import type { Disposable } from '../../core/util/disposable';
import { DisposableStore } from '../../core/util/disposable';
import type { Configuration } from '../config/configuration';
import { throttled } from '../util/throttle';
import type { SessionList } from './sessionList';
import { vscode } from '../vscode';

/** Folders that are watched at most; each is one watch of the system, never a recursive one. */
const MAX_FOLDERS = 32;
/** A look walks folders, so a busy session does not cause more than one in this time; its own numbers come without it. */
const REFRESH_MS = 5000;
/** Polling finds what a watcher misses: new day folders, network drives, systems without watchers. */
const POLL_MS = 30_000;
const POLL_UNFOCUSED_MS = 120_000;
/** The first look waits until VS Code has settled. */
const FIRST_LOOK_MS = 1000;

/** Asks the list to look again when something changed in a known folder, and from time to time anyway. */
export class SessionWatch implements Disposable {
  readonly #store = new DisposableStore();
  #watchers = new DisposableStore();
  #watched = '';
  #poll: NodeJS.Timeout | undefined;
  readonly #first: NodeJS.Timeout;

  constructor(
    private readonly list: SessionList,
    private readonly configuration: Configuration,
    private readonly report: (error: unknown) => void,
  ) {
    const refresh = this.#store.add(throttled(REFRESH_MS, () => void list.refresh().catch(report)));
    const restart = (): void => {
      this.#schedule(refresh);
      this.#watch(refresh);
    };
    this.#store.add(list.onDidChange(() => this.#watch(refresh)));
    this.#store.add(vscode.window.onDidChangeWindowState(() => this.#schedule(refresh)));
    this.#store.add(configuration.onDidChange(restart));
    this.#first = setTimeout(() => {
      this.list.first().catch(this.report);
      this.#schedule(refresh);
    }, FIRST_LOOK_MS);
  }

  dispose(): void {
    clearTimeout(this.#first);
    clearInterval(this.#poll);
    this.#watchers.dispose();
    this.#store.dispose();
  }

  #schedule(refresh: () => void): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
    if (!this.configuration.current['watch.enabled']) return;
    this.#poll = setInterval(refresh, vscode.window.state.focused ? POLL_MS : POLL_UNFOCUSED_MS);
  }

  #watch(refresh: () => void): void {
    const { shown, workspace, lookedIn } = this.list.found;
    const near = [...workspace, ...shown].map((entry) => dirname(entry.path));
    const folders = this.configuration.current['watch.enabled'] ? [...new Set([...near, ...lookedIn])].slice(0, MAX_FOLDERS) : [];
    const key = folders.join('\n');
    if (key === this.#watched) return;
    this.#watched = key;
    this.#watchers.dispose();
    this.#watchers = new DisposableStore();
    for (const folder of folders) {
      // A pattern without `**` and `/` watches this one folder and no more.
      const watcher = this.#watchers.add(
        vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), '*.{jsonl,json,db,db-wal,traj,md}')),
      );
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) this.#watchers.add(event(refresh));
    }
  }
}
