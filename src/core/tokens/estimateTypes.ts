export type OverheadKind = 'systemPrompt' | 'toolSchema' | 'toolPayload' | 'media' | 'protocol';

/** `configured` was told, `estimated` was worked out, `unknown` cannot be known from what is here. */
export type EstimateBasis = 'estimated' | 'configured' | 'unknown';

/** One part of a request besides its messages' content. */
export interface OverheadEstimate {
  readonly kind: OverheadKind;
  readonly basis: EstimateBasis;
  /** 0 where the basis is unknown: nothing is added for it, and the whole is a lower bound. */
  readonly tokens: number;
}

/** An estimate that says what it does not know (R31). */
export interface TokenEstimate {
  readonly messageContent: number;
  readonly toolPayload: number;
  readonly overheads: readonly OverheadEstimate[];
  /** Content, payload and all known overheads. */
  readonly knownTotal: number;
  /** False when a part is unknown; `knownTotal` is then a lower bound. */
  readonly complete: boolean;
  readonly unknown: readonly OverheadKind[];
}

/** What the caller knows about a request besides its messages; undefined is unknown, 0 is proven absent. */
export interface RequestOverhead {
  readonly systemPrompt?: number | undefined;
  readonly toolSchema?: number | undefined;
  /** Tokens of all pictures and documents together. */
  readonly media?: number | undefined;
}
