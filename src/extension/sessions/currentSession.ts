import type { SessionView } from '../../core/protocol/viewModel';
import { DisposableStore, type Disposable } from '../../core/util/disposable';
import { Emitter } from '../../core/util/emitter';
import type { SessionEntry } from '../../node/engine/contract';
import type { SessionHub, SessionLease } from './sessionHub';
import type { SharedSession } from './sharedSession';
import type { SessionList } from './sessionList';

/** Where the choice of the user is kept; VS Code's workspaceState. */
export interface PinStore {
  get(): string | undefined;
  set(path: string | undefined): Promise<void>;
}

/** The session that the status bar shows: the pinned one, else the newest of this workspace, whichever that is at the time. */
export class CurrentSession implements Disposable {
  readonly #changed = new Emitter<SessionView | undefined>();
  readonly onDidChange = this.#changed.event;
  readonly #store = new DisposableStore();
  #lease: SessionLease | undefined;
  #listening: DisposableStore | undefined;
  #wanted: string | undefined;
  #isDisposed = false;

  constructor(
    private readonly hub: SessionHub,
    private readonly list: SessionList,
    private readonly pin: PinStore,
    private readonly onFailure: (error: unknown) => void,
    /** Sessions that are never current by themselves. */
    private readonly isSetAside: (entry: SessionEntry) => boolean = () => false,
  ) {
    this.#store.add(list.onDidChange(() => this.follow()));
  }

  get session(): SharedSession | undefined {
    return this.#lease?.session;
  }

  get view(): SessionView | undefined {
    return this.#lease?.session.view;
  }

  get pinned(): string | undefined {
    return this.pin.get();
  }

  /** Keeps to one session; undefined follows the newest again. */
  async setPinned(path: string | undefined): Promise<void> {
    await this.pin.set(path);
    this.follow();
  }

  /** Changes to the session that is current now, when it is another. */
  follow(): void {
    const path = this.pin.get() ?? this.list.found.workspace.find((entry) => !this.isSetAside(entry))?.path;
    if (path === this.#wanted || this.#isDisposed) return;
    this.#wanted = path;
    if (path === undefined) {
      this.#show(undefined);
      return;
    }
    this.hub.acquire(path).then(
      (lease) => {
        if (this.#wanted === path && !this.#isDisposed) this.#show(lease);
        else lease.dispose();
      },
      (error: unknown) => {
        if (this.#wanted !== path) return;
        this.#wanted = undefined;
        this.#show(undefined);
        this.onFailure(error);
        // A pinned file that is gone must not hide the newest one for ever. An unpinned one is tried again when the list changes.
        if (path === this.pin.get()) this.setPinned(undefined).catch(this.onFailure);
      },
    );
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#store.dispose();
    this.#listening?.dispose();
    this.#lease?.dispose();
    this.#lease = undefined;
    this.#changed.dispose();
  }

  #show(lease: SessionLease | undefined): void {
    this.#listening?.dispose();
    this.#lease?.dispose();
    this.#lease = lease;
    const listening = new DisposableStore();
    this.#listening = listening;
    if (lease !== undefined) {
      listening.add(lease.session.onDidPatch(() => this.#changed.fire(lease.session.view)));
      listening.add(lease.session.onDidReplace((view) => this.#changed.fire(view)));
    }
    this.#changed.fire(lease?.session.view);
  }
}
