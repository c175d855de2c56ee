import { DisposableStore, type Disposable } from '../../core/util/disposable';
import { Emitter } from '../../core/util/emitter';
import type { EngineClient } from '../../node/engine/client';
import { SharedSession, type OpenParams } from './sharedSession';

/** A share in an open session. The engine closes the file when the last one is given back. */
export interface SessionLease extends Disposable {
  readonly session: SharedSession;
}

/** Opens each file once for all panels, views and the status bar. */
export class SessionHub implements Disposable {
  readonly #open = new Map<string, { readonly session: SharedSession; leases: number }>();
  readonly #store = new DisposableStore();
  readonly #pathsChanged = this.#store.add(new Emitter<void>());
  /** The set of open files changed. */
  readonly onDidChangePaths = this.#pathsChanged.event;

  constructor(
    private readonly engine: EngineClient,
    private readonly openParams: () => OpenParams,
    private readonly onFailure: (error: unknown) => void,
    private readonly lostMessage: () => string,
    /** Ids of the pinned messages of a file. */
    private readonly pinsOf: (path: string) => readonly string[] = () => [],
  ) {
    this.#store.add(engine.on('session/patched', (patch) => this.#each((session) => session.applyPatch(patch))));
    this.#store.add(engine.on('session/problem', ({ handle, message }) => this.#each((session) => session.showProblem(handle, message))));
    this.#store.add(
      engine.on('compaction/progress', ({ handle, ...progress }) => this.#each((session) => session.showProgress(handle, progress))),
    );
    this.#store.add(engine.onDidStop(() => this.#each((session) => session.reopen(this.lostMessage()))));
  }

  get paths(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** Opens a file, or joins those who have it open. Rejects as `session/open` does, and then nothing stays open. */
  async acquire(path: string): Promise<SessionLease> {
    const entry = this.#open.get(path) ?? {
      session: new SharedSession(this.engine, path, this.openParams, this.onFailure, this.pinsOf),
      leases: 0,
    };
    entry.leases += 1;
    if (entry.leases === 1) {
      this.#open.set(path, entry);
      this.#pathsChanged.fire();
    }
    const lease = { session: entry.session, dispose: once(() => this.#release(path, entry)) };
    try {
      await entry.session.open();
      return lease;
    } catch (error) {
      lease.dispose();
      throw error;
    }
  }

  /** Takes over the present settings for all open sessions. */
  applySettings(): void {
    this.#each((session) => session.applySettings(this.lostMessage()));
  }

  dispose(): void {
    this.#store.dispose();
    this.#each((session) => session.dispose());
    this.#open.clear();
  }

  #release(path: string, entry: { readonly session: SharedSession; leases: number }): void {
    entry.leases -= 1;
    if (entry.leases > 0) return;
    entry.session.dispose();
    this.#open.delete(path);
    this.#pathsChanged.fire();
  }

  #each(action: (session: SharedSession) => void): void {
    for (const { session } of [...this.#open.values()]) action(session);
  }
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}
