import type { Disposable } from '../../core/util/disposable';
import { Emitter } from '../../core/util/emitter';

/** Where pins are kept; VS Code's workspaceState. */
export interface PinMemory {
  get(): unknown;
  set(value: unknown): Thenable<void>;
}

/** Pins of one session, and sessions with pins, that are kept; the oldest go first. */
const MAX_PINS = 200;
const MAX_SESSIONS = 100;

/** The messages that the user wants every compaction to keep word for word, by the path of their session. */
export class MessagePins implements Disposable {
  readonly #changed = new Emitter<string>();
  /** Tells the path of the session whose pins changed. */
  readonly onDidChange = this.#changed.event;

  constructor(private readonly memory: PinMemory) {}

  /** Ids of the pinned messages of a session, in the order in which they were pinned. */
  of(path: string): readonly string[] {
    return this.#all().get(path) ?? [];
  }

  /** Pins a message, or takes its pin away. Answers whether it is pinned now. */
  async toggle(path: string, messageId: string): Promise<boolean> {
    const all = this.#all();
    const before = all.get(path) ?? [];
    const isPinned = !before.includes(messageId);
    const after = isPinned ? [...before, messageId].slice(-MAX_PINS) : before.filter((id) => id !== messageId);
    all.delete(path);
    if (after.length > 0) all.set(path, after);
    await this.memory.set([...all].slice(-MAX_SESSIONS));
    this.#changed.fire(path);
    return isPinned;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** What is kept, as a list of pairs; what has another form counts as nothing. */
  #all(): Map<string, readonly string[]> {
    const all = new Map<string, readonly string[]>();
    for (const pair of listOf(this.memory.get())) {
      const [path, ids] = listOf(pair);
      if (typeof path === 'string' && Array.isArray(ids))
        all.set(
          path,
          ids.filter((id) => typeof id === 'string'),
        );
    }
    return all;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
