import type { Message } from '../model/message';
import type { TokenCounter } from '../ports/tokenCounter';
import type { ReplacementRecord, ReplacementState } from '../toolResults/replacementState';

/** Input side of a published price, in US dollars per million tokens. An unknown price is no price at all, never 0. */
export interface InputPricing {
  readonly inputPerMtok: number;
  readonly cacheReadPerMtok: number;
}

/** Everything that the decision about one request rests on, fixed before it is made (seed 2, ProgressiveProjectionAdmission). */
export interface Admission {
  readonly enabled: boolean;
  /** Only measures. */
  readonly shadow: boolean;
  /** A compaction is near. */
  readonly pressure: boolean;
  readonly benefitTrigger: boolean;
  readonly counter: TokenCounter | undefined;
  /** Tokens of the request before a given result, so before the first change. Absent is 0: the whole cache is taken for lost. */
  readonly stablePrefixTokens?: (messageIndex: number, toolUseId: string) => number;
  /** Tokens of the request as it stands; undefined when a part of it is unknown, since a lower bound decides nothing (R61). */
  readonly rawRequestTokens: number | undefined;
  /** Tokens that the last request read from the cache; undefined without a report, which is not the same as a cold cache. */
  readonly previousCacheReadTokens: number | undefined;
  /** 0 or less when there is none. */
  readonly autoCompactThreshold: number;
  readonly pricing: InputPricing | undefined;
  readonly minTokenSavings: number;
  /** 0 or less: `minTokenSavings` holds for the benefit trigger too. */
  readonly benefitMinTokenSavings: number;
  readonly reuseHorizon: number;
  readonly cacheRecoveryRequests: number;
  readonly imminentCompactResetsCache: boolean;
  readonly requireConsumedMutation: boolean;
  readonly minNetSavingsUsd: number;
  /** What the session's limits leave. */
  readonly remainingTools: number;
  readonly remainingProjectedTokens: number;
  readonly allowsTool: (name: string) => boolean;
}

export type AdmitReason = 'avoidsCompact' | 'netSavings';

export type KeepReason =
  | 'disabled'
  | 'incompleteEstimate'
  | 'unknownPricing'
  | 'tokenSavings'
  | 'compactThreshold'
  | 'cost'
  | 'sessionBudget'
  | 'anomaly'
  | 'shadow';

export type Decision = { readonly admit: true; readonly reason: AdmitReason } | { readonly admit: false; readonly reason: KeepReason };

/** What the gate works out for one batch. Numbers that it did not get to are 0. */
export interface Evaluation {
  readonly decision: Decision;
  readonly projectedRequestTokens: number;
  readonly stablePrefixTokens: number;
  readonly invalidatedCachedTokens: number;
  /** Cost of the broken cache that is charged, and what it would be if no compaction broke it anyway. */
  readonly cacheBreakUsd: number;
  readonly grossCacheBreakUsd: number;
  readonly netSavingsUsd: number;
  readonly avoidsCompaction: boolean;
}

/** Why results were looked at: a change of files that the model has seen, pressure (again, after an earlier projection), or a benefit. */
export type ProjectionTrigger = 'consumedMutation' | 'workingSetPressure' | 'workingSetPressureTopUp' | 'benefitThreshold';

/** Sizes of a batch: originals against what stands in their place. */
export interface BatchSize {
  readonly projectedTools: number;
  /** Of these, how many are rewrites or proofs, and how many only indexes. */
  readonly rewrittenTools: number;
  readonly indexedTools: number;
  readonly originalBytes: number;
  readonly projectedBytes: number;
  readonly originalTokens: number;
  readonly projectedTokens: number;
  readonly tokensSaved: number;
}

/** One attempt. The raw history is never changed: `messages` is the view for the provider. */
export interface ProjectionResult {
  readonly messages: readonly Message[];
  readonly state: ReplacementState;
  /** The new decisions, to be kept with the conversation. */
  readonly records: readonly ReplacementRecord[];
  readonly changed: boolean;
  readonly decision: Decision;
  readonly trigger: ProjectionTrigger | undefined;
  /** The batch that the decision is about, also when it is kept. */
  readonly size: BatchSize;
  /** The gate's own answer, in a shadow too; undefined when it was never asked. */
  readonly evaluation: Evaluation | undefined;
}
