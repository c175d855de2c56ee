import type { SummaryForm, SummaryRequest } from '../ports/summarizer';
import { prepareSummaryInput } from '../prepare/summaryInput';
import type { CompactionPlan } from './plan';
import { hasOriginals, largestReplacement, originalsAt } from './originals';
import { tokensOfIndexes, type PlanInput } from './planInput';

/** Most that a summary may take of a model's output, in tokens (seed 2, CompactMaxOutputTokens). */
export const MAX_SUMMARY_OUTPUT_TOKENS = 20_000;

export interface SummaryRequestOptions extends SummaryForm {
  readonly instructions: string;
}

/**
 * What a summarizer is asked: the messages that a plan replaces, prepared for it, in the order in which the model saw them (seed 2, summary
 * request). In the place of an earlier summary stand the messages behind it, where they are known; the answer is then bounded by what it replaces.
 */
export function summaryRequest(
  plan: Pick<CompactionPlan, 'summarized' | 'direction'>,
  input: PlanInput,
  options: SummaryRequestOptions,
): SummaryRequest {
  const form = summaryForm(options);
  const isBounded = hasOriginals(input, plan.summarized);
  const bound = isBounded ? largestReplacement(tokensOfIndexes(input, plan.summarized)) : form.maxOutputTokens;
  return {
    messages: prepareSummaryInput(originalsAt(input, plan.summarized)),
    direction: plan.direction,
    instructions: options.instructions.trim(),
    ...form,
    maxOutputTokens: Math.min(form.maxOutputTokens, bound),
  };
}

/** The form of a request with its output limit in range; what is absent stays absent (seed 2, StructuredSummarizeOptions). */
export function summaryForm({ style, detail, maxOutputTokens }: SummaryForm): SummaryForm & Pick<SummaryRequest, 'maxOutputTokens'> {
  return {
    ...(style === undefined ? {} : { style }),
    ...(detail === undefined ? {} : { detail }),
    maxOutputTokens: outputLimit(maxOutputTokens),
  };
}

function outputLimit(tokens: number | undefined): number {
  const isUsable = tokens !== undefined && Number.isInteger(tokens) && tokens >= 1 && tokens <= MAX_SUMMARY_OUTPUT_TOKENS;
  return isUsable ? tokens : MAX_SUMMARY_OUTPUT_TOKENS;
}
