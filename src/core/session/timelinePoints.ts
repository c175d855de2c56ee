import type { Message } from '../model/message';
import type { ContextReport, Transcript } from '../model/transcript';
import { promptTokens } from '../model/usage';
import { messagesFrom } from '../transcript/laterMessages';
import { messageAt } from '../transcript/lineage';
import { replySize } from '../tokens/replySize';
import { isProviderReport, responsesOf } from '../tokens/responses';

/** One reported context of the main conversation. */
export interface ReportedPoint {
  /** Index of the message that the report stands at. */
  readonly index: number;
  readonly promptTokens: number;
  /** With the reply. */
  readonly totalTokens: number;
  readonly isReplyGuessed: boolean;
  /** Sum of the estimates of all messages before the request, and of those and the reply: what is between two points is their difference. */
  readonly sizeBefore: number;
  readonly sizeAfter: number;
  /** Ordinal of the part between two compactions. */
  readonly stretch: number;
  readonly model: string | undefined;
  readonly timeMs: number | undefined;
}

/** The newest messages of a transcript, from one on, with an estimate of each. */
interface Newest {
  readonly from: number;
  readonly messages: readonly Message[];
  /** Sums of the estimates of these messages before each, side chains left out. */
  readonly sums: readonly number[];
  /** Ordinal of the part between two compactions that an index of the whole transcript lies in. */
  readonly stretchOf: (index: number) => number;
}

/**
 * The reports of a transcript from a message on, oldest first, whether they stand on messages or apart. `tokens` are the estimates from that
 * message on. Linear in these messages and in the compactions.
 */
export function reportedPoints(transcript: Transcript, tokens: readonly number[], from: number): readonly ReportedPoint[] {
  const messages = messagesFrom(transcript, from);
  const sums = [0];
  for (const [index, message] of messages.entries()) {
    sums.push((sums[index] ?? 0) + (message.isSidechain === true ? 0 : (tokens[index] ?? 0)));
  }
  const newest = { from, messages, sums, stretchOf: stretches(transcript) };
  return transcript.reports === undefined ? fromResponses(newest) : fromReports(newest, transcript.reports);
}

function fromResponses({ from, messages, sums, stretchOf }: Newest): readonly ReportedPoint[] {
  const points: ReportedPoint[] = [];
  // Results between the fragments of a reply came after its request: they stay out of the reply's size.
  let reply = 0;
  for (const { indexes, usage } of responsesOf(messages)) {
    const first = indexes[0] ?? 0;
    const message = messages[first];
    if (message === undefined || usage === undefined || !counts(message) || !(promptTokens(usage) > 0)) continue;
    const content = indexes.reduce((sum, index) => sum + (sums[index + 1] ?? 0) - (sums[index] ?? 0), 0);
    const prompt = usage.contextTokens === undefined ? promptTokens(usage) : Math.max(0, usage.contextTokens - usage.outputTokens);
    const size = replySize(usage.outputTokens, content);
    const before = (sums[first] ?? 0) - reply;
    reply += content;
    points.push({
      index: first + from,
      promptTokens: prompt,
      totalTokens: prompt + size.tokens,
      isReplyGuessed: size.isGuessed,
      // Replies are left out of both sums, since the totals hold them.
      sizeBefore: before,
      sizeAfter: before,
      stretch: stretchOf(first + from),
      model: message.model,
      timeMs: timeOf(message),
    });
  }
  return points;
}

function fromReports({ from, messages, sums, stretchOf }: Newest, reports: readonly ContextReport[]): readonly ReportedPoint[] {
  // The reports hold what the model wrote, so only the others' messages count between them.
  const others = [0];
  messages.forEach((message, index) => {
    const size = message.role === 'assistant' ? 0 : (sums[index + 1] ?? 0) - (sums[index] ?? 0);
    others.push((others[index] ?? 0) + size);
  });
  return reports.flatMap(({ afterIndex, contextTokens, outputTokens, isAgentEstimate }) => {
    if (afterIndex <= from || isAgentEstimate || !(contextTokens > outputTokens)) return [];
    const at = messages[afterIndex - 1 - from];
    const size = others[afterIndex - from] ?? 0;
    return [
      {
        index: afterIndex - 1,
        promptTokens: contextTokens - outputTokens,
        totalTokens: contextTokens,
        isReplyGuessed: false,
        sizeBefore: size,
        sizeAfter: size,
        stretch: stretchOf(afterIndex - 1),
        model: at?.model,
        timeMs: at === undefined ? undefined : timeOf(at),
      },
    ];
  });
}

function counts(message: Message): boolean {
  return message.isSidechain !== true && message.kind === 'message' && message.isCompactionReply !== true && isProviderReport(message);
}

/** Ordinal of the part between compactions that an index lies in; microcompactions open none. */
function stretches(transcript: Transcript): (index: number) => number {
  const starts = transcript.boundaries.map(({ index }) => index).filter((index) => messageAt(transcript, index)?.kind !== 'microBoundary');
  return (index) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? Infinity) <= index) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function timeOf({ timestamp }: Message): number | undefined {
  const time = timestamp === undefined ? NaN : Date.parse(timestamp);
  return Number.isFinite(time) ? time : undefined;
}
