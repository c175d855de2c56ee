// Whether the records around a boundary hang together: what it names is there, was in the context, and stands in order.
import type { DiagnosticCode, Transcript } from '../model/transcript';
import { namesWhatStays, type BoundaryContexts } from './boundaryReportContexts';

export type ChainFaultKind = 'missingParent' | 'missingSummary' | 'missingPreserved' | 'stalePreserved' | 'duplicateId' | 'wrongOrder';

export interface ChainFault {
  readonly kind: ChainFaultKind;
  /** Ids that it is about; empty where the file names none. */
  readonly ids: readonly string[];
}

/**
 * Checks the chain around a boundary. `missingParent` and `duplicateId` are about the records from the boundary before up to what this one put in;
 * `stalePreserved` names messages that are in the file but were not in the context any more, as after a rewind or a fork. Linear.
 */
export function chainFaults(transcript: Transcript, contexts: BoundaryContexts): readonly ChainFault[] {
  const { boundary, summary } = contexts;
  const faults: ChainFault[] = [];
  const add = (kind: ChainFaultKind, ids: readonly string[], isThere = ids.length > 0): void => {
    if (isThere) faults.push({ kind, ids: [...new Set(ids)] });
  };
  const range = linesAround(transcript, contexts);
  const summaryNamed = boundary.summaryId === undefined ? [] : [boundary.summaryId];
  add('missingParent', idsAt(transcript, range, PARENT_CODES));
  add('missingSummary', summaryNamed, summary === undefined && (boundary.summaryId !== undefined || !boundary.valid));
  const { ids, count } = missingPreserved(transcript, contexts);
  add('missingPreserved', ids, count > 0);
  add('stalePreserved', stalePreserved(transcript, contexts));
  add('duplicateId', idsAt(transcript, range, DUPLICATE_CODES));
  add('wrongOrder', outOfOrder(transcript, contexts));
  return faults;
}

const PARENT_CODES: ReadonlySet<DiagnosticCode> = new Set(['dangling_parent', 'cycle']);
const DUPLICATE_CODES: ReadonlySet<DiagnosticCode> = new Set(['dup_uuid']);

interface Lines {
  readonly from: number;
  readonly to: number;
}

/** Lines behind the boundary before this one, up to the last record of this one. */
function linesAround({ messages, boundaries }: Transcript, { boundary, added, summary }: BoundaryContexts): Lines {
  const previous = boundaries.findLast(({ index }) => index < boundary.index);
  const lineOf = (index: number | undefined): number => (index === undefined ? 0 : (messages[index]?.line ?? 0));
  const last = Math.max(lineOf(boundary.index), lineOf(summary), lineOf(added.at(-1)));
  return { from: previous === undefined ? 1 : lineOf(previous.index) + 1, to: last };
}

/** Ids of the records at whose lines the reader has noted one of these; a line that holds no message is named by its number. */
function idsAt({ messages, diagnostics }: Transcript, { from, to }: Lines, codes: ReadonlySet<DiagnosticCode>): readonly string[] {
  const lines = new Set(diagnostics.flatMap(({ code, line }) => (codes.has(code) && line >= from && line <= to ? [line] : [])));
  if (lines.size === 0) return [];
  const ids = new Map<number, string>();
  for (const { line, id } of messages) if (lines.has(line) && !ids.has(line)) ids.set(line, id);
  return [...lines].map((line) => ids.get(line) ?? `line:${line}`);
}

/** Named messages that no record of the live conversation has, and how many more there are that nobody names. */
function missingPreserved(
  { messages }: Transcript,
  { boundary }: BoundaryContexts,
): { readonly ids: readonly string[]; readonly count: number } {
  const segment = boundary.preservedSegment;
  if (segment === undefined) return { ids: [], count: 0 };
  const named = new Set(segment.ids);
  const found = new Set(messages.flatMap(({ id }) => (named.has(id) ? [id] : [])));
  const ids = segment.ids.filter((id) => !found.has(id));
  return { ids, count: ids.length + Math.max(0, segment.count - segment.ids.length) };
}

/** Kept messages that stand before the boundary but were in no context there, and those on a branch that was left. */
function stalePreserved(transcript: Transcript, { boundary, before, kept }: BoundaryContexts): readonly string[] {
  if (!namesWhatStays(transcript)) return [];
  const present = new Set(before);
  const gone = kept.filter((index) => index < boundary.index && !present.has(index));
  return [...idsOf(transcript, gone), ...(boundary.preservedSegment?.abandoned ?? [])];
}

/**
 * Records of a file of lines that stand on the wrong side: in the context before the boundary though written after it, a summary written before
 * its boundary, and kept messages that are named in another order than theirs.
 */
function outOfOrder(transcript: Transcript, { boundary, before, kept, summary }: BoundaryContexts): readonly string[] {
  const { messages } = transcript;
  const { line = 0 } = messages[boundary.index] ?? {};
  const lineOf = (index: number): number => messages[index]?.line ?? 0;
  const late = line === 0 ? [] : before.filter((index) => lineOf(index) > line);
  const early = line === 0 || summary === undefined || lineOf(summary) === 0 || lineOf(summary) >= line ? [] : [summary];
  return [...idsOf(transcript, [...late, ...early]), ...misplaced(transcript, boundary.preservedSegment?.ids ?? [], kept)];
}

function misplaced(transcript: Transcript, named: readonly string[], kept: readonly number[]): readonly string[] {
  if (!namesWhatStays(transcript)) return [];
  const rows = new Map(kept.map((index) => [transcript.messages[index]?.id ?? '', index]));
  let last = -1;
  return named.filter((id) => {
    const row = rows.get(id) ?? Infinity;
    if (row < last) return true;
    if (row !== Infinity) last = row;
    return false;
  });
}

function idsOf({ messages }: Transcript, indexes: readonly number[]): readonly string[] {
  return indexes.flatMap((index) => messages[index]?.id ?? []);
}
