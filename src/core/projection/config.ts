// Settings of progressive projection. Nothing is projected until somebody turns it on; a limit that makes no sense falls back to less projection.

/** What may be projected, for whom, and when it pays (seed 2, ProgressiveConfig). An empty list of providers, models or pairs allows all. */
export interface ProjectionConfig {
  readonly enabled: boolean;
  /** Only measures: no view changes. */
  readonly shadow: boolean;
  readonly killSwitch: boolean;
  /** Share of sessions, 1 to 100; 0 counts as not set. */
  readonly rolloutPercent: number;
  readonly providerAllowlist: readonly string[];
  /** Prefixes, so that a dated revision of a model counts as the model. */
  readonly modelAllowlist: readonly string[];
  /** `provider/model-prefix`, so that two reviewed pairs do not allow their mixtures. */
  readonly providerModelAllowlist: readonly string[];
  readonly toolAllowlist: readonly string[];
  /** Providers for which a compaction, due otherwise, would reset the cache anyway. Empty is none. */
  readonly imminentCompactProviderAllowlist: readonly string[];
  /** Messages that an automatic compaction keeps, tokens of growth that it believes, and its least percentage; 0 leaves the usual rule. */
  readonly autoCompactKeepRecent: number;
  readonly autoCompactMaxGrowthTokens: number;
  readonly autoCompactMinThresholdPercent: number;
  /** No projection under pressure alone: exact source text may still be needed for the first change. */
  readonly requireConsumedMutation: boolean;
  readonly benefitTrigger: boolean;
  readonly benefitTriggerProviderAllowlist: readonly string[];
  readonly flattenCompactInput: boolean;
  readonly conciseCompactSummary: boolean;
  /** Largest answer of a summarizer in tokens; 0 leaves the usual limit. */
  readonly compactMaxOutputTokens: number;
  readonly minTokenSavings: number;
  readonly benefitMinTokenSavings: number;
  /** Later requests that are believed to send the projected text again. */
  readonly reuseHorizon: number;
  /** Requests that a broken cache takes to be warm again. */
  readonly cacheRecoveryRequests: number;
  readonly minNetSavingsUsd: number;
  /** Limits of one session. */
  readonly maxProjectedTools: number;
  readonly maxProjectedTokens: number;
  readonly maxConsecutiveAnomalies: number;
}

/** Safe values, turned off (seed 2, DefaultProgressiveConfig). */
export const DEFAULT_PROJECTION: ProjectionConfig = {
  enabled: false,
  shadow: false,
  killSwitch: false,
  rolloutPercent: 100,
  providerAllowlist: [],
  modelAllowlist: [],
  providerModelAllowlist: [],
  toolAllowlist: ['Inspect'],
  imminentCompactProviderAllowlist: [],
  autoCompactKeepRecent: 0,
  autoCompactMaxGrowthTokens: 0,
  autoCompactMinThresholdPercent: 0,
  requireConsumedMutation: false,
  benefitTrigger: false,
  benefitTriggerProviderAllowlist: [],
  flattenCompactInput: false,
  conciseCompactSummary: false,
  compactMaxOutputTokens: 0,
  minTokenSavings: 2000,
  benefitMinTokenSavings: 0,
  reuseHorizon: 3,
  cacheRecoveryRequests: 2,
  minNetSavingsUsd: 0,
  maxProjectedTools: 24,
  maxProjectedTokens: 48_000,
  maxConsecutiveAnomalies: 3,
};

/** The pairs of provider and model, and the rules for them, that seed 2 measured in use (ProductionProgressiveConfig). */
export const REVIEWED_PROJECTION: ProjectionConfig = {
  ...DEFAULT_PROJECTION,
  enabled: true,
  providerAllowlist: ['openai', 'deepseek'],
  modelAllowlist: ['gpt-5.6-sol', 'deepseek-v4-flash'],
  providerModelAllowlist: ['openai/gpt-5.6-sol', 'deepseek/deepseek-v4-flash'],
  imminentCompactProviderAllowlist: ['deepseek'],
  autoCompactKeepRecent: 1,
  autoCompactMaxGrowthTokens: 4000,
  autoCompactMinThresholdPercent: 100,
  requireConsumedMutation: true,
  benefitTrigger: true,
  benefitTriggerProviderAllowlist: ['openai'],
  flattenCompactInput: true,
  conciseCompactSummary: true,
  compactMaxOutputTokens: 4000,
  benefitMinTokenSavings: 6000,
};

const MAX_SUMMARY_TOKENS = 20_000;

/**
 * Fills in what is missing and bounds what is out of range, without turning anything on. A reuse horizon below 0 means none, 0 the default
 * (seed 2, NormalizeProgressiveConfig).
 */
export function normalizeProjection(config: Partial<ProjectionConfig>): ProjectionConfig {
  const whole = { ...DEFAULT_PROJECTION, ...config };
  const minTokenSavings = positive(whole.minTokenSavings, DEFAULT_PROJECTION.minTokenSavings);
  const tools = names(whole.toolAllowlist);
  return {
    ...whole,
    rolloutPercent: Math.min(positive(whole.rolloutPercent, DEFAULT_PROJECTION.rolloutPercent), 100),
    providerAllowlist: names(whole.providerAllowlist),
    modelAllowlist: names(whole.modelAllowlist),
    providerModelAllowlist: names(whole.providerModelAllowlist),
    toolAllowlist: tools.length === 0 ? names(DEFAULT_PROJECTION.toolAllowlist) : tools,
    imminentCompactProviderAllowlist: names(whole.imminentCompactProviderAllowlist),
    autoCompactKeepRecent: positive(whole.autoCompactKeepRecent, 0),
    autoCompactMaxGrowthTokens: positive(whole.autoCompactMaxGrowthTokens, 0),
    autoCompactMinThresholdPercent: Math.min(positive(whole.autoCompactMinThresholdPercent, 0), 100),
    benefitTriggerProviderAllowlist: names(whole.benefitTriggerProviderAllowlist),
    compactMaxOutputTokens: Math.min(positive(whole.compactMaxOutputTokens, 0), MAX_SUMMARY_TOKENS),
    minTokenSavings,
    benefitMinTokenSavings: positive(whole.benefitMinTokenSavings, minTokenSavings),
    reuseHorizon: whole.reuseHorizon < 0 ? 0 : positive(whole.reuseHorizon, DEFAULT_PROJECTION.reuseHorizon),
    cacheRecoveryRequests: positive(whole.cacheRecoveryRequests, DEFAULT_PROJECTION.cacheRecoveryRequests),
    minNetSavingsUsd: whole.minNetSavingsUsd > 0 ? whole.minNetSavingsUsd : 0,
    maxProjectedTools: positive(whole.maxProjectedTools, DEFAULT_PROJECTION.maxProjectedTools),
    maxProjectedTokens: positive(whole.maxProjectedTokens, DEFAULT_PROJECTION.maxProjectedTokens),
    maxConsecutiveAnomalies: positive(whole.maxConsecutiveAnomalies, DEFAULT_PROJECTION.maxConsecutiveAnomalies),
  };
}

/** A name of a provider, model or tool as it is compared: these are identifiers, and nobody agrees on their case. */
export function comparable(name: string): string {
  return name.trim().toLowerCase();
}

function names(list: readonly string[]): readonly string[] {
  return [...new Set(list.map(comparable))].filter((name) => name !== '');
}

function positive(value: number, fallback: number): number {
  return value >= 1 ? Math.trunc(value) : fallback;
}
