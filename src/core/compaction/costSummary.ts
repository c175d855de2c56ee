import type { SummaryForm, SummaryRequest } from '../ports/summarizer';
import type { TokenCounter } from '../ports/tokenCounter';
import { DETAIL_WORDS, summaryPrompt } from '../prompts/summaryPrompt';
import { HEURISTIC } from '../tokens/charHeuristic';
import { fittedGeneration, generationOf } from '../tokens/modelGeneration';
import { utf8Length } from '../util/text';
import type { PriceList } from '../window/prices';

/** The call of a model that writes the summary. Absent where the offline summarizer writes it. */
export interface SummaryCall {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the model that is asked, which may be another than the agent's; undefined where they are unknown. */
  readonly prices: PriceList | undefined;
}

export interface AskedSummarizer {
  readonly model: string | undefined;
  readonly prices: PriceList | undefined;
  /** Real tokenizer; absent: the bytes heuristic. */
  readonly counter?: TokenCounter;
}

/**
 * What a model's answer is expected to be: recorded summaries of 130,000 to 180,000 tokens have 1,200 to 3,600, one of 27,000 has 900. Our
 * prompt allows 3,000 words. Reasoning that a model bills beside its answer cannot be known and is not in it.
 */
const ANSWER = { share: 0.025, least: 1000, most: 4500 } as const;
/** As long as a real one. */
const NONCE = '0'.repeat(32);

/**
 * The call that a summary would take: the very prompt that would be sent, counted for the model that is asked, and the answer that is to be
 * expected. Costs one pass of the tokenizer over the prompt. The call shares no beginning with the session's requests, so none of it is cached.
 */
export function expectedSummaryCall(request: SummaryRequest, { model, prices, counter }: AskedSummarizer): SummaryCall {
  const { system, user } = summaryPrompt(request, NONCE);
  const { cost } = fittedGeneration(generationOf(model));
  const tokensOf = (text: string): number =>
    counter === undefined ? utf8Length(text) / HEURISTIC.bytesPerToken : counter.count(text) * cost.token + text.length * cost.char;
  const inputTokens = Math.round(tokensOf(system) + tokensOf(user));
  return { inputTokens, outputTokens: expectedAnswer(inputTokens, request), prices };
}

/** Tokens of the answer that is to be expected to so many of a request, by its detail and its limit. */
export function expectedAnswer(inputTokens: number, { detail = 'normal', maxOutputTokens }: SummaryForm): number {
  const usual = Math.min(Math.max(ANSWER.share * inputTokens, ANSWER.least), ANSWER.most);
  return Math.round(Math.min((usual * DETAIL_WORDS[detail]) / DETAIL_WORDS.normal, maxOutputTokens ?? Infinity));
}
