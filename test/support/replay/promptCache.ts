// A provider's prompt cache as the replay sees it: it serves the longest beginning that a prompt shares with an earlier one.

/** A part of a prompt that is served whole or not at all. Two parts with one key are the same text. */
export interface Piece {
  readonly key: string;
  readonly tokens: number;
}

export interface Served {
  readonly read: number;
  /** Not in the cache: paid as a write, or as fresh input where writing has no price of its own. */
  readonly written: number;
}

/** Shorter beginnings are not kept by any provider. */
const LEAST_TOKENS = 1024;

interface Node {
  readonly next: Map<string, Node>;
}

/** Keeps every prompt for ever. */
export class PromptCache {
  readonly #root: Node = { next: new Map() };

  /** Serves a prompt, and keeps it. */
  request(prompt: readonly Piece[]): Served {
    let node = this.#root;
    let read = 0;
    let total = 0;
    let isHit = true;
    for (const { key, tokens } of prompt) {
      const known = node.next.get(key);
      isHit &&= known !== undefined;
      if (isHit) read += tokens;
      total += tokens;
      const next = known ?? { next: new Map<string, Node>() };
      node.next.set(key, next);
      node = next;
    }
    if (read < LEAST_TOKENS) read = 0;
    return { read, written: total - read };
  }
}
