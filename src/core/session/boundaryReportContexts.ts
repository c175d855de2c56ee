// Which messages stood in the context around a compaction of the past, as far as the transcript tells.
import { ownWords, type OwnWords } from '../compaction/offline/userText';
import type { CompactBoundary } from '../model/boundary';
import type { Message } from '../model/message';
import { StoredBlock } from '../model/storedBlock';
import type { FormatId, Transcript } from '../model/transcript';

/** The contexts on both sides of a boundary. All lists hold indexes into the transcript's messages, in the order of the file. */
export interface BoundaryContexts {
  readonly boundary: CompactBoundary;
  /** Right before it. Empty where the file begins with the boundary, as copies do. */
  readonly before: readonly number[];
  /** What stayed word for word, wherever it stands in the file. */
  readonly kept: readonly number[];
  /** What was there before and did not stay. */
  readonly left: readonly number[];
  /** Row of the summary; undefined where the file has none. */
  readonly summary: number | undefined;
  /** What the agent put in along with the summary: reminders, files, a new history's own entries. */
  readonly added: readonly number[];
  /** What came after that, up to the next boundary or the end. */
  readonly later: readonly number[];
}

/** Agents whose records name the ids of what stays. Of all others the reader works out what stayed, by what was in the context. */
const NAME_WHAT_STAYS: ReadonlySet<FormatId> = new Set(['claude-code']);

/** True where the file itself names the messages that stay, so that a name can be wrong. */
export function namesWhatStays({ format }: Transcript): boolean {
  return NAME_WHAT_STAYS.has(format);
}

/** The contexts around a boundary, by its ordinal; undefined where there is no such boundary. Linear in the messages. */
export function boundaryContexts(transcript: Transcript, ordinal: number): BoundaryContexts | undefined {
  const { messages, boundaries } = transcript;
  const boundary = boundaries[ordinal];
  if (boundary === undefined) return undefined;
  const rows = namedRows(transcript, ordinal);
  const kept = keptAt(transcript, ordinal, rows);
  const before = contextBefore(transcript, ordinal, rows);
  const stays = new Set(kept);
  const summary = boundary.summaryId === undefined ? undefined : rows.get(boundary.summaryId);
  const end = boundaries[ordinal + 1]?.index ?? messages.length;
  const addedEnd = endOfAdded(transcript, boundary, summary, stays, end);
  const behind = (from: number, to: number): readonly number[] =>
    seen(messages, from, to).filter((index) => index !== summary && !stays.has(index));
  return {
    boundary,
    before,
    kept,
    left: before.filter((index) => !stays.has(index)),
    summary,
    added: behind(boundary.index + 1, addedEnd),
    later: behind(addedEnd, end),
  };
}

/** What stood in the context right before a boundary: what the one before it left, and all that came since. */
function contextBefore(transcript: Transcript, ordinal: number, rows: ReadonlyMap<string, number>): readonly number[] {
  const { messages, boundaries } = transcript;
  const to = boundaries[ordinal]?.index ?? 0;
  const previous = boundaries[ordinal - 1];
  if (previous === undefined) return seen(messages, Math.max(0, unmarkedSummary(messages, to)), to);
  const stayed = keptAt(transcript, ordinal - 1, rows).filter((index) => index < previous.index);
  return [...stayed, ...seen(messages, previous.index + 1, to)];
}

/** Where an old version compacted without a boundary, the summary alone shows it; -1 without one. */
function unmarkedSummary(messages: readonly Message[], to: number): number {
  for (let index = to - 1; index >= 0; index--) if (messages[index]?.kind === 'summary') return index;
  return -1;
}

/**
 * What a boundary left word for word. Of the last one the context tells exactly; of earlier ones their own lists, and what is still there. An
 * agent that names what stays may name what was gone already, so there the names alone count.
 */
function keptAt(transcript: Transcript, ordinal: number, rows: ReadonlyMap<string, number>): readonly number[] {
  const { boundaries, context } = transcript;
  const boundary = boundaries[ordinal];
  if (boundary === undefined) return [];
  const named = (boundary.preservedSegment?.ids ?? []).flatMap((id) => rows.get(id) ?? []);
  const isLast = ordinal === boundaries.length - 1;
  const stays = isLast || !namesWhatStays(transcript) ? context.filter((index) => index < boundary.index) : [];
  return [...new Set([...named, ...stays])].sort((a, b) => a - b);
}

/** Rows of the ids that this boundary and the one before it name. */
function namedRows({ messages, boundaries }: Transcript, ordinal: number): ReadonlyMap<string, number> {
  const named = new Set<string>();
  for (const boundary of boundaries.slice(Math.max(0, ordinal - 1), ordinal + 1)) {
    if (boundary.summaryId !== undefined) named.add(boundary.summaryId);
    for (const id of boundary.preservedSegment?.ids ?? []) named.add(id);
  }
  const rows = new Map<string, number>();
  if (named.size === 0) return rows;
  messages.forEach(({ id }, index) => {
    if (named.has(id)) rows.set(id, index);
  });
  return rows;
}

/**
 * Where the records of the compaction itself end: behind the summary, with what the program adds to it, what it repeats of the kept messages, the
 * command by which a user asked for it, and the rest of a new history that one line states.
 */
function endOfAdded(
  { messages }: Transcript,
  boundary: CompactBoundary,
  summary: number | undefined,
  kept: ReadonlySet<number>,
  end: number,
): number {
  const { line = 0 } = messages[boundary.index] ?? {};
  const isOwnLine = line > 0 && messages[boundary.index - 1]?.line !== line;
  let index = Math.min(end, Math.max(boundary.index, summary ?? -1) + 1);
  for (; index < end; index++) {
    const message = messages[index];
    if (message === undefined) break;
    const isPart = kept.has(index) || PROGRAMS_OWN.has(message.kind) || (isOwnLine && message.line === line);
    if (!isPart && !isLocalCommand(messages, index)) break;
  }
  return index;
}

/** True for a slash command that the program answered itself, and for its answer. */
function isLocalCommand(messages: readonly Message[], index: number): boolean {
  const { command, isLocalOutput } = wordsOf(messages[index]);
  return isLocalOutput || (command !== undefined && wordsOf(messages[index + 1]).isLocalOutput);
}

function wordsOf(message: Message | undefined): Pick<OwnWords, 'command' | 'isLocalOutput'> {
  const [block, ...others] = message?.role === 'user' ? message.content : [];
  const isShort = block?.type === 'text' && others.length === 0 && !StoredBlock.isStored(block, 'text');
  return isShort ? ownWords(block.text) : { command: undefined, isLocalOutput: false };
}

const PROGRAMS_OWN: ReadonlySet<Message['kind']> = new Set(['summary', 'attachment', 'meta', 'microBoundary', 'apiError']);

/** Rows of a range that the model gets: no marks and no error lines. */
function seen(messages: readonly Message[], from: number, to: number): readonly number[] {
  const indexes: number[] = [];
  for (let index = from; index < to; index++) {
    const kind = messages[index]?.kind;
    if (kind !== undefined && kind !== 'boundary' && kind !== 'microBoundary' && kind !== 'apiError') indexes.push(index);
  }
  return indexes;
}
