import type { CacheEditsBlock } from '../model/cacheEdits';

/** Orders that were sent once and have to stand in the same place of every later request, or the cache behind them is lost. */
export interface PinnedEdits {
  /** Position of the user message that carries them. */
  readonly messageIndex: number;
  readonly block: CacheEditsBlock;
  /** Proofs of what was deleted, for the model to read; absent when none of the tools has any. */
  readonly ledger?: string;
}

/** What is known about a provider's cache. It belongs to one uninterrupted history; after a compaction start again from EMPTY_CACHE_EDITS. */
export interface CacheEditState {
  /** Ids of clearable results that were sent, oldest first. */
  readonly registered: readonly string[];
  /** The same ids by the message that carried them. */
  readonly groups: readonly (readonly string[])[];
  readonly deleted: ReadonlySet<string>;
  readonly pinned: readonly PinnedEdits[];
}

export const EMPTY_CACHE_EDITS: CacheEditState = { registered: [], groups: [], deleted: new Set(), pinned: [] };

/** The state with ids that are new to it, one group per message (seed 2, CachedMicrocompact). */
export function withRegistered(state: CacheEditState, idsByMessage: Iterable<readonly string[]>): CacheEditState {
  const known = new Set(state.registered);
  const groups: (readonly string[])[] = [];
  for (const ids of idsByMessage) {
    const fresh = [...new Set(ids)].filter((id) => !known.has(id));
    for (const id of fresh) known.add(id);
    if (fresh.length > 0) groups.push(fresh);
  }
  return groups.length === 0 ? state : { ...state, registered: [...known], groups: [...state.groups, ...groups] };
}

/** The state after orders were pinned (seed 2, PinnedCacheEdits). */
export function withPinned(state: CacheEditState, pinned: PinnedEdits): CacheEditState {
  const deleted = pinned.block.edits.map((edit) => edit.cache_reference);
  return { ...state, deleted: new Set([...state.deleted, ...deleted]), pinned: [...state.pinned, pinned] };
}
