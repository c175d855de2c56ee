import type { Measurement } from '../model/measurement';
import type { Message } from '../model/message';
import type { ContextReport, Transcript } from '../model/transcript';
import { reportedContext } from '../tokens/reportedContext';
import { isProviderReport } from '../tokens/responses';

export interface ContextUsage {
  /** Tokens in the context now: the reported part and the estimated tail. */
  readonly usedTokens: number;
  /** Of the reported part; of the whole when nothing is reported. */
  readonly measurement: Measurement;
  readonly reportedTokens: number | undefined;
  /** What the report does not hold yet: the reply itself (where the report lacks it) and everything after it. */
  readonly estimatedTailTokens: number;
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
 * Band around an estimate: a share of it and a floor, since small parts are relatively worse. On turns of public Claude Code sessions, with an
 * exact tokenizer calibrated on the turns before, nine of ten estimates stay inside, of old and of new models.
 */
export const ERROR_BAND = { share: 0.25, tokens: 50 } as const;

/**
 * How full the context is (R10, R21, R24–R27). The reported part is the prompt of the last main-chain response after the last boundary, or
 * the newest count that the file states apart (Codex), which holds the reply already. `tokens` holds one estimate per message.
 *
 * Usage from before the boundary is void, also that of messages which the compaction preserved. Without a report the whole is an estimate:
 * a lower bound, since transcripts hold neither system prompt nor tool definitions.
 */
export function contextUsage(view: ContextView, tokens: readonly number[]): ContextUsage {
  const boundary = lastBoundary(view);
  return (
    (view.reports === undefined ? fromResponses(view, tokens, boundary) : fromReports(view, tokens, boundary)) ?? estimated(view, tokens)
  );
}

/** Index of the last compaction's entry; -1 without one. A microcompact leaves the reports before it valid. */
function lastBoundary(view: ContextView): number {
  let last = -1;
  for (const { index } of view.boundaries) {
    if (view.messages[index]?.kind !== 'microBoundary') last = Math.max(last, index);
  }
  return last;
}

function fromResponses(view: ContextView, tokens: readonly number[], boundary: number): ContextUsage | undefined {
  const active = activeMessages(view);
  const found = reportedContext(
    active.map(({ message }) => message),
    active.map(({ index }) => tokens[index] ?? 0),
    (message, position) => (active[position]?.index ?? -1) > boundary && isProviderReport(message) && isOrdinaryReply(message),
  );
  if (found === undefined) return undefined;
  const { usage, reportedTokens } = found;
  const tail = found.replyTokens + found.laterTokens;
  return {
    usedTokens: reportedTokens + tail,
    measurement: 'providerReported',
    reportedTokens,
    estimatedTailTokens: tail,
    errorTokens: errorOf(found.guessedTokens),
    outputTokens: usage.outputTokens,
    cacheReadTokens: usage.cacheReadTokens,
    cacheCreationTokens: usage.cacheCreationTokens,
    atMessage: active[found.at]?.message.id,
    atIndex: active[found.at]?.index,
    tailFrom: active[found.from]?.index ?? 0,
  };
}

/** The usage of a compaction's own call is that of another request (R10), whether it stands on its answer or on the summary. */
function isOrdinaryReply(message: Message): boolean {
  return message.kind === 'message' && message.isCompactionReply !== true;
}

function fromReports(view: ContextView, tokens: readonly number[], boundary: number): ContextUsage | undefined {
  const report = view.reports?.findLast((one) => one.afterIndex > boundary && one.contextTokens > 0);
  if (report === undefined) return undefined;
  let tail = 0;
  for (const index of view.context) {
    if (index >= report.afterIndex) tail += tokens[index] ?? 0;
  }
  const guessed = tail + (report.isAgentEstimate ? report.contextTokens : 0);
  const atIndex = report.afterIndex > 0 ? report.afterIndex - 1 : undefined;
  return {
    usedTokens: report.contextTokens + tail,
    measurement: report.isAgentEstimate ? 'localEstimate' : 'providerReported',
    reportedTokens: report.contextTokens,
    estimatedTailTokens: tail,
    errorTokens: errorOf(guessed),
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

function errorOf(guessedTokens: number): number {
  return guessedTokens > 0 ? Math.ceil(guessedTokens * ERROR_BAND.share) + ERROR_BAND.tokens : 0;
}

function estimated(view: ContextView, tokens: readonly number[]): ContextUsage {
  const active = activeMessages(view);
  const total = active.reduce((sum, { index }) => sum + (tokens[index] ?? 0), 0);
  return {
    usedTokens: total,
    measurement: active.length === 0 ? 'unknown' : 'localLowerBound',
    reportedTokens: undefined,
    estimatedTailTokens: total,
    errorTokens: errorOf(total),
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
