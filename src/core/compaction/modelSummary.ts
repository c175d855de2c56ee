// A summary by any language model: the request, the reading of the answer, and one repair of its form. Who carries the texts is the caller's.
import { CompactError } from '../errors/compactError';
import type { SummaryReply, SummaryRequest } from '../ports/summarizer';
import { REPAIR_REQUEST, summaryPrompt } from '../prompts/summaryPrompt';
import { isMalformed, summaryFromReply, type ModelReply } from '../prompts/summaryReply';

/** One message of the talk with a model. */
export interface ModelTurn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface AskedReply extends ModelReply {
  readonly usage: SummaryReply['usage'];
  /** The model declined in the provider's own way. */
  readonly isRefused: boolean;
}

export interface AskedModel {
  /** Whom people know as the one that answers: a host, or a model's name. */
  readonly name: string;
  /** Sends the turns and answers the model's reply. Rejects with a CompactError. */
  ask(turns: readonly ModelTurn[]): Promise<AskedReply>;
}

/** Limits of a summary in characters (threat model: implausible sizes are refused). */
const LONGEST_SUMMARY = 80_000;
const SHORTEST_FULL_SUMMARY = 200;
/** A session of less text than this may have a summary as short as it likes. */
const SHORT_SOURCE = 4000;
/** Largest request that is sent at all; more fits into no window. */
const LONGEST_PROMPT = 4_000_000;

/**
 * Asks a model for a summary and reads it: the strict envelope, a plausible size, one try to get the same answer in the right form. `nonce` is
 * as for `summaryPrompt`. Rejects with a CompactError: the model's own, `promptTooLong`, `noSummary`, `incomplete` or `invalidSummary`.
 */
export async function summarizeWithModel(request: SummaryRequest, model: AskedModel, nonce: string): Promise<SummaryReply> {
  const prompt = summaryPrompt(request, nonce);
  if (prompt.user.length > LONGEST_PROMPT) throw new CompactError('promptTooLong');
  const turns: readonly ModelTurn[] = [
    { role: 'system', content: prompt.system },
    { role: 'user', content: prompt.user },
  ];
  const shortest = request.direction === undefined && prompt.user.length >= SHORT_SOURCE ? SHORTEST_FULL_SUMMARY : 1;
  const reply = await model.ask(turns);
  try {
    return { text: checkSize(readSummary(reply, model), shortest), usage: reply.usage };
  } catch (error) {
    if (!isMalformed(error)) throw error;
  }
  // One try to get the same answer in the right form (a code fence, a word too many); a second failure is final.
  const again = await model.ask([
    ...turns,
    { role: 'assistant', content: reply.text.slice(0, 2 * LONGEST_SUMMARY) },
    { role: 'user', content: REPAIR_REQUEST },
  ]);
  return { text: checkSize(readSummary(again, model), shortest), usage: sum(reply.usage, again.usage) };
}

/** The error for an answer that had begun and ended too early. */
export function brokenOff(name: string): CompactError {
  return new CompactError('incomplete', `The answer of ${name} broke off; try again or use the offline summary.`);
}

/** The summary in a reply; tells declined and broken-off answers from those of another form. */
function readSummary(reply: AskedReply, { name }: AskedModel): string {
  if (reply.isRefused) {
    throw new CompactError('noSummary', `The model at ${name} declined to summarize this text; use another model or the offline summary.`);
  }
  try {
    return summaryFromReply(reply);
  } catch (error) {
    // A stream that ends without a reason was cut by somebody on the way.
    if (isMalformed(error) && reply.stopReason === undefined) throw brokenOff(name);
    throw error;
  }
}

function checkSize(summary: string, shortest: number): string {
  if (summary.length < shortest || summary.length > LONGEST_SUMMARY) throw new CompactError('invalidSummary');
  return summary;
}

function sum(a: SummaryReply['usage'], b: SummaryReply['usage']): SummaryReply['usage'] {
  if (a === undefined || b === undefined) return undefined;
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
}
