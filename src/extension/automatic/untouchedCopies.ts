import type { SessionEntry } from '../../node/engine/contract';

/**
 * Copies that were prepared and that nobody has gone on from. They are newer than the session that they are of, and must not take its place as
 * the current one.
 */
export class UntouchedCopies {
  /** Path → size when it was written. */
  readonly #sizes = new Map<string, number>();

  add(path: string, bytes: number): void {
    this.#sizes.set(path, bytes);
  }

  /** True for a copy as it was written; an agent that goes on from it makes it longer. */
  has({ path, bytes }: Pick<SessionEntry, 'path' | 'bytes'>): boolean {
    return this.#sizes.get(path) === bytes;
  }
}
