import { admitBatch } from '../../../src/core/projection/admission';
import type { Admission } from '../../../src/core/projection/types';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { field, isRecord, numberOf, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { allowsInspect, DECISION_NAMES, seed2Pricing } from '../../support/seed2Projection';
import type { CaseAdapter, CaseCall } from '../caseTypes';

const NAMES: ReadonlySet<string> = new Set(Object.values(DECISION_NAMES));

export const projection: CaseAdapter = {
  functions: { admission },
  properties: {
    P67: ({ args }, result) => {
      const answer = isRecord(result) ? result : {};
      const decision = stringOf(answer, 'decision') ?? '';
      if (!NAMES.has(decision)) return `${decision} is no decision`;
      const isAdmitted = decision.startsWith('admit_');
      if ((field(answer, 'changed') === true) !== isAdmitted) return 'only an admission changes something, and each does';
      const unknown = ['rawRequestEstimateKnown', 'previousUsageKnown'].some((key) => field(args, key) !== true);
      const tooSmall = (numberOf(args, 'tokensSaved') ?? 0) < (numberOf(args, 'minTokenSavings') ?? 0);
      const isRefused = unknown || tooSmall || seed2Pricing(args) === undefined || field(args, 'enabled') !== true;
      return isAdmitted && isRefused ? 'it was admitted on unknown or too small numbers' : undefined;
    },
  },
};

function admission({ args }: CaseCall): JsonRecord {
  const change = { tokensSaved: numberOf(args, 'tokensSaved') ?? 0, stablePrefixTokens: numberOf(args, 'stablePrefixTokens') ?? 0 };
  // A case states a saving and no texts, so nothing is taken of the session's tokens.
  const { decision, evaluation } = admitBatch(admissionOf(args), change, 0);
  return {
    decision: DECISION_NAMES[decision.reason],
    changed: decision.admit,
    estimatedNetSavingsUSD: evaluation?.netSavingsUsd ?? 0,
    projectedRequestTokens: evaluation?.projectedRequestTokens ?? 0,
  };
}

function admissionOf(args: JsonRecord): Admission {
  const number = (key: string): number => numberOf(args, key) ?? 0;
  return {
    enabled: field(args, 'enabled') === true,
    shadow: field(args, 'shadow') === true,
    pressure: false,
    benefitTrigger: false,
    counter: BYTES_PER_FOUR,
    rawRequestTokens: field(args, 'rawRequestEstimateKnown') === true ? number('rawRequestTokens') : undefined,
    previousCacheReadTokens: field(args, 'previousUsageKnown') === true ? number('previousCacheReadTokens') : undefined,
    autoCompactThreshold: number('autoCompactThreshold'),
    pricing: seed2Pricing(args),
    minTokenSavings: number('minTokenSavings'),
    benefitMinTokenSavings: 0,
    reuseHorizon: number('reuseHorizon'),
    cacheRecoveryRequests: number('cacheRecoveryRequests'),
    imminentCompactResetsCache: false,
    requireConsumedMutation: false,
    minNetSavingsUsd: number('minNetSavingsUSD'),
    remainingTools: 1,
    remainingProjectedTokens: 1,
    allowsTool: allowsInspect,
  };
}
