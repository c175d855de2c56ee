// The admission of seed 2's vectors and of the cases, and decisions under their names there.
import { DEFAULT_PROJECTION } from '../../src/core/projection/config';
import { projectionGates } from '../../src/core/projection/rollout';
import type { Admission, Decision, InputPricing } from '../../src/core/projection/types';
import { BYTES_PER_FOUR } from '../../src/core/tokens/calibratedCounter';
import { field, numberOf, recordOf, type JsonRecord } from '../../src/core/util/json';

/** The eleven names. */
export const DECISION_NAMES = {
  avoidsCompact: 'admit_avoid_compact',
  netSavings: 'admit_net_savings',
  disabled: 'keep_disabled',
  incompleteEstimate: 'keep_incomplete_estimate',
  unknownPricing: 'keep_unknown_pricing',
  tokenSavings: 'keep_token_savings',
  compactThreshold: 'keep_compact_threshold',
  cost: 'keep_cost',
  sessionBudget: 'keep_session_budget',
  anomaly: 'keep_anomaly',
  shadow: 'shadow',
} as const satisfies Record<Decision['reason'], string>;

/** Only Inspect, as in the defaults. */
export const allowsInspect = projectionGates(DEFAULT_PROJECTION, { provider: '', model: '', sessionId: '' }).allowsTool;

/** Prices of a vector or case; undefined where they are marked as not known. */
export function seed2Pricing(admission: JsonRecord): InputPricing | undefined {
  const pricing = recordOf(admission, 'pricing') ?? {};
  if (either(pricing, 'Known', 'known') !== true) return undefined;
  return {
    inputPerMtok: numberOf(pricing, 'InputPerMtok') ?? numberOf(pricing, 'inputPerMtok') ?? 0,
    cacheReadPerMtok: numberOf(pricing, 'CacheReadPerMtok') ?? numberOf(pricing, 'cacheReadPerMtok') ?? 0,
  };
}

/** The admission of a vector. */
export function seed2Admission(input: JsonRecord, switches: { readonly enabled: boolean; readonly shadow: boolean }): Admission {
  const number = (key: string): number => numberOf(input, key) ?? 0;
  return {
    ...switches,
    pressure: field(input, 'pressure') === true,
    benefitTrigger: field(input, 'benefitTrigger') === true,
    counter: field(input, 'counter') === true ? BYTES_PER_FOUR : undefined,
    rawRequestTokens: field(input, 'rawKnown') === true ? number('rawRequestTokens') : undefined,
    previousCacheReadTokens: field(input, 'prevUsageKnown') === true ? number('prevCacheRead') : undefined,
    autoCompactThreshold: number('threshold'),
    pricing: seed2Pricing(input),
    minTokenSavings: number('minTokenSavings'),
    benefitMinTokenSavings: number('benefitMin'),
    reuseHorizon: number('reuseHorizon'),
    cacheRecoveryRequests: number('cacheRecovery'),
    imminentCompactResetsCache: field(input, 'imminentReset') === true,
    requireConsumedMutation: field(input, 'requireMutation') === true,
    minNetSavingsUsd: number('minNetUSD'),
    remainingTools: number('remainingTools'),
    remainingProjectedTokens: number('remainingTokens'),
    allowsTool: allowsInspect,
  };
}

function either(record: JsonRecord, one: string, other: string): unknown {
  return field(record, one) ?? field(record, other);
}
