// What a compaction that an agent made itself did, read from the transcript afterwards.
import { lostItems, type LostItem } from '../compaction/lost';
import { textOf, type Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import type { Steps } from '../util/steps';
import { boundaryContexts, type BoundaryContexts } from './boundaryReportContexts';
import { chainFaults, type ChainFault } from './boundaryReportFaults';
import { boundarySizes, type BoundarySizes } from './boundaryReportSizes';
import { rewrittenResults } from './boundaryReportCleared';
import type { Inspection } from './inspection';
import { refillOf, type Refill } from './refill';

export interface BoundaryReport {
  /** Ordinal of the boundary. */
  readonly ordinal: number;
  readonly contexts: BoundaryContexts;
  readonly sizes: BoundarySizes;
  /** Rows of kept messages that hold shortened results. */
  readonly cleared: readonly number[];
  /** What neither the summary nor what else stands behind the boundary states; undefined where no text of a summary can be read. */
  readonly lost: readonly LostItem[] | undefined;
  readonly faults: readonly ChainFault[];
  /** A summary of an earlier compaction left with the rest: its originals are two compactions away. */
  readonly ofSummary: boolean;
  readonly refill: Refill | undefined;
}

/**
 * Reports on one boundary, in pieces; undefined where there is no such boundary. Costs by the messages around it, and one look at the ids of all
 * others. The texts of a large session are read from its file: throws ReadError when another file stands there by now.
 */
export function* boundaryReport(inspection: Inspection, ordinal: number): Steps<BoundaryReport | undefined> {
  const { transcript, sizes: measured, mediaTokens } = inspection;
  const contexts = boundaryContexts(transcript, ordinal);
  if (contexts === undefined) return undefined;
  yield;
  const faults = chainFaults(transcript, contexts);
  const sizes = boundarySizes(transcript, contexts, measured, mediaTokens);
  yield;
  const cleared = rewrittenResults(transcript, contexts);
  const lost = lostAt(transcript, contexts);
  yield;
  const { before, added, later, left } = contexts;
  const room = Math.max(0, sizes.before.tokens - sizes.after.tokens);
  const refill = refillOf({ messages: transcript.messages, tokens: measured.tokens, before, added, later, room });
  const ofSummary = left.some((index) => transcript.messages[index]?.kind === 'summary');
  return { ordinal, contexts, sizes, cleared, lost, faults, ofSummary, refill };
}

/** Nothing can be said where the summary is encrypted or gone. An agent that only cuts has no summary, and states nothing of what it cut. */
function lostAt({ messages }: Transcript, { boundary, left, kept, added, summary }: BoundaryContexts): readonly LostItem[] | undefined {
  const message = summary === undefined ? undefined : messages[summary];
  const text = message === undefined ? '' : textOf(message);
  if (text.trim() === '' && (message !== undefined || !boundary.valid)) return undefined;
  const at = (indexes: readonly number[]): Message[] => indexes.flatMap((index) => messages[index] ?? []);
  return lostItems({ summarized: at(left), summary: text, kept: at([...kept, ...added]) });
}
