import type { Disposable } from './disposable';

/** Shaped like vscode.Event, so that host and core events look alike. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Tells listeners of what happens, in the order in which they came; a listener that throws stops the others. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    // A wrapper of its own, so that adding one function twice makes two subscriptions.
    const entry = (value: T): void => listener(value);
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
