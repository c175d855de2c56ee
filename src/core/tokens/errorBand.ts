import type { ContentCost } from './messageTokens';

/** What of a context's size is guessed, in tokens as estimated. */
export interface GuessedTokens {
  /** Of what came after the newest answer. */
  readonly later: number;
  /** Of the answer itself; 0 where its size was reported. */
  readonly reply: number;
  /** Thinking blocks in a guessed answer whose text is not stored. */
  readonly hiddenThinking: number;
}

/** Half width of a band: tokens at least (by whether the answer's size is known), shares of both parts, and tokens a hidden thinking block. */
export interface BandCost {
  readonly knownReply: number;
  readonly guessedReply: number;
  readonly later: number;
  readonly reply: number;
  readonly hiddenThinking: number;
}

/** How the tokens of a model's generation are estimated, and how far an estimate may be off. */
export interface FittedGeneration {
  readonly cost: ContentCost;
  readonly band: BandCost;
}

/** The widest guess about nothing in particular: an estimate of unknown origin is taken to be off by a quarter and 50 tokens. */
export const ERROR_BAND = { share: 0.25, tokens: 50 } as const;

/** Half width of the band around a size that nine of ten estimates stay in, in tokens; 0 where nothing is guessed. `factor` widens it. */
export function errorBand(guessed: GuessedTokens, cost: BandCost, factor = 1): number {
  if (!(guessed.later + guessed.reply > 0)) return 0;
  const least = guessed.reply > 0 ? cost.guessedReply : cost.knownReply;
  const share = guessed.later * cost.later + guessed.reply * cost.reply;
  return Math.ceil(factor * (least + share + guessed.hiddenThinking * cost.hiddenThinking));
}

/** The band of an estimate of which only the size is known. */
export function plainErrorBand({ later, reply }: GuessedTokens): number {
  const guessed = later + reply;
  return guessed > 0 ? Math.ceil(guessed * ERROR_BAND.share) + ERROR_BAND.tokens : 0;
}
