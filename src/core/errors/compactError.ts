export type CompactErrorCode =
  | 'notEnoughMessages'
  | 'aborted'
  | 'incomplete'
  | 'promptTooLong'
  | 'api'
  | 'noSummary'
  | 'summarizerUnavailable'
  | 'notSmaller'
  | 'staleSource'
  | 'invalidSummary'
  | 'consentRequired'
  | 'pendingToolCall'
  | 'nothingToDo'
  | 'breakerOpen'
  | 'unknownMessage'
  | 'copyDiffers'
  | 'notSupported';

/** A compaction that failed while it ran. Refusals of a planner are values (`PlanRefusal`), not errors. */
export class CompactError extends Error {
  override readonly name = 'CompactError';
  constructor(
    readonly code: CompactErrorCode,
    message: string = code,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

/** True for a CompactError, of the given code when one is named (seed 2, CompactError.Is, CompactPromptTooLongError.Is). */
export function isCompactError(error: unknown, code?: CompactErrorCode): error is CompactError {
  return error instanceof CompactError && (code === undefined || error.code === code);
}

const USER_CATEGORIES: ReadonlySet<CompactErrorCode> = new Set([
  'notEnoughMessages',
  'aborted',
  'incomplete',
  'promptTooLong',
  'noSummary',
]);

/** True for an error of a category that a user's own action leads to or can end; a provider's error is none (seed 2, HasUserErrorCategory). */
export function hasUserMessage(error: unknown): boolean {
  return isCompactError(error) && USER_CATEGORIES.has(error.code);
}
