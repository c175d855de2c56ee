import type { Diagnostic } from '../model/transcript';
import { finish, isPause, type Steps } from '../util/steps';
import { NONE, withParallelBranches } from './parallelBranches';

/** What a record says about its place in the conversation's tree. Nodes stand in file order. */
export interface ChainNode {
  readonly id: string | undefined;
  /** Null for a root; undefined when the record names none, which then follows the record before it. */
  readonly parentId: string | null | undefined;
  /** Where the branch goes on before a record whose own parent is null (Claude Code `logicalParentUuid` of a compaction boundary). */
  readonly continues?: { readonly id: string | undefined } | undefined;
  readonly isSidechain: boolean;
  /** False for carriers that never end a conversation (progress records, unknown types). */
  readonly canBeLeaf: boolean;
  readonly messageId?: string | undefined;
  readonly toolUseIds?: readonly string[] | undefined;
  readonly toolResultIds?: readonly string[] | undefined;
  readonly line: number;
}

export interface LiveChain {
  /** Positions of the live branch, in conversation order, without repeats. */
  readonly chain: readonly number[];
  /** Main-chain positions that are on no live branch, in file order. */
  readonly abandoned: readonly number[];
  /** Positions that repeat an earlier record word for word; they count nowhere. */
  readonly copies: ReadonlySet<number>;
  /** Positions of the live branch that hang beside the walk over the parents. */
  readonly beside: readonly number[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Positions of two nodes with one id and one parent. */
export type IsCopy = (later: number, earlier: number) => boolean;

/**
 * Finds the branch that ends at the leaf (R28, R34, R35): the walk over the parents, plus the parallel fragments, calls and results that
 * hang beside it. Loops, self-parents, repeated ids and gaps end in linear time, are bridged to the record before, and are reported.
 * Without `leafId`, or when it is not there, the leaf is the last main-chain node that can be one. `isCopy` tells whether a node with a
 * repeated id is the same record again; the agents write some once more when a session is resumed. `hasUniqueIds` is what the caller knows.
 */
export function liveChain(nodes: readonly ChainNode[], leafId?: string, isCopy: IsCopy = () => false, hasUniqueIds = false): LiveChain {
  return finish(liveChainSteps(nodes, leafId, isCopy, hasUniqueIds));
}

/** The same in short pieces, between which `nodes` must not change. */
export function* liveChainSteps(
  nodes: readonly ChainNode[],
  leafId: string | undefined,
  isCopy: IsCopy,
  hasUniqueIds: boolean,
): Steps<LiveChain> {
  const straight = hasUniqueIds ? yield* straightChain(nodes, leafId) : undefined;
  if (straight !== undefined) return straight;
  const diagnostics: Diagnostic[] = [];
  const links = yield* resolveParents(nodes, isCopy, diagnostics);
  const named = leafId === undefined ? undefined : links.lastById.get(leafId);
  const leaf = named !== undefined && nodes[named]?.isSidechain === false ? named : links.lastLeaf;
  const walked = yield* walk(nodes, links, leaf, diagnostics);
  // Most sessions never branch; then nothing can hang beside the walk.
  const chain = walked.length === (yield* countMain(nodes, links)) ? walked : yield* withParallelBranches(nodes, links, walked);
  const kept = new Uint8Array(nodes.length);
  for (const position of chain) kept[position] = 1;
  const abandoned: number[] = [];
  for (const [position, node] of nodes.entries()) {
    if (isPause(position)) yield;
    if (!node.isSidechain && kept[position] === 0 && !links.copies.has(position)) abandoned.push(position);
  }
  const walkedTo = new Uint8Array(chain === walked ? 0 : nodes.length);
  for (const position of chain === walked ? [] : walked) walkedTo[position] = 1;
  const beside = chain === walked ? [] : chain.filter((position) => walkedTo[position] === 0);
  return { chain, abandoned, copies: links.copies, beside, diagnostics };
}

/** The chain of a session in which every record follows the one before it, which needs no list of ids; undefined for any other. */
function* straightChain(nodes: readonly ChainNode[], leafId: string | undefined): Steps<LiveChain | undefined> {
  let leaf = NONE;
  for (let position = 0; position < nodes.length; position++) {
    if (isPause(position)) yield;
    const node = nodes[position];
    if (node === undefined || node.isSidechain || !followsPrevious(node, nodes[position - 1])) return undefined;
    if (node.canBeLeaf) leaf = position;
  }
  if (leafId !== undefined && nodes[leaf]?.id !== leafId) return undefined;
  const chain = Array.from({ length: leaf + 1 }, (_, position) => position);
  const abandoned = Array.from({ length: nodes.length - leaf - 1 }, (_, index) => leaf + 1 + index);
  return { chain, abandoned, copies: new Set(), beside: [], diagnostics: [] };
}

function followsPrevious({ parentId, continues }: ChainNode, previous: ChainNode | undefined): boolean {
  if (previous === undefined) return parentId === null || (parentId === undefined && continues === undefined);
  if (typeof parentId === 'string') return parentId === previous.id;
  if (continues !== undefined) return continues.id !== undefined && continues.id === previous.id;
  return parentId === undefined && previous.canBeLeaf;
}

/** Where the nodes hang, in the order of the file. */
export interface ChainLinks {
  /** Position of each node's parent, or NONE. */
  readonly parents: Int32Array;
  readonly lastById: ReadonlyMap<string, number>;
  readonly copies: ReadonlySet<number>;
  readonly lastLeaf: number;
  /** Main-chain positions whose parent is not in the file, ascending. */
  readonly dangling: readonly number[];
}

function* countMain(nodes: readonly ChainNode[], { copies }: ChainLinks): Steps<number> {
  let count = 0;
  for (const [position, node] of nodes.entries()) {
    if (isPause(position)) yield;
    if (!node.isSidechain && !copies.has(position)) count++;
  }
  return count;
}

function* resolveParents(nodes: readonly ChainNode[], isCopy: IsCopy, diagnostics: Diagnostic[]): Steps<ChainLinks> {
  const parents = new Int32Array(nodes.length).fill(NONE);
  const before = new Int32Array(nodes.length).fill(NONE);
  const lastById = new Map<string, number>();
  const copies = new Set<number>();
  const unresolved: number[] = [];
  const dangling: number[] = [];
  let previous = NONE;
  for (const [position, node] of nodes.entries()) {
    if (isPause(position)) yield;
    before[position] = previous;
    const earlier = node.id === undefined ? undefined : lastById.get(node.id);
    if (earlier !== undefined) {
      diagnostics.push({ line: node.line, code: 'dup_uuid', severity: 'warning' });
      if (nodes[earlier]?.parentId === node.parentId && isCopy(position, earlier)) {
        copies.add(position);
        continue;
      }
    }
    const parent = typeof node.parentId === 'string' ? lastById.get(node.parentId) : undefined;
    if (parent !== undefined) parents[position] = leavesMainChain(node, nodes[parent]) ? previous : parent;
    else if (typeof node.parentId === 'string') unresolved.push(position);
    else if (node.continues !== undefined) {
      const named = node.continues.id === undefined ? undefined : lastById.get(node.continues.id);
      parents[position] = named === undefined || leavesMainChain(node, nodes[named]) ? previous : named;
    } else if (node.parentId === undefined && !node.isSidechain) parents[position] = previous;
    if (node.id !== undefined) lastById.set(node.id, position);
    if (!node.isSidechain && node.canBeLeaf) previous = position;
  }
  const firstById = unresolved.length === 0 ? undefined : yield* firstPositions(nodes, copies);
  for (const position of unresolved) {
    const node = nodes[position];
    const later = typeof node?.parentId === 'string' ? firstById?.get(node.parentId) : undefined;
    if (node === undefined) continue;
    if (later !== undefined && later !== position && !leavesMainChain(node, nodes[later])) parents[position] = later;
    else {
      const code = later === position ? 'cycle' : 'dangling_parent';
      diagnostics.push({ line: node.line, code, severity: 'warning' });
      if (node.isSidechain) continue;
      parents[position] = before[position] ?? NONE;
      if (later === undefined) dangling.push(position);
    }
  }
  return { parents, lastById, copies, lastLeaf: previous, dangling };
}

function* firstPositions(nodes: readonly ChainNode[], copies: ReadonlySet<number>): Steps<ReadonlyMap<string, number>> {
  const first = new Map<string, number>();
  for (const [position, { id }] of nodes.entries()) {
    if (isPause(position)) yield;
    if (id !== undefined && !copies.has(position) && !first.has(id)) first.set(id, position);
  }
  return first;
}

/** A main-chain record never follows a sub-agent's record; where one says so, the main chain is bridged. */
function leavesMainChain(node: ChainNode, parent: ChainNode | undefined): boolean {
  return !node.isSidechain && parent?.isSidechain === true;
}

/** Positions from the root to the leaf. Where a loop closes, the walk goes on at the nearest earlier record that it has not met. */
function* walk(nodes: readonly ChainNode[], links: ChainLinks, leaf: number, diagnostics: Diagnostic[]): Steps<number[]> {
  const seen = new Uint8Array(nodes.length);
  const reversed: number[] = [];
  let bridge = nodes.length;
  let at = leaf;
  while (at !== NONE) {
    if (isPause(reversed.length)) yield;
    seen[at] = 1;
    reversed.push(at);
    const parent = links.parents[at] ?? NONE;
    if (parent === NONE || seen[parent] === 0) {
      at = parent;
      continue;
    }
    diagnostics.push({ line: nodes[at]?.line ?? 0, code: 'cycle', severity: 'warning' });
    bridge = Math.min(bridge, at) - 1;
    while (bridge >= 0 && !canBridgeTo(nodes[bridge], bridge, seen, links)) bridge--;
    at = bridge;
  }
  return reversed.reverse();
}

function canBridgeTo(node: ChainNode | undefined, position: number, seen: Uint8Array, links: ChainLinks): boolean {
  return node?.isSidechain === false && node.canBeLeaf && seen[position] === 0 && !links.copies.has(position);
}
