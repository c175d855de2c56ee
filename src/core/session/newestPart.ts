import type { Inspection } from './inspection';

/** The newest part of a long session, which alone is measured anew when the session grows. */
export interface NewestPart {
  /** First message of the part. None before it is in the context. */
  readonly from: number;
  /** The same object while the sizes of the messages before the part stay as they are. */
  readonly older: object;
  /** Of the part alone: indexes count from its first message. */
  readonly inspection: Inspection;
  /** Sizes of all messages from an index on, which cost less than the list of all. */
  tokensFrom(index: number): readonly number[];
  tokensAt(index: number): number | undefined;
  /** Largest size of a message before the part. */
  readonly largestBefore: number;
}

/** Estimates of the messages from an index on, in tokens. */
export function tokensFrom({ newest, sizes }: Inspection, index: number): readonly number[] {
  return newest === undefined ? sizes.tokens.slice(index) : newest.tokensFrom(index);
}

/** Estimate of one message, in tokens. */
export function tokensAt({ newest, sizes }: Inspection, index: number): number | undefined {
  return newest === undefined ? sizes.tokens[index] : newest.tokensAt(index);
}
