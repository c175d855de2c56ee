import { clamp } from '../util/clamp';
import { CALIBRATION } from './calibration';
import { errorBand, type BandCost, type GuessedTokens } from './errorBand';

/** What stands between two reports: what it really cost, and what was guessed for it before any session was looked at. */
export interface CalibrationWindow {
  readonly actual: number;
  readonly guessed: GuessedTokens;
}

/** What a session's own reports have shown so far about estimates of it. Immutable. */
export interface SessionFit {
  readonly reported: number;
  readonly estimated: number;
  /** Factor on estimates, 0.75 … 2. */
  readonly scale: number;
  /** Factor on the error band. */
  readonly bandFactor: number;
}

/** How a session is learned from. */
const LEARNING = {
  /** Weight of the starting factor, as tokens that were estimated with it. */
  priorTokens: 3000,
  /** A window counts as at most this share off the factor so far: hidden reminders and pictures are no property of the tokenizer. */
  reach: 0.2,
  /** Step of the band's factor, in logarithms: up by 0.9 of it after a miss, down by 0.1 after a hit, so that nine of ten hit. */
  bandStep: 0.1,
  bandReach: 1.5,
  targetMisses: 0.1,
} as const;

/** A session of which nothing is known yet but the factor of its model. */
export function startingFit(prior: number): SessionFit {
  const { priorTokens } = LEARNING;
  return { reported: priorTokens * prior, estimated: priorTokens, scale: bounded(prior), bandFactor: 1 };
}

/**
 * Takes in one window: a ratio of sums as in seed 0 (0.5), but started from what is known of the model, and deaf to windows that are far off.
 * Windows without a guess or a cost say nothing.
 */
export function afterWindow(fit: SessionFit, { actual, guessed }: CalibrationWindow, band: BandCost): SessionFit {
  const guess = guessed.later + guessed.reply;
  if (!(guess > 0 && actual > 0)) return fit;
  const expected = guess * fit.scale;
  const isMissed = Math.abs(actual - expected) > errorBand(scaled(guessed, fit.scale), band, fit.bandFactor);
  const step = LEARNING.bandStep * ((isMissed ? 1 : 0) - LEARNING.targetMisses);
  const reported = fit.reported + clamp(actual, expected * (1 - LEARNING.reach), expected * (1 + LEARNING.reach));
  const estimated = fit.estimated + guess;
  return {
    reported,
    estimated,
    scale: bounded(reported / estimated),
    bandFactor: Math.exp(clamp(Math.log(fit.bandFactor) + step, -LEARNING.bandReach, LEARNING.bandReach)),
  };
}

/** A guess under a factor. */
export function scaled({ later, reply, hiddenThinking }: GuessedTokens, scale: number): GuessedTokens {
  return { later: later * scale, reply: reply * scale, hiddenThinking };
}

function bounded(scale: number): number {
  return clamp(scale, CALIBRATION.minScale, CALIBRATION.maxScale);
}
