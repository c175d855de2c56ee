export type ReadErrorCode =
  'notFound' | 'denied' | 'notAFile' | 'empty' | 'binary' | 'damaged' | 'tooLarge' | 'unknownFormat' | 'changedWhileReading' | 'io';

/** A transcript that could not be read at all. Damage inside of one is a diagnostic. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
  constructor(
    readonly code: ReadErrorCode,
    message: string = code,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}
