import type { Measurement } from '../model/measurement';
import type { Message } from '../model/message';
import type { ContextReport, Transcript } from '../model/transcript';
import { plainErrorBand, type GuessedTokens } from '../tokens/errorBand';
import { reportedContext } from '../tokens/reportedContext';
import { isProviderReport } from '../tokens/responses';
import { present } from '../util/present';

export interface ContextUsage {
  /** Tokens in the context now: the reported part and the estimated tail. */
  readonly usedTokens: number;
  /** Of the reported part; of the whole when nothing is reported. */
  readonly measurement: Measurement;
  readonly reportedTokens: number | undefined;
  /** What the report does not hold yet: the reply itself (where the report lacks it) and everything after it. */
  readonly estimatedTailTokens: number;
  /** Of that, the reply. */
  readonly replyTokens: number;
  /** Half width of the band around `usedTokens` that nine of ten estimates stay in; 0 when all is reported. */
  readonly errorTokens: number;
  readonly outputTokens: number | undefined;
  readonly cacheReadTokens: number | undefined;
  readonly cacheCreationTokens: number | undefined;
  /** Id and index of the message that the report stands at. */
  readonly atMessage: string | undefined;
  readonly atIndex: number | undefined;
  /** First index that the report does not hold: context messages at or after it make up the tail. 0 without a report. */
  readonly tailFrom: number;
}

export type ContextView = Pick<Transcript, 'messages' | 'context' | 'boundaries' | 'reports'>;

/**
 * How full the context is (R10, R21, R24–R27). The reported part is the prompt of the last main-chain response after the last boundary, or
 * the newest count that the file states apart (Codex), which holds the reply already. `tokens` holds one estimate per message.
 *
 * Usage from before the boundary is void, also that of messages which the compaction preserved. Without a report the whole is an estimate:
 * a lower bound, since transcripts hold neither system prompt nor tool definitions.
 */
export function contextUsage(view: ContextView, tokens: readonly number[], bandOf: BandOf = plainErrorBand): ContextUsage {
  const boundary = lastBoundary(view);
  const read = view.reports === undefined ? fromResponses : fromReports;
  return read(view, tokens, boundary, bandOf) ?? estimated(view, tokens, bandOf);
}

/** Half width of the error band around a guess, in tokens. */
export type BandOf = (guessed: GuessedTokens) => number;

/** Index of the last compaction's entry; -1 without one. A microcompact leaves the reports before it valid. */
function lastBoundary(view: ContextView): number {
  let last = -1;
  for (const { index } of view.boundaries) {
    if (view.messages[index]?.kind !== 'microBoundary') last = Math.max(last, index);
  }
  return last;
}

function fromResponses(view: ContextView, tokens: readonly number[], boundary: number, bandOf: BandOf): ContextUsage | undefined {
  const active = activeMessages(view);
  const found = reportedContext(
    active.map(({ message }) => message),
    active.map(({ index }) => present(tokens[index])),
    (message, position) => present(active[position]).index > boundary && isProviderReport(message) && isOrdinaryReply(message),
  );
  if (found === undefined) return undefined;
  const { usage, reportedTokens } = found;
  const tail = found.replyTokens + found.laterTokens;
  return {
    usedTokens: reportedTokens + tail,
    measurement: 'providerReported',
    reportedTokens,
    estimatedTailTokens: tail,
    replyTokens: found.replyTokens,
    errorTokens: bandOf(found.guessed),
    outputTokens: usage.outputTokens,
    cacheReadTokens: usage.cacheReadTokens,
    cacheCreationTokens: usage.cacheCreationTokens,
    atMessage: present(active[found.at]).message.id,
    atIndex: present(active[found.at]).index,
    tailFrom: present(active[found.from]).index,
  };
}

/** The usage of a compaction's own call is that of another request (R10), whether it stands on its answer or on the summary. */
function isOrdinaryReply(message: Message): boolean {
  return message.kind === 'message' && message.isCompactionReply !== true;
}

function fromReports(view: ContextView, tokens: readonly number[], boundary: number, bandOf: BandOf): ContextUsage | undefined {
  const report = view.reports?.findLast((one) => one.afterIndex > boundary && one.contextTokens > 0);
  if (report === undefined) return undefined;
  let tail = 0;
  for (const index of view.context) {
    if (index >= report.afterIndex) tail += present(tokens[index]);
  }
  const guessed = { later: tail, reply: 0, hiddenThinking: 0 };
  const atIndex = report.afterIndex > 0 ? report.afterIndex - 1 : undefined;
  return {
    usedTokens: report.contextTokens + tail,
    measurement: report.isAgentEstimate ? 'localEstimate' : 'providerReported',
    reportedTokens: report.contextTokens,
    estimatedTailTokens: tail,
    replyTokens: 0,
    errorTokens: report.isAgentEstimate ? plainErrorBand({ ...guessed, reply: report.contextTokens }) : bandOf(guessed),
    ...reportDetails(report),
    atMessage: atIndex === undefined ? undefined : view.messages[atIndex]?.id,
    atIndex,
    tailFrom: report.afterIndex,
  };
}

/** An agent's own estimate after a compaction says nothing about a reply or the cache. */
function reportDetails(report: ContextReport): Pick<ContextUsage, 'outputTokens' | 'cacheReadTokens' | 'cacheCreationTokens'> {
  if (report.isAgentEstimate) return { outputTokens: undefined, cacheReadTokens: undefined, cacheCreationTokens: undefined };
  return { outputTokens: report.outputTokens, cacheReadTokens: report.cacheReadTokens, cacheCreationTokens: undefined };
}

function estimated(view: ContextView, tokens: readonly number[], bandOf: BandOf): ContextUsage {
  const active = activeMessages(view);
  const total = active.reduce((sum, { index }) => sum + present(tokens[index]), 0);
  return {
    usedTokens: total,
    measurement: active.length === 0 ? 'unknown' : 'localLowerBound',
    reportedTokens: undefined,
    estimatedTailTokens: total,
    replyTokens: 0,
    errorTokens: bandOf({ later: total, reply: 0, hiddenThinking: 0 }),
    outputTokens: undefined,
    cacheReadTokens: undefined,
    cacheCreationTokens: undefined,
    atMessage: undefined,
    atIndex: undefined,
    tailFrom: 0,
  };
}

interface ActiveMessage {
  readonly index: number;
  readonly message: Message;
}

/** What the model sees, in its order, without side chains and with the place of each message in the transcript. */
function activeMessages(view: ContextView): readonly ActiveMessage[] {
  const active: ActiveMessage[] = [];
  for (const index of view.context) {
    const message = view.messages[index];
    if (message !== undefined && message.isSidechain !== true) active.push({ index, message });
  }
  return active;
}
