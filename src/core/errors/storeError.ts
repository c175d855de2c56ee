export type StoreErrorCode = 'exists' | 'unsafeName' | 'link' | 'noSpace' | 'denied' | 'io';

/** A file that could not be written. Nothing of it is left behind. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  constructor(
    readonly code: StoreErrorCode,
    message: string = code,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}
