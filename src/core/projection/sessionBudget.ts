import { isProofOf } from '../micro/proofs';
import type { TokenCounter } from '../ports/tokenCounter';
import type { ReplacementState } from '../toolResults/replacementState';
import type { ProjectionConfig } from './config';
import { INSPECT_REWRITE_SCHEMA } from './inspectForms';
import { RUN_REWRITE_SCHEMA } from './rewrites';

export interface ProjectionBudget {
  readonly tools: number;
  readonly tokens: number;
}

/**
 * What earlier projections have taken of a session's limits, read from the frozen texts themselves, so that it survives a restart. Rewrites and
 * proofs of patches count; an index is so small that it does not (seed 2, ProgressiveProjectionBudgetUsage).
 */
export function projectionBudgetUsed({ replacements }: ReplacementState, counter: TokenCounter): ProjectionBudget {
  const texts = [...replacements.values()].filter(isCounted);
  return { tools: texts.length, tokens: texts.reduce((sum, text) => sum + counter.count(text), 0) };
}

/** What is left of the limits; never below 0 (seed 2, session budget). */
export function projectionBudgetLeft(
  { maxProjectedTools, maxProjectedTokens }: Pick<ProjectionConfig, 'maxProjectedTools' | 'maxProjectedTokens'>,
  used: ProjectionBudget,
): ProjectionBudget {
  return { tools: Math.max(maxProjectedTools - used.tools, 0), tokens: Math.max(maxProjectedTokens - used.tokens, 0) };
}

/** By how it begins: a preview of somebody's output may hold such text anywhere else. */
function isCounted(text: string): boolean {
  return STARTS.some((start) => text.startsWith(start)) || isProofOf('ApplyPatch', text);
}

const STARTS = [INSPECT_REWRITE_SCHEMA, RUN_REWRITE_SCHEMA].map((schema) => `{"schema":"${schema}",`);
