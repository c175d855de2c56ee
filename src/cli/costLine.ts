import type { CostView } from '../core/protocol/planView';
import { oneLine } from '../core/util/text';
import { shortTokens } from './format';

/** The three parts of what a compaction costs, and when that is made up for, in one sentence; what is unknown says so. */
export function costLine(cost: CostView): string {
  const isCalled = cost.summaryInputTokens + cost.summaryOutputTokens > 0;
  const { summaryInputTokens: sent, summaryOutputTokens: answered } = cost;
  const parts = [
    isCalled ? `summary call ${shortTokens(sent)} in, ${shortTokens(answered)} out (${dollars(cost.summaryUsd)})` : 'no summary call ($0)',
    `cache rewrite ${shortTokens(cost.cacheRewriteTokens)} tokens (${dollars(cost.rewriteUsd)})`,
    `saving per turn ${shortTokens(cost.savedTokensPerTurn)} tokens (${dollars(cost.savedUsdPerTurn)})`,
  ];
  const turns = cost.paysBackAfterTurns;
  const payback = turns === null ? '' : `; pays back after ${turns} ${turns === 1 ? 'turn' : 'turns'}`;
  const source = cost.priceSource === 'setting' ? 'set' : 'published';
  const prices = cost.priceModel === null ? '' : ` Prices ${source} for ${oneLine(cost.priceModel, LONGEST_MODEL)}.`;
  return `Cost: ${parts.join('; ')}${payback}.${prices}`;
}

const LONGEST_MODEL = 60;

/** Smaller amounts are not told apart. */
const LEAST_SHOWN = 0.0001;

/** `$0.024`: two digits that count, whole cents from a dollar on. */
function dollars(usd: number | null): string {
  if (usd === null) return 'cost unknown';
  if (usd >= 1) return `$${usd.toFixed(2)}`;
  if (usd === 0) return '$0';
  return usd < LEAST_SHOWN ? `under $${LEAST_SHOWN}` : `$${Number(usd.toPrecision(2))}`;
}
