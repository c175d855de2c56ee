import type { CompactionCost } from '../compaction/cost';
import type { CostView } from '../protocol/planView';

/** A cost as it leaves the core: the same numbers, null for unknown. */
export function costView(cost: CompactionCost): CostView {
  return {
    summaryInputTokens: cost.summaryInputTokens,
    summaryOutputTokens: cost.summaryOutputTokens,
    cacheKeptTokens: cost.cacheKeptTokens,
    cacheRewriteTokens: cost.cacheRewriteTokens,
    savedTokensPerTurn: cost.savedTokensPerTurn,
    summaryUsd: cost.summaryUsd ?? null,
    rewriteUsd: cost.rewriteUsd ?? null,
    savedUsdPerTurn: cost.savedUsdPerTurn ?? null,
    usd: cost.usd ?? null,
    paysBackAfterTurns: cost.paysBackAfterTurns ?? null,
    priceSource: cost.priceSource ?? null,
    priceModel: cost.priceModel ?? null,
  };
}
