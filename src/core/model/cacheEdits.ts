// Orders to a provider to forget parts of its prompt cache. The names are those of the provider's request, since that is where a block goes.
import type { UnknownBlock } from './message';

/** Type of the content block that carries the orders. */
export const CACHE_EDITS = 'cache_edits';

export interface CacheEdit {
  readonly type: 'delete';
  /** Id of the tool use whose result is deleted from the cache. */
  readonly cache_reference: string;
}

export interface CacheEditsBlock {
  readonly type: typeof CACHE_EDITS;
  readonly edits: readonly CacheEdit[];
}

/** The block that deletes the results of the given tool uses, in their order (seed 2, CacheEditsBlockForDeletes). */
export function deleteEdits(toolUseIds: readonly string[]): CacheEditsBlock {
  return { type: CACHE_EDITS, edits: toolUseIds.map((id) => ({ type: 'delete', cache_reference: id })) };
}

/** The orders as a content block of a message, which passes them on as they are. */
export function cacheEditsContent(block: CacheEditsBlock): UnknownBlock {
  return { type: 'unknown', originalType: CACHE_EDITS, raw: JSON.stringify(block) };
}
