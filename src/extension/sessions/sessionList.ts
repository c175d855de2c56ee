import type { Disposable } from '../../core/util/disposable';
import { Emitter } from '../../core/util/emitter';
import type { EngineClient } from '../../node/engine/client';
import type { SessionEntry } from '../../node/engine/contract';

export interface ListScope {
  /** Absolute folders of the workspace on this machine. */
  readonly folders: readonly string[];
  /** The list shows the sessions of the whole machine. */
  readonly all: boolean;
  readonly extraPaths: Readonly<Record<string, readonly string[]>>;
  /** Formats of the agents that are shown. */
  readonly formats: readonly string[];
}

export interface SessionsFound {
  /** Sessions of the workspace, newest first. */
  readonly workspace: readonly SessionEntry[];
  /** What the list shows: the same, or the machine's. */
  readonly shown: readonly SessionEntry[];
  readonly lookedIn: readonly string[];
}

const NOTHING: SessionsFound = { workspace: [], shown: [], lookedIn: [] };
const MAX_SHOWN = 200;

/** The sessions that the engine finds. It looks only when asked to; looks that overlap are joined into one more look. */
export class SessionList implements Disposable {
  readonly #changed = new Emitter<SessionsFound>();
  readonly onDidChange = this.#changed.event;
  #found: SessionsFound | undefined;
  #looking: Promise<SessionsFound> | undefined;
  #again: Promise<SessionsFound> | undefined;

  constructor(
    private readonly engine: EngineClient,
    private readonly scope: () => ListScope,
  ) {}

  /** What the last look found; nothing before the first. */
  get found(): SessionsFound {
    return this.#found ?? NOTHING;
  }

  get hasLooked(): boolean {
    return this.#found !== undefined;
  }

  /** The first look, once, however many ask for it. A first look that failed is tried again by the next who asks. */
  first(): Promise<SessionsFound> {
    return this.#found === undefined ? (this.#looking ?? this.refresh()) : Promise.resolve(this.#found);
  }

  /** Looks again. Tells the listeners only when something differs. */
  refresh(): Promise<SessionsFound> {
    if (this.#looking === undefined) {
      this.#looking = this.#look().finally(() => (this.#looking = undefined));
      return this.#looking;
    }
    // What is running may have passed the change already, so one more look follows.
    this.#again ??= this.#looking.then(
      () => this.#restart(),
      () => this.#restart(),
    );
    return this.#again;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #restart(): Promise<SessionsFound> {
    this.#again = undefined;
    return this.refresh();
  }

  async #look(): Promise<SessionsFound> {
    const { folders, all, extraPaths, formats } = this.scope();
    const wanted = new Set(formats);
    const list = async (machine: boolean): Promise<SessionsFound> => {
      const { sessions, lookedIn } = await this.engine.request('sessions/list', { folders, all: machine, extraPaths, limit: MAX_SHOWN });
      const kept = sessions.filter((entry) => wanted.has(entry.format)).sort((a, b) => b.lastActivityMs - a.lastActivityMs);
      return { workspace: kept, shown: kept, lookedIn };
    };
    const own = folders.length === 0 ? undefined : await list(false);
    const machine = all ? await list(true) : own;
    const found = { workspace: own?.workspace ?? [], shown: machine?.shown ?? [], lookedIn: machine?.lookedIn ?? own?.lookedIn ?? [] };
    const isNew = this.#found === undefined || JSON.stringify(found) !== JSON.stringify(this.#found);
    this.#found = found;
    if (isNew) this.#changed.fire(found);
    return found;
  }
}
