import type { MicroPlan } from './microPlan';
import type { CompactionPlan } from './plan';
import type { PlanInput } from './planInput';
import { isInstruction } from './strategies/partition';

/**
 * What the provider's cache holds of a context, in tokens: all prompts begin with the unattributed part (system prompt and tools), and a cache
 * serves the longest beginning that two prompts share.
 */
export interface CachedPrefix {
  /** Of the new prompt, what the last prompt began with too. */
  readonly keptTokens: number;
  /** Of the context, what no request has held yet: the last answer and all after it. It is written with the next request in any case. */
  readonly unsentTokens: number;
}

/** How much of the cached prompt a plan leaves in place. Linear; exact to a message: a message in which a result is cleared counts as changed. */
export function cachedPrefix(plan: CompactionPlan | MicroPlan, input: PlanInput): CachedPrefix {
  const sent = sentCount(input);
  const kept = Math.min(unchangedCount(plan, input), sent);
  const sizeOf = (index: number): number => input.tokens[index] ?? 0;
  const sum = (indexes: readonly number[]): number => indexes.reduce((total, index) => total + sizeOf(index), 0);
  return {
    keptTokens: input.unattributedTokens + sum(input.context.slice(0, kept)),
    unsentTokens: sum(input.context.slice(sent)),
  };
}

/** Messages of the context that were in the last request: those before the last answer; none where there was no answer yet. */
function sentCount({ context, messages }: PlanInput): number {
  const roleAt = (position: number): string | undefined => messages[context[position] ?? -1]?.role;
  let position = context.length;
  while (position > 0 && roleAt(position - 1) !== 'assistant') position--;
  while (position > 0 && roleAt(position - 1) === 'assistant') position--;
  return position;
}

/** Messages at the front of the context that stand unchanged at the front of the new one. Behind a summary nothing stands where it stood. */
function unchangedCount(plan: CompactionPlan | MicroPlan, { context, messages }: PlanInput): number {
  const changed = context.findIndex((index, position) => {
    if (plan.kind === 'micro') return plan.blocks.has(index);
    if (plan.kept[position] !== index) return true;
    const message = messages[index];
    return plan.order === 'summaryFirst' && (message === undefined || !isInstruction(message));
  });
  return changed < 0 ? context.length : changed;
}
