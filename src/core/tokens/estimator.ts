import type { Message } from '../model/message';
import { calibrationEvidence, messageSteps, scaleFrom } from './calibration';
import { heuristicTokens, reportedTokens } from './charHeuristic';

export interface Estimator {
  /** Factor on every estimate; 1 when the conversation says too little to know better. */
  readonly scale: number;
  /** Size of a message: what was reported for it (never scaled), else trunc(base × scale). */
  readonly tokensOf: (message: Message) => number;
  /** trunc(base × scale) of the content alone, whatever was reported; for parts of a response and for what reports don't cover. */
  readonly contentTokensOf: (message: Message) => number;
}

/** Makes an estimator that is calibrated on a conversation (seed 0 NewEstimator). `base` estimates one message's content. */
export function createEstimator(messages: Iterable<Message>, base: (message: Message) => number = heuristicTokens): Estimator {
  return estimatorOf(scaleFrom(calibrationEvidence(messageSteps(messages, base))) ?? 1, base);
}

/** Makes an estimator with a known scale. */
export function estimatorOf(scale: number, base: (message: Message) => number = heuristicTokens): Estimator {
  const contentTokensOf = (message: Message): number => Math.trunc(base(message) * scale);
  return { scale, contentTokensOf, tokensOf: (message) => reportedTokens(message) ?? contentTokensOf(message) };
}

/** No calibration: the scale is 1 (seed 0, zero value of Estimator). */
export const NEUTRAL_ESTIMATOR: Estimator = estimatorOf(1);
