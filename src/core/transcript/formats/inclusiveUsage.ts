import { isTokenCount, type Usage } from '../../model/usage';
import { usableUsage } from '../usage';

/** Numbers of an API whose prompt includes what was read from the cache, and whose output includes the reasoning; of any type yet. */
export interface InclusiveCounts {
  readonly prompt: unknown;
  readonly cached: unknown;
  readonly output: unknown;
  readonly reasoning?: unknown;
}

/** Splits the prompt; undefined when the numbers cannot be trusted. */
export function inclusiveUsage({ prompt, cached, output, reasoning }: InclusiveCounts): Usage | undefined {
  const read = cached ?? 0;
  if (!isTokenCount(prompt) || !isTokenCount(read)) return undefined;
  const usage = usableUsage({ input: prompt - read, output, cacheRead: read, cacheCreation: 0 });
  return usage === undefined || !isTokenCount(reasoning) || reasoning === 0 ? usage : { ...usage, reasoningTokens: reasoning };
}
