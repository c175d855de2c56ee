import { CompactError, isCompactError } from '../errors/compactError';
import type { PartialDirection } from '../model/boundary';
import type { Message } from '../model/message';
import type { Summarizer, SummaryForm, SummaryReply } from '../ports/summarizer';
import { prepareSummaryInput } from '../prepare/summaryInput';
import { tidySummary } from '../prompts/envelope';
import { enforceMessageBudget } from '../toolResults/messageBudget';
import { isRecord } from '../util/json';
import { isPromptTooLong } from './promptTooLong';
import { orAborted, stopIfAborted } from './runPlan';
import { summaryForm } from './summaryRequest';

export interface Question {
  readonly messages: readonly Message[];
  readonly direction: PartialDirection | undefined;
  readonly instructions: string;
  readonly form: SummaryForm;
}

/**
 * Asks once for a summary of some messages, prepared for a summarizer, and checks the answer. Rejects with a CompactError: `aborted` for a
 * cancelled or timed-out call, `promptTooLong` (never a second try with less, R14), `noSummary` for a blank answer, `api` for a provider's error
 * in the place of one, the summarizer's own, and `summarizerUnavailable` with its cause for whatever else it throws.
 */
export async function askSummarizer(question: Question, summarizer: Summarizer, signal: AbortSignal): Promise<SummaryReply> {
  const request = {
    messages: enforceMessageBudget(prepareSummaryInput(question.messages)),
    direction: question.direction,
    instructions: question.instructions.trim(),
    ...summaryForm(question.form),
  };
  let reply: SummaryReply;
  try {
    reply = await orAborted(summarizer.summarize(request, signal), signal);
  } catch (error) {
    stopIfAborted(signal, error);
    throw summarizerError(error);
  }
  const text = tidySummary(reply.text);
  if (text === '') throw new CompactError('noSummary');
  if (PROVIDER_ERROR.test(text)) throw new CompactError('api');
  return { text, usage: reply.usage };
}

/** What some agents put in the place of an answer. */
const PROVIDER_ERROR = /^(?:Please run \/login · )?API Error\b/;
const STOPPED: ReadonlySet<unknown> = new Set(['AbortError', 'TimeoutError']);

function summarizerError(error: unknown): CompactError {
  if (isCompactError(error)) return error;
  if (isRecord(error) && STOPPED.has(error['name'])) return new CompactError('aborted', undefined, { cause: error });
  return new CompactError(isPromptTooLong(error) ? 'promptTooLong' : 'summarizerUnavailable', undefined, { cause: error });
}
