import { CATEGORIES, type Category } from '../model/category';
import type { Message } from '../model/message';
import type { PlanPartView } from '../protocol/planView';
import { categoryShares } from '../session/categories';
import type { Inspection } from '../session/inspection';

/** A message of a new context with its tokens; absent where it stays as it is. */
export type ChangedMessages = ReadonlyMap<number, { readonly message: Message; readonly tokens: number }>;

/** Tokens of some messages by category; a changed message counts as it will be. Linear. */
export function tokensByCategory(
  { transcript, sizes, mediaTokens }: Inspection,
  indexes: readonly number[],
  changed: ChangedMessages = new Map(),
): Map<Category, number> {
  const sums = new Map<Category, number>();
  for (const index of indexes) {
    const message = changed.get(index)?.message ?? transcript.messages[index];
    if (message === undefined) continue;
    for (const { category, tokens } of categoryShares(message, changed.get(index)?.tokens ?? sizes.tokens[index] ?? 0, mediaTokens)) {
      sums.set(category, (sums.get(category) ?? 0) + tokens);
    }
  }
  return sums;
}

/** The sums as a page shows them, in the fixed order; both sides of a compaction get the same unattributed tokens. */
export function planParts(sums: ReadonlyMap<Category, number>, unattributedTokens: number): readonly PlanPartView[] {
  return CATEGORIES.map((category) => ({
    category,
    tokens: category === 'unattributed' ? unattributedTokens : (sums.get(category) ?? 0),
  })).filter((part) => part.tokens > 0);
}
