import type { LostItem } from '../compaction/lost';
import type { LostKindView, LostView, PutBackView } from '../protocol/planView';
import { oneLine } from '../util/text';

/** Most items that a page gets; the rest is counted. */
export const MAX_LOST_ITEMS = 200;
const VALUE_UNITS = 300;

/**
 * What a compaction lost as a page shows it: by kind in the given order, each kind with its full count, at most `MAX_LOST_ITEMS` values of all
 * kinds together. Small kinds are shown whole; large ones share the rest evenly, so that a thousand names don't hide three constraints.
 * `rowOf` answers the row of a message. Linear.
 */
export function lostView(items: readonly LostItem[], rowOf: (messageId: string) => number | undefined): LostView {
  const byKind = new Map<LostKindView, LostItem[]>();
  for (const item of items) {
    const list = byKind.get(item.kind);
    if (list === undefined) byKind.set(item.kind, [item]);
    else list.push(item);
  }
  const quotas = quotasOf(byKind);
  return {
    count: items.length,
    groups: [...byKind].map(([kind, list]) => ({
      kind,
      count: list.length,
      items: list.slice(0, quotas.get(kind) ?? 0).map(({ value, messageId }) => ({
        value: oneLine(value, VALUE_UNITS),
        messageId,
        index: rowOf(messageId) ?? null,
      })),
    })),
  };
}

function quotasOf(byKind: ReadonlyMap<LostKindView, readonly LostItem[]>): ReadonlyMap<LostKindView, number> {
  const quotas = new Map<LostKindView, number>();
  const smallestFirst = [...byKind].toSorted(([, a], [, b]) => a.length - b.length);
  let left = MAX_LOST_ITEMS;
  for (const [position, [kind, list]] of smallestFirst.entries()) {
    const quota = Math.min(list.length, Math.floor(left / (smallestFirst.length - position)));
    quotas.set(kind, quota);
    left -= quota;
  }
  return quotas;
}

/**
 * The lost items that a page names, each found by kind, message and the value that it was shown; undefined when one of them is not among
 * the lost. What is quoted is the item, never what the page sent.
 */
export function lostItemsNamed(items: readonly LostItem[], named: readonly PutBackView[]): readonly LostItem[] | undefined {
  const byName = new Map(items.map((item) => [nameOf(item.kind, item.messageId, oneLine(item.value, VALUE_UNITS)), item]));
  const found = named.flatMap(({ kind, messageId, value }) => byName.get(nameOf(kind, messageId, value)) ?? []);
  return found.length === named.length ? [...new Set(found)] : undefined;
}

function nameOf(kind: LostKindView, messageId: string, value: string): string {
  return JSON.stringify([kind, messageId, value]);
}
