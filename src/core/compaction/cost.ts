import { dollars, pricesAt, type PriceList, type PriceSource, type RequestPrices } from '../window/prices';
import { withClearedResults } from './clearCandidates';
import { cachedPrefix } from './costPrefix';
import type { SummaryCall } from './costSummary';
import type { MicroPlan } from './microPlan';
import type { CompactionPlan } from './plan';
import { tokensOfIndexes, type PlanInput, type TokensOf } from './planInput';

export interface CostFacts {
  readonly plan: CompactionPlan | MicroPlan;
  /** What the plan was made of; best with the sizes that hold to the provider's reports (`costSizes`), which the plan itself need not have. */
  readonly input: PlanInput;
  /** Estimate of the summary message with the words around it; 0 where results are cleared. */
  readonly summaryTokens: number;
  /** Estimate of a message with a cleared result. */
  readonly tokensOf: TokensOf;
  /** Absent: no model is called, and the summary costs nothing. */
  readonly call?: SummaryCall | undefined;
  /** Of the agent's model; undefined where they are unknown. */
  readonly prices: PriceList | undefined;
  /** Requests that a turn of the user takes at present; 1 where that is unknown, so that no saving is promised that may not come. */
  readonly requestsPerTurn?: number | undefined;
}

/**
 * What a compaction costs and saves, in tokens and in dollars; undefined is unknown. A turn is one of the user's; each takes several requests,
 * and each request pays for the whole context.
 */
export interface CompactionCost {
  readonly summaryInputTokens: number;
  readonly summaryOutputTokens: number;
  /** Of the first request afterwards: what the cache still holds, and what has to be written to it. Their sum is the new context. */
  readonly cacheKeptTokens: number;
  readonly cacheRewriteTokens: number;
  /** By how much each later request is smaller. */
  readonly savedTokensPerRequest: number;
  readonly savedTokensPerTurn: number;
  readonly summaryUsd: number | undefined;
  readonly rewriteUsd: number | undefined;
  readonly savedUsdPerTurn: number | undefined;
  /** Summary and rewriting. */
  readonly usd: number | undefined;
  /** Turns until the savings have made up for it; undefined: unknown, or never. */
  readonly paysBackAfterTurns: number | undefined;
  readonly priceSource: PriceSource | undefined;
  readonly priceModel: string | undefined;
}

/**
 * What a plan costs: the summary's call, the part of the prompt that the provider's cache no longer serves and that is written to it again, and
 * what every later request saves. The cache is taken for warm. Each size of prompt has its own prices (long prompts), growth of the session
 * is left out of both sides. Pure and linear.
 */
export function compactionCost(facts: CostFacts): CompactionCost {
  const { plan, input, call, prices } = facts;
  const requestsPerTurn = Math.max(1, facts.requestsPerTurn ?? 1);
  const before = input.unattributedTokens + tokensOfIndexes(input, input.context);
  const after = sizeAfter(facts, before);
  const { keptTokens, unsentTokens } = cachedPrefix(plan, input);
  const cacheKeptTokens = Math.min(keptTokens, after);
  const cacheRewriteTokens = after - cacheKeptTokens;
  const saved = Math.max(0, before - after);
  const summary = summaryUsd(call);
  const bills = billsOf({ before, after, unsent: unsentTokens, kept: cacheKeptTokens }, prices);
  return {
    summaryInputTokens: call?.inputTokens ?? 0,
    summaryOutputTokens: call?.outputTokens ?? 0,
    cacheKeptTokens,
    cacheRewriteTokens,
    savedTokensPerRequest: saved,
    savedTokensPerTurn: Math.round(saved * requestsPerTurn),
    summaryUsd: summary,
    rewriteUsd: bills?.rewrite,
    savedUsdPerTurn: bills === undefined ? undefined : Math.max(0, bills.savedLater) * requestsPerTurn,
    usd: sumOf(summary, bills?.rewrite),
    paysBackAfterTurns: paysBackAfter(summary, bills, requestsPerTurn),
    priceSource: prices?.source,
    priceModel: prices?.model,
  };
}

/** Size of the new context. */
function sizeAfter({ plan, input, summaryTokens, tokensOf }: CostFacts, before: number): number {
  if (plan.kind !== 'micro') {
    return input.unattributedTokens + tokensOfIndexes(input, plan.kept) + Math.max(0, Math.round(summaryTokens));
  }
  let freed = 0;
  for (const [index, texts] of plan.blocks) {
    const message = input.messages[index];
    const size = input.tokens[index] ?? 0;
    if (message !== undefined) freed += Math.max(0, size - tokensOf(withClearedResults(message, texts)));
  }
  return before - freed;
}

/** Dollars of a model's call for a summary; 0 where none is made, undefined where a price is unknown. */
export function summaryUsd(call: SummaryCall | undefined): number | undefined {
  if (call === undefined) return 0;
  const prices = call.prices === undefined ? undefined : pricesAt(call.prices, call.inputTokens);
  if (prices?.output === undefined) return undefined;
  return dollars(call.inputTokens, prices.input) + dollars(call.outputTokens, prices.output);
}

interface Sizes {
  readonly before: number;
  readonly after: number;
  /** Of the context, not in the cache yet. */
  readonly unsent: number;
  /** Of the new prompt, in the cache. */
  readonly kept: number;
}

interface Bills {
  readonly rewrite: number;
  /** How much less the first request afterwards, and each later one, costs than it would have. */
  readonly savedFirst: number;
  readonly savedLater: number;
}

function billsOf(sizes: Sizes, list: PriceList | undefined): Bills | undefined {
  const old = list === undefined ? undefined : pricesAt(list, sizes.before);
  const now = list === undefined ? undefined : pricesAt(list, sizes.after);
  if (old === undefined || now === undefined) return undefined;
  const unsent = Math.min(sizes.unsent, sizes.before);
  return {
    rewrite: dollars(sizes.after - sizes.kept, now.cacheWrite),
    savedFirst: requestUsd(sizes.before - unsent, unsent, old) - requestUsd(sizes.kept, sizes.after - sizes.kept, now),
    savedLater: requestUsd(sizes.before, 0, old) - requestUsd(sizes.after, 0, now),
  };
}

function requestUsd(read: number, written: number, prices: RequestPrices): number {
  return dollars(read, prices.cacheRead) + dollars(written, prices.cacheWrite);
}

/** Turns until the bill with the compaction is no larger than the one without it. */
function paysBackAfter(summary: number | undefined, bills: Bills | undefined, requestsPerTurn: number): number | undefined {
  if (summary === undefined || bills === undefined) return undefined;
  const debt = summary - bills.savedFirst;
  if (debt <= 0) return 1;
  if (!(bills.savedLater > 0)) return undefined;
  const requests = 1 + Math.ceil(debt / bills.savedLater - ROUNDING);
  return Math.ceil(requests / requestsPerTurn);
}

/** Sums of doubles that should be equal differ by less. */
const ROUNDING = 1e-9;

function sumOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
