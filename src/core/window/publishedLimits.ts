/** What the catalogue lacks, in tokens. */
export interface PublishedLimits {
  readonly windowTokens: number | undefined;
  readonly maxOutputTokens: number | undefined;
}

/**
 * What providers publish and the catalogue's package does not hold, kept by hand, by the beginning of the model's id; the longest that fits
 * wins. Outputs: the package states none; only those of 20,000 or less move a limit. Windows: those that it lacks, rounds or has from before
 * a change. A row without a number keeps a shorter name's row from standing for it.
 */
const LIMITS: readonly (readonly [prefix: string, windowTokens: number | undefined, maxOutputTokens: number | undefined])[] = [
  ['claude-3-opus', undefined, 4_096],
  ['claude-3-sonnet', undefined, 4_096],
  ['claude-3-haiku', undefined, 4_096],
  ['claude-3-5-sonnet', undefined, 8_192],
  ['claude-3-5-haiku', undefined, 8_192],
  ['claude-3-7-sonnet', undefined, 64_000],
  ['claude-sonnet-4', undefined, 64_000],
  ['claude-opus-4', undefined, 32_000],
  ['claude-opus-4-5', undefined, 64_000],
  ['claude-opus-4-6', undefined, undefined],
  ['claude-opus-4-7', undefined, undefined],
  ['claude-opus-4-8', undefined, undefined],
  ['claude-sonnet-4-6', undefined, undefined],
  ['claude-haiku-4-5', undefined, 64_000],
  ['gpt-3.5-turbo', undefined, 4_096],
  ['gpt-4', undefined, 8_192],
  ['gpt-4-turbo', undefined, 4_096],
  ['gpt-4o', undefined, 16_384],
  ['gpt-4.1', 1_047_576, 32_768],
  ['gpt-5', undefined, 128_000],
  ['o1', undefined, 100_000],
  ['o3', undefined, 100_000],
  ['o4-mini', undefined, 100_000],
  ['gemini-1.5-flash', 1_048_576, 8_192],
  ['gemini-1.5-pro', 2_097_152, 8_192],
  ['gemini-2.0-flash', 1_048_576, 8_192],
  ['gemini-2.5-pro', 1_048_576, 65_536],
  ['gemini-2.5-pro-tts', undefined, undefined],
  ['gemini-2.5-pro-preview-tts', undefined, undefined],
  ['gemini-2.5-flash', 1_048_576, 65_536],
  ['gemini-2.5-flash-image', undefined, undefined],
  ['gemini-2.5-flash-tts', undefined, undefined],
  ['gemini-2.5-flash-preview-tts', undefined, undefined],
  ['gemini-3-pro', 1_048_576, 65_536],
  ['gemini-3-flash', 1_048_576, 65_536],
  ['gemini-3.1-pro', 1_048_576, 65_536],
  ['deepseek-chat', 128_000, 8_192],
  ['deepseek-reasoner', 128_000, 64_000],
  ['grok-4', undefined, 256_000],
  ['qwen3-coder', 262_144, 65_536],
  ['kimi-k2', 262_144, 262_144],
  ['kimi-k2-0711', undefined, undefined],
];

const NONE: PublishedLimits = { windowTokens: undefined, maxOutputTokens: undefined };

/** Limits of a model by its plain id; both undefined for a model that is not listed. */
export function publishedLimits(plainId: string): PublishedLimits {
  let best: (typeof LIMITS)[number] | undefined;
  for (const entry of LIMITS) {
    const longer = best === undefined || entry[0].length > best[0].length;
    if (longer && startsWithName(plainId, entry[0])) best = entry;
  }
  return best === undefined ? NONE : { windowTokens: best[1], maxOutputTokens: best[2] };
}

/** True when `id` is the name itself or goes on with a separator, so that `gpt-4` does not stand for `gpt-4o`. */
function startsWithName(id: string, name: string): boolean {
  if (!id.startsWith(name)) return false;
  const next = id.charAt(name.length);
  return next === '' || next === '-' || next === '@' || next === ':';
}
