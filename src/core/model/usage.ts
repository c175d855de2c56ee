/**
 * What a provider reported for one response, in tokens, already split: `inputTokens` is the fresh part and holds neither cache reads nor
 * cache writes (R24). Built only by `usableUsage`, so every number is a whole number from 0 to 10^8.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
  /** Part of `outputTokens` that was reasoning. */
  readonly reasoningTokens?: number;
  /** Set where the source states the size of the context itself, reply included (Codex `last_token_usage.total_tokens`). */
  readonly contextTokens?: number;
}

export const MAX_TOKENS = 1e8;

/** True for a whole number of tokens that can be trusted: 0 … 10^8 (R27). */
export function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS;
}

/** Tokens of the prompt: fresh input and both cache parts (R24). */
export function promptTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheCreationTokens;
}
