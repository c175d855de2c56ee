import { isPause, type Steps } from '../util/steps';
import type { ChainLinks, ChainNode } from './chain';

/** Place of a node that is not there. */
export const NONE = -1;

/**
 * Adds what parallel tool calls hang beside the walk: lines that share a provider message with a kept line, then the results of kept
 * calls that have none on the walk, and of calls that the file has lost. Each stands in file order, behind the line it belongs to.
 */
export function* withParallelBranches(nodes: readonly ChainNode[], links: ChainLinks, chain: readonly number[]): Steps<number[]> {
  const { copies } = links;
  const onChain = new Set(chain);
  const slotOfMessage = new Map<string, number>();
  const slotOfCall = new Map<string, number>();
  const answered = new Set<string>();
  for (const [slot, position] of chain.entries()) {
    if (isPause(slot)) yield;
    const node = nodes[position];
    if (node?.messageId !== undefined && !slotOfMessage.has(node.messageId)) slotOfMessage.set(node.messageId, slot);
    for (const id of node?.toolUseIds ?? []) slotOfCall.set(id, slot);
    for (const id of node?.toolResultIds ?? []) answered.add(id);
  }
  const ascending = chain.every((position, slot) => slot === 0 || position > (chain[slot - 1] ?? NONE));
  const added = new Map<number, number[]>();
  const add = (position: number, slot: number): number => {
    const list = added.get(slot);
    if (list === undefined) added.set(slot, [position]);
    else list.push(position);
    return slot;
  };
  for (const [position, node] of nodes.entries()) {
    if (isPause(position)) yield;
    const anchor = node.messageId === undefined ? undefined : slotOfMessage.get(node.messageId);
    if (anchor === undefined || node.isSidechain || onChain.has(position) || copies.has(position)) continue;
    onChain.add(position);
    const slot = add(position, ascending ? lastSlotBefore(chain, position) : anchor);
    for (const id of node.toolUseIds ?? []) if (!slotOfCall.has(id)) slotOfCall.set(id, slot);
  }
  for (const [position, node] of nodes.entries()) {
    if (isPause(position)) yield;
    if (node.isSidechain || onChain.has(position) || copies.has(position)) continue;
    const missing = node.toolResultIds?.find((id) => slotOfCall.has(id) && !answered.has(id));
    if (missing === undefined) continue;
    for (const id of node.toolResultIds ?? []) answered.add(id);
    const call = slotOfCall.get(missing) ?? 0;
    add(position, ascending ? Math.max(call, lastSlotBefore(chain, position)) : call);
    onChain.add(position);
  }
  const lost = resultsOfLostCalls(nodes, links).filter((position) => !onChain.has(position));
  const slots = ascending || lost.length === 0 ? undefined : new Map(chain.map((position, slot) => [position, slot]));
  for (const position of lost) {
    const parent = links.parents[position] ?? NONE;
    if (!onChain.has(parent)) continue;
    add(position, slots === undefined ? lastSlotBefore(chain, position) : (slots.get(parent) ?? chain.length - 1));
    onChain.add(position);
  }
  const inFileOrder = (slot: number): readonly number[] => added.get(slot)?.sort((a, b) => a - b) ?? [];
  return [...inFileOrder(NONE), ...chain.flatMap((position, slot) => [position, ...inFileOrder(slot)])];
}

/** Results whose parent and whose call are not in the file: with parallel calls nothing else leads to them once the line of their call is damaged. */
function resultsOfLostCalls(nodes: readonly ChainNode[], { dangling }: ChainLinks): readonly number[] {
  const results = dangling.filter((position) => (nodes[position]?.toolResultIds?.length ?? 0) > 0);
  if (results.length === 0) return results;
  const calls = new Set(nodes.flatMap(({ toolUseIds = [] }) => toolUseIds));
  return results.filter((position) => nodes[position]?.toolResultIds?.some((id) => calls.has(id)) === false);
}

/** Index of the last entry of an ascending list that is below `position`, or -1. */
function lastSlotBefore(ascending: readonly number[], position: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
