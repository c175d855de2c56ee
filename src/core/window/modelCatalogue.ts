/** What a provider publishes about a model, in tokens. */
export interface ModelFacts {
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
}

/**
 * Published figures of well-known models, as of the end of 2025, by the beginning of the model's id; the longest that fits wins. Kept small on
 * purpose: transcripts and settings come first, and a model that is not here is shown as unknown instead of guessed.
 */
const CATALOGUE: readonly (readonly [prefix: string, windowTokens: number, maxOutputTokens: number])[] = [
  ['claude-3-opus', 200_000, 4_096],
  ['claude-3-sonnet', 200_000, 4_096],
  ['claude-3-haiku', 200_000, 4_096],
  ['claude-3-5-sonnet', 200_000, 8_192],
  ['claude-3-5-haiku', 200_000, 8_192],
  ['claude-3-7-sonnet', 200_000, 64_000],
  ['claude-sonnet-4', 200_000, 64_000],
  ['claude-opus-4', 200_000, 32_000],
  ['claude-opus-4-5', 200_000, 64_000],
  ['claude-haiku-4-5', 200_000, 64_000],
  ['gpt-3.5-turbo', 16_385, 4_096],
  ['gpt-4', 8_192, 8_192],
  ['gpt-4-turbo', 128_000, 4_096],
  ['gpt-4o', 128_000, 16_384],
  ['gpt-4.1', 1_047_576, 32_768],
  ['gpt-5', 400_000, 128_000],
  ['o1', 200_000, 100_000],
  ['o3', 200_000, 100_000],
  ['o4-mini', 200_000, 100_000],
  ['gemini-1.5-flash', 1_048_576, 8_192],
  ['gemini-1.5-pro', 2_097_152, 8_192],
  ['gemini-2.0-flash', 1_048_576, 8_192],
  ['gemini-2.5', 1_048_576, 65_536],
  ['deepseek-chat', 128_000, 8_192],
  ['deepseek-reasoner', 128_000, 64_000],
  ['grok-4', 256_000, 256_000],
  ['qwen3-coder', 262_144, 65_536],
  ['kimi-k2', 262_144, 262_144],
];

/** Figures of a model by its plain id (see `plainModelId`); undefined for a model that is not listed. */
export function modelFacts(plainId: string): ModelFacts | undefined {
  let best: (typeof CATALOGUE)[number] | undefined;
  for (const entry of CATALOGUE) {
    const longer = best === undefined || entry[0].length > best[0].length;
    if (longer && startsWithName(plainId, entry[0])) best = entry;
  }
  return best === undefined ? undefined : { windowTokens: best[1], maxOutputTokens: best[2] };
}

/** True when `id` is the name itself or goes on with a separator, so that `gpt-4` does not stand for `gpt-4o`. */
function startsWithName(id: string, name: string): boolean {
  if (!id.startsWith(name)) return false;
  const next = id.charAt(name.length);
  return next === '' || next === '-' || next === '@' || next === ':';
}
