import { continuationText } from '../prompts/continuation';

/** A summary of up to this many tokens is accepted however little it replaces (DECISIONS 12 of the specification). */
export const FREE_SUMMARY_TOKENS = 256;

/**
 * True when a summary's own text is larger than what it replaces, by estimates of one estimator: the compaction would add to the context
 * instead of freeing it (R08, P31).
 */
export function growsContext(summaryTextTokens: number, replacedTokens: number): boolean {
  return summaryTextTokens > Math.max(FREE_SUMMARY_TOKENS, replacedTokens);
}

/**
 * False when the messages to summarize are so small that even an empty summary with its fixed wording would not be smaller. A lower bound
 * that holds for every estimator: none sees more than six characters of plain English in a token, or eight after calibration (P31).
 */
export function isWorthSummarizing(tokensSummarized: number): boolean {
  return tokensSummarized > SMALLEST_SUMMARY_TOKENS;
}

const CHARACTERS_PER_TOKEN_AT_MOST = 8;
const SMALLEST_SUMMARY_TOKENS = Math.floor(continuationText({ summary: '', kept: 'after' }).length / CHARACTERS_PER_TOKEN_AT_MOST);
