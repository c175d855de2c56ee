import type { Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import { messageAt } from '../transcript/lineage';
import type { GuessedTokens } from '../tokens/errorBand';
import { explainDrop, explainJump, explainRefill, type DropCause, type JumpCause, type RefillCause } from './timelineCauses';
import { reportedPoints, type ReportedPoint } from './timelinePoints';

/** Sizes that the timeline compares reports with. */
export interface TimelineSizes {
  /** Of the messages from the first one on that is looked at. */
  readonly tokens: readonly number[];
  readonly bandOf: (guessed: GuessedTokens) => number;
}

/** Something on the timeline that the content does not explain, or that undoes a compaction. `tokens` is how much, always above 0. */
export type TimelineMark =
  | { readonly kind: 'jump'; readonly index: number; readonly tokens: number; readonly cause: JumpCause }
  | { readonly kind: 'drop'; readonly index: number; readonly tokens: number; readonly cause: DropCause }
  | { readonly kind: 'refill'; readonly index: number; readonly tokens: number; readonly cause: RefillCause };

export interface Timeline {
  /** The reported contexts, oldest first. */
  readonly points: readonly ReportedPoint[];
  readonly marks: readonly TimelineMark[];
}

/** What differs from the estimate by less is not worth a mark. */
const NOTICEABLE = { tokens: 2000, bands: 3 } as const;
/** A compaction is undone when half of what it freed is back within this many requests; so many messages before it are searched for the same calls. */
const REFILL = { share: 0.5, requests: 10, leastFreed: 10_000, searched: 1000 } as const;

/**
 * The size of the context over the session as providers reported it, with the steps that the messages in between do not explain: jumps, silent
 * drops, and refills after a compaction, each with its likely cause. `from` leaves out what lies before a message, and `sizes.tokens` begins with
 * that one. Linear in what is looked at.
 */
export function contextTimeline(transcript: Transcript, sizes: TimelineSizes, from = 0): Timeline {
  const points = reportedPoints(transcript, sizes.tokens, from);
  const marks: TimelineMark[] = [];
  points.forEach((point, at) => {
    const previous = points[at - 1];
    if (previous === undefined) return;
    const mark = point.stretch === previous.stretch ? stepMark(transcript, sizes, previous, point) : refillMark(transcript, points, at);
    if (mark !== undefined) marks.push(mark);
  });
  return { points, marks: marks.sort((a, b) => a.index - b.index) };
}

function stepMark(transcript: Transcript, sizes: TimelineSizes, previous: ReportedPoint, point: ReportedPoint): TimelineMark | undefined {
  const later = Math.max(0, point.sizeBefore - previous.sizeAfter);
  const unexplained = point.promptTokens - previous.totalTokens - later;
  const band = sizes.bandOf({
    later,
    reply: previous.isReplyGuessed ? previous.totalTokens - previous.promptTokens : 0,
    hiddenThinking: 0,
  });
  if (Math.abs(unexplained) <= Math.max(NOTICEABLE.tokens, band * NOTICEABLE.bands)) return undefined;
  const between = messagesBetween(transcript, previous.index, point.index);
  const step = { between, previousModel: previous.model, model: point.model, elapsedMs: elapsed(previous, point) };
  const at = { index: point.index, tokens: Math.abs(unexplained) };
  return unexplained > 0 ? { kind: 'jump', ...at, cause: explainJump(step) } : { kind: 'drop', ...at, cause: explainDrop(step) };
}

/** The first report behind a compaction, seen with those that follow it. */
function refillMark(transcript: Transcript, points: readonly ReportedPoint[], at: number): TimelineMark | undefined {
  const first = points[at];
  const before = points[at - 1];
  if (first === undefined || before === undefined) return undefined;
  const freed = before.totalTokens - first.promptTokens;
  if (freed < REFILL.leastFreed) {
    // The first request is about as large as the last one before: the compaction freed nothing.
    const isLarge = before.totalTokens >= REFILL.leastFreed && first.promptTokens >= before.totalTokens * REFILL.share;
    return isLarge ? { kind: 'refill', index: first.index, tokens: first.promptTokens, cause: 'reinjected' } : undefined;
  }
  for (const point of points.slice(at, at + REFILL.requests)) {
    if (point.stretch !== first.stretch) return undefined;
    const grown = point.totalTokens - first.promptTokens;
    if (grown < freed * REFILL.share) continue;
    const after = messagesBetween(transcript, first.index, point.index + 1);
    const earlier = (): readonly Message[] => messagesBetween(transcript, Math.max(0, first.index - REFILL.searched), first.index);
    return { kind: 'refill', index: point.index, tokens: grown, cause: explainRefill(earlier, after) };
  }
  return undefined;
}

function messagesBetween(transcript: Transcript, from: number, to: number): readonly Message[] {
  const messages: Message[] = [];
  for (let index = from; index < to; index++) {
    const message = messageAt(transcript, index);
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

function elapsed(previous: ReportedPoint, point: ReportedPoint): number | undefined {
  return previous.timeMs === undefined || point.timeMs === undefined ? undefined : point.timeMs - previous.timeMs;
}
