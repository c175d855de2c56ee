import { CONCISE_SUMMARY_SYSTEM } from './conciseSummary';
import { SUMMARY_SYSTEM, type SummaryPrompt } from './summaryPrompt';

/** How much a record tells: nine sections, or four in little room. */
export type SummaryStyle = 'full' | 'concise';

/** A request in the wanted style. Only the constant system part differs; data, wish and closing instruction are the same. */
export function inStyle(prompt: SummaryPrompt, style: SummaryStyle): SummaryPrompt {
  return { ...prompt, system: style === 'full' ? SUMMARY_SYSTEM : CONCISE_SUMMARY_SYSTEM };
}
