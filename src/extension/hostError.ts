/** What the host itself can't do; the sentences are in l10n/hostMessages.ts. */
export type HostErrorCode =
  | 'notOnThisMachine'
  | 'noSession'
  | 'noRow'
  | 'noBoundary'
  | 'untrustedWorkspace'
  | 'noModel'
  | 'modelGone'
  | 'noEditorModels'
  | 'noSample'
  | 'notATranscriptLine'
  | 'cannotShowText'
  | 'unknownCopy'
  | 'noResume'
  | 'noHistory'
  | 'sourceGone'
  | 'unsafeResume'
  | 'tooManyRequests'
  | 'messageTooLarge'
  | 'otherSession'
  | 'noKey'
  | 'engineStopped';

/** A failure whose cause lies in the host or in what the user chose; shown in words, never as this code. */
export class HostError extends Error {
  override readonly name = 'HostError';
  constructor(
    readonly code: HostErrorCode,
    options?: { readonly cause?: unknown },
  ) {
    super(code, options);
  }
}
