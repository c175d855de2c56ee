import type { CompactBoundary, PreservedSegment } from '../../model/boundary';
import type { Diagnostic } from '../../model/transcript';
import { isPause, type Steps } from '../../util/steps';
import type { ChainNode } from '../chain';
import type { BoundaryFacts, ClaudeRecord, PreservedFacts } from './claudeRecord';

export interface ClaudeContext {
  readonly boundaries: readonly CompactBoundary[];
  /** Indexes of the entries that the model gets, in its order. */
  readonly context: readonly number[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the compactions of a live branch, whose records all are messages, and what is in the context after the last of them: what stands behind
 * the boundary, with the preserved messages, which may stand before it, spliced in behind their anchor (the boundary itself, or the summary).
 * `nodes` are all records of the session, abandoned ones and carriers included, and `carriers` what stands in them.
 */
export function* claudeContext(
  live: readonly ClaudeRecord[],
  nodes: readonly ChainNode[],
  carriers: readonly ClaudeRecord[],
): Steps<ClaudeContext> {
  const starts: number[] = [];
  for (const [index, record] of live.entries()) {
    if (isPause(index)) yield;
    if (record.boundary !== undefined) starts.push(index);
  }
  // Only compactions that name preserved records ask where any record is.
  const isNamed = starts.some((index) => live[index]?.boundary?.preserved !== undefined);
  const indexOfId = isNamed ? yield* placesOf(live) : NO_PLACES;
  const tree = isNamed ? yield* parentsOf(nodes) : NO_PARENTS;
  const diagnostics: Diagnostic[] = [];
  const readings = starts.map((index, order): Reading => {
    const facts = live[index]?.boundary ?? UNKNOWN_BOUNDARY;
    const end = starts[order + 1] ?? live.length;
    const summary = summaryIndex(live, index, end, facts.preserved);
    const named = facts.preserved === undefined ? [] : preservedIds(facts.preserved, tree, indexOfId);
    // A named record that is no message (a carrier of the chain) has nothing to preserve.
    const ids = named.filter((id) => indexOfId.has(id) || !tree.has(id));
    const found = ids.flatMap((id) => indexOfId.get(id) ?? []).sort((a, b) => a - b);
    const missing = ids.length - found.length;
    if (missing > 0) diagnostics.push(missingPreserved(live[index], missing, ids.length));
    const besides = named.filter((id) => !indexOfId.has(id) && tree.has(id));
    return { index, facts, summary, ids, found, isComplete: missing === 0, besides };
  });
  const last = readings.at(-1);
  const abandoned = messagesAmong(carriers, new Set(readings.flatMap(({ besides }) => besides)));
  return {
    boundaries: readings.map((reading) => boundaryOf(reading, live, abandoned)),
    context: last === undefined ? withoutBoundary(live) : behindBoundary(last, live, indexOfId),
    diagnostics,
  };
}

interface Reading {
  readonly index: number;
  readonly facts: BoundaryFacts;
  readonly summary: number | undefined;
  readonly ids: readonly string[];
  readonly found: readonly number[];
  readonly isComplete: boolean;
  /** Named records that are in the file but no message of the branch. */
  readonly besides: readonly string[];
}

const UNKNOWN_BOUNDARY: BoundaryFacts = {
  trigger: 'unknown',
  preTokens: undefined,
  postTokens: undefined,
  durationMs: undefined,
  preserved: undefined,
};

/** The summary need not stand directly behind the boundary: a physically written head stands between them. */
function summaryIndex(
  live: readonly ClaudeRecord[],
  boundary: number,
  end: number,
  preserved: PreservedFacts | undefined,
): number | undefined {
  // A kept part may hold the summary of an earlier compaction.
  const kept = new Set(preserved?.ids);
  const isSummary = (entry: ClaudeRecord | undefined): boolean => entry?.message?.kind === 'summary' && !kept.has(entry.message.id);
  for (let index = boundary + 1; index < end; index++) if (isSummary(live[index])) return index;
  for (let index = boundary + 1; index < end; index++) if (live[index]?.message?.id === preserved?.anchor) return index;
  return undefined;
}

/** The named records, or the walk over the parents from the last to the first where only the two ends are named. */
function preservedIds(preserved: PreservedFacts, tree: Parents, indexOfId: Places): readonly string[] {
  if (preserved.ids !== undefined) return [...new Set(preserved.ids)];
  const { head, tail } = preserved;
  if (head === undefined || tail === undefined) return [];
  const ids: string[] = [];
  const seen = new Set<string>();
  let at: string | undefined = tail;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    if (indexOfId.has(at) || at === head || at === tail) ids.push(at);
    if (at === head) return ids.reverse();
    at = tree.get(at);
  }
  return [...new Set([head, tail])];
}

function missingPreserved(record: ClaudeRecord | undefined, missing: number, all: number): Diagnostic {
  return { line: record?.message?.line ?? 0, code: 'missing_preserved', severity: 'warning', detail: `${missing} of ${all}` };
}

/** Those of the ids whose records hold a message. */
function messagesAmong(carriers: readonly ClaudeRecord[], ids: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  if (ids.size === 0) return found;
  for (const { message } of carriers) if (message !== undefined && ids.has(message.id)) found.add(message.id);
  return found;
}

function boundaryOf(reading: Reading, live: readonly ClaudeRecord[], messages: ReadonlySet<string>): CompactBoundary {
  const { index, facts, summary, ids, found, isComplete } = reading;
  const abandoned = reading.besides.filter((named) => messages.has(named));
  const message = live[index]?.message;
  const id = message?.id ?? '';
  const summaryId = summary === undefined ? undefined : live[summary]?.message?.id;
  return {
    index,
    id,
    timestamp: message?.timestamp,
    trigger: facts.trigger,
    preTokens: facts.preTokens,
    postTokens: facts.postTokens,
    durationMs: facts.durationMs,
    summaryId,
    preservedSegment: facts.preserved === undefined ? undefined : segmentOf(facts.preserved, { ids, found, abandoned }, id, summaryId),
    valid: isComplete && summaryId !== undefined,
  };
}

function segmentOf(
  preserved: PreservedFacts,
  { ids, found, abandoned }: Pick<Reading, 'ids' | 'found'> & { readonly abandoned: readonly string[] },
  boundaryId: string,
  summaryId: string | undefined,
): PreservedSegment {
  const { anchor } = preserved;
  const direction = anchor === undefined ? undefined : anchor === boundaryId ? 'from' : anchor === summaryId ? 'upTo' : undefined;
  const left = abandoned.length === 0 ? {} : { abandoned };
  return { startIndex: found[0] ?? null, count: ids.length, anchor, direction, ids, ...left };
}

/** Places on the branch by id. */
type Places = ReadonlyMap<string, number>;

/** Parents of all records by id. */
type Parents = ReadonlyMap<string, string | undefined>;

const NO_PLACES: Places = new Map();
const NO_PARENTS: Parents = new Map();

function* placesOf(live: readonly ClaudeRecord[]): Steps<Places> {
  const places = new Map<string, number>();
  for (const [index, { message }] of live.entries()) {
    if (isPause(index)) yield;
    places.set(message?.id ?? '', index);
  }
  return places;
}

function* parentsOf(nodes: readonly ChainNode[]): Steps<Parents> {
  const parents = new Map<string, string | undefined>();
  for (const [index, { id, parentId }] of nodes.entries()) {
    if (isPause(index)) yield;
    if (id !== undefined) parents.set(id, parentId ?? undefined);
  }
  return parents;
}

/** Everything on the branch; from the last summary that begins a tree of its own, where an old version compacted without a boundary. */
function withoutBoundary(live: readonly ClaudeRecord[]): readonly number[] {
  const restart = live.findLastIndex((entry) => entry.message?.kind === 'summary' && entry.node?.continues !== undefined);
  return visible(live, Math.max(restart, 0));
}

function behindBoundary(last: Reading, live: readonly ClaudeRecord[], indexOfId: Places): readonly number[] {
  const rest = visible(live, last.index + 1);
  const preserved = last.found.filter((index) => index < last.index && isVisible(live[index]));
  if (preserved.length === 0) return rest;
  const anchor = last.facts.preserved?.anchor;
  const anchorIndex = anchor === undefined ? undefined : indexOfId.get(anchor);
  const after = anchorIndex !== undefined && anchorIndex >= last.index ? anchorIndex : (last.summary ?? last.index);
  return [...rest.filter((index) => index <= after), ...preserved, ...rest.filter((index) => index > after)];
}

function visible(live: readonly ClaudeRecord[], from: number): readonly number[] {
  const indexes: number[] = [];
  for (let index = from; index < live.length; index++) if (isVisible(live[index])) indexes.push(index);
  return indexes;
}

/** Boundaries are marks in the file, and the agent takes its own error lines out of the next request. */
function isVisible(entry: ClaudeRecord | undefined): boolean {
  const kind = entry?.message?.kind;
  return kind !== undefined && kind !== 'boundary' && kind !== 'microBoundary' && entry?.isApiFailure === false;
}
