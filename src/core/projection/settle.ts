import type { Message } from '../model/message';
import type { ReplacementState } from '../toolResults/replacementState';
import { keep } from './admission';
import type { ProjectionResult } from './types';

/** The request as it was counted again after a projection. */
export interface Recount {
  readonly knownTotal: number;
  readonly complete: boolean;
}

export interface Settled {
  readonly result: ProjectionResult;
  /** Anomalies in a row. At the limit of the configuration a session projects no more. */
  readonly anomalies: number;
}

/** What there was before the projection. */
export interface BeforeProjection {
  readonly messages: readonly Message[];
  readonly state: ReplacementState;
  readonly rawRequestTokens: number;
}

/**
 * Checks a projection against the request counted anew: one whose size is unknown or has not shrunk is taken back whole and counts as an
 * anomaly; one that holds ends the row of anomalies. Without a change there is nothing to check (seed 2, anomaly circuit).
 */
export function settleProjection(result: ProjectionResult, before: BeforeProjection, recount: Recount, anomalies: number): Settled {
  if (!result.changed) return { result, anomalies };
  if (recount.complete && recount.knownTotal < before.rawRequestTokens) return { result, anomalies: 0 };
  const { messages, state } = before;
  return { result: { ...result, messages, state, records: [], changed: false, decision: keep('anomaly') }, anomalies: anomalies + 1 };
}

/** True when a session has shown too many anomalies in a row to be projected again (seed 2, anomaly circuit). */
export function isProjectionHalted(anomalies: number, maxConsecutiveAnomalies: number): boolean {
  return anomalies >= maxConsecutiveAnomalies;
}
