import { clamp } from '../util/clamp';
import type { Admission, Decision, Evaluation, InputPricing } from './types';

/** What a batch would change. */
export interface ProposedChange {
  readonly tokensSaved: number;
  /** Tokens of the request before the first change. */
  readonly stablePrefixTokens: number;
}

/**
 * Decides whether a batch pays: it saves enough tokens, and avoids a compaction or earns back what the broken cache costs. Whatever is unknown
 * keeps the original (R61). Each term of a cost is rounded for itself, so that equal inputs give equal doubles everywhere (seed 2,
 * evaluateProgressiveProjectionAdmission).
 */
export function decide(admission: Admission, { tokensSaved, stablePrefixTokens }: ProposedChange): Evaluation {
  const { counter, rawRequestTokens: raw, previousCacheReadTokens: previous, pricing, autoCompactThreshold: threshold } = admission;
  if (counter === undefined || !isKnown(raw) || raw <= 0 || !isKnown(previous)) return kept('incompleteEstimate');
  if (pricing === undefined || !isPrice(pricing)) return kept('unknownPricing');
  if (!isKnown(tokensSaved) || tokensSaved < Math.max(leastSavings(admission), 1)) return kept('tokenSavings');

  const cacheRead = clamp(previous, 0, raw);
  const stable = clamp(stablePrefixTokens, 0, cacheRead);
  const request: Request = { raw, cacheRead, stable, tokensSaved, projected: Math.max(raw - tokensSaved, 0), pricing };
  const isOver = threshold > 0 && raw > threshold;
  const avoidsCompaction = isOver && request.projected <= threshold;
  const cost = admission.benefitTrigger ? benefitCost(request, admission) : ordinaryCost(request, admission);
  const base = {
    projectedRequestTokens: request.projected,
    stablePrefixTokens: stable,
    invalidatedCachedTokens: cacheRead - stable,
    cacheBreakUsd: cost.gross,
    grossCacheBreakUsd: cost.gross,
    avoidsCompaction,
  };
  if (admission.benefitTrigger && cacheRead > stable) {
    return { ...base, decision: keep('cost'), netSavingsUsd: 0 - cost.gross };
  }
  const later = usd(tokensSaved * Math.max(admission.reuseHorizon, 0), pricing.cacheReadPerMtok);
  const least = Math.max(admission.minNetSavingsUsd, 0);
  // The compaction that is due otherwise would reset the cache too, so a projection that avoids it is not charged for the same reset.
  const cacheBreakUsd = avoidsCompaction && admission.imminentCompactResetsCache ? 0 : cost.gross;
  const netSavingsUsd = cost.current + later - cacheBreakUsd;
  const priced = { ...base, cacheBreakUsd, netSavingsUsd };
  if (avoidsCompaction && netSavingsUsd >= least) return { ...priced, decision: admit('avoidsCompact') };
  // Still too large afterwards, or too dear: the compaction comes anyway, and nobody pays twice.
  if (isOver) return { ...priced, decision: keep('compactThreshold'), netSavingsUsd: avoidsCompaction ? netSavingsUsd : 0 };
  return { ...priced, decision: netSavingsUsd >= least ? admit('netSavings') : keep('cost') };
}

/** What becomes of a batch. */
export interface GateAnswer {
  readonly decision: Decision;
  readonly evaluation: Evaluation | undefined;
}

/**
 * The whole gate: off means disabled, more tokens than the session may still take means its budget, and a shadow asks but never admits. Only
 * then does the price decide (seed 2, admission; P67).
 */
export function admitBatch(admission: Admission, change: ProposedChange, projectedTokens: number): GateAnswer {
  if (!admission.enabled) return { decision: keep('disabled'), evaluation: undefined };
  if (!(projectedTokens <= admission.remainingProjectedTokens)) return { decision: keep('sessionBudget'), evaluation: undefined };
  const evaluation = decide(admission, change);
  return { decision: admission.shadow ? keep('shadow') : evaluation.decision, evaluation };
}

/** A decision to leave everything as it is. */
export function keep(reason: Extract<Decision, { admit: false }>['reason']): Decision {
  return { admit: false, reason };
}

interface Request {
  readonly raw: number;
  readonly projected: number;
  readonly cacheRead: number;
  readonly stable: number;
  readonly tokensSaved: number;
  readonly pricing: InputPricing;
}

interface Cost {
  /** Saved by this very request. */
  readonly current: number;
  /** Lost until the cache is warm again. */
  readonly gross: number;
}

/** Both requests priced in full: what is stable is read from the cache, all that follows the first change is not. */
function ordinaryCost({ raw, projected, cacheRead, stable, pricing }: Request, { cacheRecoveryRequests }: Admission): Cost {
  const { inputPerMtok, cacheReadPerMtok } = pricing;
  const baseline = usd(cacheRead, cacheReadPerMtok) + usd(raw - cacheRead, inputPerMtok);
  const changed = usd(stable, cacheReadPerMtok) + usd(Math.max(projected - stable, 0), inputPerMtok);
  return {
    current: Math.max(baseline - changed, 0),
    gross: Math.max(changed - baseline, 0) * Math.max(cacheRecoveryRequests, 1),
  };
}

/** Before there is pressure nothing cached may be lost; what is saved counts as uncached as far as that goes. */
function benefitCost({ raw, cacheRead, stable, tokensSaved, pricing }: Request, { cacheRecoveryRequests }: Admission): Cost {
  const { inputPerMtok, cacheReadPerMtok } = pricing;
  const uncached = raw - cacheRead;
  const baseline = usd(cacheRead, cacheReadPerMtok) + usd(uncached, inputPerMtok);
  const fresh = Math.min(tokensSaved, uncached);
  const saved = usd(fresh, inputPerMtok) + usd(tokensSaved - fresh, cacheReadPerMtok);
  return {
    current: Math.min(saved, baseline),
    gross: usd(cacheRead - stable, Math.max(inputPerMtok - cacheReadPerMtok, 0)) * Math.max(cacheRecoveryRequests, 0),
  };
}

function usd(tokens: number, perMtok: number): number {
  return (tokens * perMtok) / 1e6;
}

function leastSavings({ benefitTrigger, benefitMinTokenSavings, minTokenSavings }: Admission): number {
  return benefitTrigger && benefitMinTokenSavings > 0 ? benefitMinTokenSavings : minTokenSavings;
}

function isKnown(tokens: number | undefined): tokens is number {
  return tokens !== undefined && Number.isFinite(tokens);
}

function isPrice({ inputPerMtok, cacheReadPerMtok }: InputPricing): boolean {
  return Number.isFinite(inputPerMtok) && inputPerMtok > 0 && Number.isFinite(cacheReadPerMtok) && cacheReadPerMtok >= 0;
}

function admit(reason: Extract<Decision, { admit: true }>['reason']): Decision {
  return { admit: true, reason };
}

function kept(reason: 'incompleteEstimate' | 'unknownPricing' | 'tokenSavings'): Evaluation {
  return {
    decision: keep(reason),
    projectedRequestTokens: 0,
    stablePrefixTokens: 0,
    invalidatedCachedTokens: 0,
    cacheBreakUsd: 0,
    grossCacheBreakUsd: 0,
    netSavingsUsd: 0,
    avoidsCompaction: false,
  };
}
