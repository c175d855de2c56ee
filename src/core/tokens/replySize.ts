/** A recorded output below this share of the estimate cannot be the output: real sessions hold none between a half and four fifths of it. */
const PLACEHOLDER_SHARE = 0.6;

/** True where a recorded output can only be the first tokens of the stream, as some versions of agents store them. */
export function isPlaceholder(outputTokens: number, estimate: number): boolean {
  return outputTokens < estimate * PLACEHOLDER_SHARE;
}

/** Estimate of an answer's visible text, held to the recorded output: an answer cannot be larger than what was counted for it. */
export function heldToOutput(outputTokens: number, estimate: number): number {
  return isPlaceholder(outputTokens, estimate) ? estimate : Math.min(estimate, outputTokens);
}

export interface ReplySize {
  readonly tokens: number;
  /** The estimate is the larger one, so the size is a guess. */
  readonly isGuessed: boolean;
}

/** Size of an answer: the larger of recorded output and estimate. */
export function replySize(outputTokens: number, estimate: number): ReplySize {
  const isGuessed = estimate > outputTokens;
  return { tokens: isGuessed ? estimate : outputTokens, isGuessed };
}
