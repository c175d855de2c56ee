import { summaryMessage } from '../boundary/summaryMessage';
import { CompactError, isCompactError } from '../errors/compactError';
import type { ProgressStage } from '../protocol/planView';
import type { Summarizer, SummaryForm, SummaryNote, SummaryReply } from '../ports/summarizer';
import { tidySummary } from '../prompts/envelope';
import { growsContext } from './growth';
import { hasOriginals, holdsBareSummary } from './originals';
import type { CompactionPlan } from './plan';
import type { PlanInput, TokensOf } from './planInput';
import { continuationFor, type RunOutcome } from './result';
import { withQuotes, type Quote } from './quotes';
import { refusal } from './strategies/partition';
import { summaryForm, summaryRequest } from './summaryRequest';

export type { CompactionRun, RunOutcome } from './result';

export interface RunPorts {
  readonly summarizer: Summarizer;
  /** The estimator that made `PlanInput.tokens`. */
  readonly tokensOf: TokensOf;
}

export interface RunOptions extends SummaryForm {
  readonly signal: AbortSignal;
  /** The user's own wish for the summary. */
  readonly instructions?: string;
  /** What is quoted at the end of the summary after all. */
  readonly quotes?: readonly Quote[];
  /** Where the uncompacted transcript lies, as the new session may name it. */
  readonly original?: string;
  /** `received` counts the characters that a model has answered so far; null where that says nothing. */
  readonly onProgress?: (stage: ProgressStage, received: number | null) => void;
}

/**
 * Least that a copy frees. A copy has no reports of its own yet, so its estimates are calibrated otherwise than its source's: what is gained
 * by less than this may be lost by that.
 */
const LEAST_FREED_TOKENS = 100;

/**
 * Writes the summary that a plan asks for and checks it. Changes nothing, so an abort at any point is as if it had never begun (R15).
 * Answers a refusal as a value: `staleSource` for a plan of another revision, `notSmaller` when the summary or the whole new view would not
 * be smaller than what it replaces by an amount that is worth a new session (R08). Rejects with a CompactError: the summarizer's own,
 * `aborted`, or `noSummary` for a blank one (R11).
 */
export async function runPlan(plan: CompactionPlan, input: PlanInput, ports: RunPorts, options: RunOptions): Promise<RunOutcome> {
  const run = await summarizePlan(plan, input, ports, options);
  if (run.outcome === 'refusal' || run.summaryTokens + LEAST_FREED_TOKENS <= plan.tokensSummarized) return run;
  return refusal('notSmaller');
}

/**
 * The same without the comparison of the whole views: a summary of up to 256 tokens passes, whatever it replaces (DECISIONS 12 of the
 * specification).
 */
export async function summarizePlan(plan: CompactionPlan, input: PlanInput, ports: RunPorts, options: RunOptions): Promise<RunOutcome> {
  if (plan.revision !== input.revision) return refusal('staleSource');
  const reply = await askFor(plan, input, ports.summarizer, options);
  options.onProgress?.('checking', null);
  const told = tidySummary(reply.text);
  if (told === '') throw new CompactError('noSummary');
  const summary = withQuotes(told, options.quotes ?? []);
  if (growsContext(ports.tokensOf(summaryMessage(summary)), plan.tokensSummarized)) return refusal('notSmaller');
  const continuation = continuationFor(plan, summary, options.original);
  const summaryTokens = ports.tokensOf(summaryMessage(continuation));
  return {
    outcome: 'summarized',
    summary,
    continuation,
    summaryTokens,
    tokensBefore: withResidual(plan, plan.tokensBefore),
    tokensAfter: withResidual(plan, plan.tokensKept + summaryTokens),
    usage: reply.usage,
    ...(reply.notes === undefined ? {} : { notes: reply.notes }),
  };
}

/** Asks with the originals of earlier summaries, and once more with those summaries themselves where the originals are too long. */
async function askFor(plan: CompactionPlan, input: PlanInput, summarizer: Summarizer, options: RunOptions): Promise<SummaryReply> {
  if (!hasOriginals(input, plan.summarized)) {
    const reply = await askOnce(plan, input, summarizer, options);
    return holdsBareSummary(input, plan.summarized) ? withNote(reply, OF_SUMMARY) : reply;
  }
  try {
    return await askOnce(plan, input, summarizer, options);
  } catch (error) {
    if (!isCompactError(error, 'promptTooLong')) throw error;
    return withNote(await askOnce(plan, { ...input, originals: new Map() }, summarizer, options), TOO_LONG);
  }
}

function withNote(reply: SummaryReply, note: SummaryNote): SummaryReply {
  return { ...reply, notes: [...(reply.notes ?? []), note] };
}

const OF_SUMMARY: SummaryNote = {
  code: 'summaryOfSummary',
  message: 'An earlier summary was summarized once more, because the messages behind it are not to be had.',
};
const TOO_LONG: SummaryNote = {
  code: 'originalsTooLong',
  message: 'The messages behind an earlier summary are too long for this model, so that summary itself was summarized once more.',
};

async function askOnce(plan: CompactionPlan, input: PlanInput, summarizer: Summarizer, options: RunOptions): Promise<SummaryReply> {
  const { signal, onProgress } = options;
  stopIfAborted(signal);
  onProgress?.('summarizing', null);
  const request = summaryRequest(plan, input, { ...summaryForm(options), instructions: options.instructions ?? '' });
  const onReceived = (characters: number): void => {
    if (!signal.aborted) onProgress?.('summarizing', characters);
  };
  return orAborted(summarizer.summarize(request, signal, onReceived), signal);
}

/** Throws `aborted` when the signal is (R15). */
export function stopIfAborted(signal: AbortSignal, cause?: unknown): void {
  if (signal.aborted) throw new CompactError('aborted', undefined, { cause });
}

/** Settles as the work does, but rejects with `aborted` as soon as the signal aborts, whether the work listens to it, answers or fails (R15). */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new CompactError('aborted'));
    // An abort that came while the work was being started fires no event any more.
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    const value = await Promise.race([work, aborted]);
    stopIfAborted(signal);
    return value;
  } catch (error) {
    // What fails while it is being given up fails because of that.
    stopIfAborted(signal, error);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Both views get the same residual; a size is never negative. */
function withResidual(plan: CompactionPlan, tokens: number): number {
  return Math.max(0, tokens + plan.unattributedTokens);
}
