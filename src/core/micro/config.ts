/** Where a request comes from. Old results are cleared for the main conversation alone; a source that nobody states is none. */
export type QuerySource = 'main' | 'other' | undefined;

/** How old tool results are cleared (seed 2, MicrocompactConfig). */
export interface MicrocompactOptions {
  /** Newest clearable results that stay; at least 1. */
  readonly keepRecent: number;
  /** Clear by text once the conversation was idle. */
  readonly timeBased: boolean;
  readonly source: QuerySource;
  /** Idle time in ms from which the provider's cache is taken for cold; 0 or less switches clearing by time off. */
  readonly idleThresholdMs: number;
  /** End of the last response, in ms since 1970; undefined for unknown, and then nothing is cleared. */
  readonly lastActivity?: number;
  /** Clear in the provider's cache, by orders, while it is warm. */
  readonly cacheEdits: boolean;
  /** Clearable results that may be active before orders are made; 0 or less switches them off. */
  readonly cacheTriggerCount: number;
  /** As keepRecent, for orders; 0 or less takes keepRecent. */
  readonly cacheKeepRecent: number;
  /** Results of Inspect, Run and ApplyPatch become proofs where those are shorter. */
  readonly proofs: boolean;
}

const HOUR_MS = 60 * 60 * 1000;

/** Nothing is cleared with these until a source is stated. */
export const DEFAULT_MICROCOMPACT: MicrocompactOptions = {
  keepRecent: 5,
  timeBased: true,
  source: undefined,
  idleThresholdMs: HOUR_MS,
  cacheEdits: false,
  cacheTriggerCount: 0,
  cacheKeepRecent: 0,
  proofs: true,
};

/** True when orders to the provider's cache are wanted at all (seed 2, ShouldUseCachedMicrocompact). */
export function usesCacheEdits({ cacheEdits, source, cacheTriggerCount }: MicrocompactOptions): boolean {
  return cacheEdits && source === 'main' && cacheTriggerCount > 0;
}
