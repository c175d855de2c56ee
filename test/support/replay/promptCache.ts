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
  usedMs: number;
}

/** Every request is kept and found again while it was used within `lifetimeMs`; without times nothing ever ends. */
export class PromptCache {
  readonly #root: Node = { next: new Map(), usedMs: 0 };
  readonly #lifetimeMs: number;

  constructor(lifetimeMs = Infinity) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** Serves a prompt, and keeps it. */
  request(prompt: readonly Piece[], nowMs = 0): Served {
    let node = this.#root;
    let read = 0;
    let isHit = true;
    const total = prompt.reduce((sum, { tokens }) => sum + tokens, 0);
    for (const { key, tokens } of prompt) {
      const known = node.next.get(key);
      isHit &&= known !== undefined && nowMs - known.usedMs <= this.#lifetimeMs;
      if (isHit) read += tokens;
      const next = known ?? { next: new Map<string, Node>(), usedMs: nowMs };
      node.next.set(key, next);
      next.usedMs = nowMs;
      node = next;
    }
    if (read < LEAST_TOKENS) read = 0;
    return { read, written: total - read };
  }
}
