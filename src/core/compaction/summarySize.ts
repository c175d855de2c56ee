// How large the summary of a plan may be, told before there is one.
import type { SummaryDetail } from '../ports/summarizer';
import { DETAIL_WORDS } from '../prompts/summaryPrompt';
import { ledgerTokens } from './ledger';
import { targetTokens } from './offline/offlineSummarizer';
import { hasOriginals, largestReplacement } from './originals';
import type { CompactionPlan } from './plan';
import type { PlanInput } from './planInput';

/** Longest answer that a model is asked for when nothing else is set. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 8_000;

export interface SummaryMaker {
  /** A model writes it, with our own ledger behind; else the offline summarizer does. */
  readonly isModel: boolean;
  readonly detail: SummaryDetail;
  readonly maxOutputTokens: number;
}

/** About the most tokens that a plan's summary has with the words around it: never more than what it replaces. An estimate, there at once. */
export function largestSummary(plan: CompactionPlan, input: PlanInput, { isModel, detail, maxOutputTokens }: SummaryMaker): number {
  const size = isModel
    ? Math.min(DETAIL_WORDS[detail] * TOKENS_A_WORD, maxOutputTokens) + ledgerTokens(plan.tokensSummarized) + FRAME_TOKENS
    : targetTokens(plan.tokensSummarized, detail) * OTHER_ESTIMATOR + FRAME_TOKENS;
  const bound = hasOriginals(input, plan.summarized) ? largestReplacement(plan.tokensSummarized) : plan.tokensSummarized;
  return Math.round(Math.min(size, bound));
}

const TOKENS_A_WORD = 1.5;
/** The offline summarizer counts roughly; sessions count by their own scale. */
const OTHER_ESTIMATOR = 1.2;
/** The words around a summary. */
const FRAME_TOKENS = 150;
