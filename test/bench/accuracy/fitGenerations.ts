import type { BandCost, FittedGeneration } from '../../../src/core/tokens/errorBand';
import { contentTokens, type ContentCost } from '../../../src/core/tokens/messageTokens';
import type { Generation } from '../../../src/core/tokens/modelGeneration';
import { isPlaceholder } from '../../../src/core/tokens/replySize';
import { leastDeviations, type Equation } from './leastDeviations';
import { estimateTurns, type TurnEstimate } from './turnEstimates';
import { laterParts, replyParts, type RowParts, type TurnRow } from './turnRows';

export const FITTED_GENERATIONS = ['claude47', 'claude46'] as const satisfies readonly Generation[];
export type FittedName = (typeof FITTED_GENERATIONS)[number];
export type Fits = Readonly<Record<FittedName, FittedGeneration>>;

export const FOLDS = 5;

/** Turns below this many tokens are noise to a ratio. */
export const LEAST_DELTA = 100;

/** Fits the costs of one generation to all rows, and its band to the errors on sessions that each fold's costs had not seen. */
export function fitGeneration(rows: readonly TurnRow[]): FittedGeneration {
  const cost = rounded({ ...fitCost(rows) }, COST_KEYS);
  return { cost, band: fitBand(unseenEstimates(rows, fitCost), rows, cost) };
}

/** Fits on all sessions but one fold's, estimates that fold's, and so on: figures for sessions that were not in the fit. */
export function crossValidated(rows: readonly TurnRow[]): readonly TurnEstimate[] {
  const foldOf = foldsOf(rows);
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const fitted = fitGeneration(rows.filter((row) => foldOf(row) !== fold));
    return estimateTurns(
      rows.filter((row) => foldOf(row) === fold),
      () => fitted,
    );
  });
}

function unseenEstimates(rows: readonly TurnRow[], fit: (rows: readonly TurnRow[]) => ContentCost): readonly TurnEstimate[] {
  const foldOf = foldsOf(rows);
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const cost = fit(rows.filter((row) => foldOf(row) !== fold));
    const apart = rows.filter((row) => foldOf(row) === fold);
    return estimateTurns(apart, () => ({ cost, band: { knownReply: 0, guessedReply: 0, later: 0, reply: 0, hiddenThinking: 0 } }));
  });
}

/** Sessions by name over the folds in turn, so that no session is on both sides. */
function foldsOf(rows: readonly TurnRow[]): (row: TurnRow) => number {
  const sessions = [...new Set(rows.map(({ session }) => session))].sort();
  const fold = new Map(sessions.map((session, index) => [session, index % FOLDS]));
  return (row) => fold.get(row.session) ?? 0;
}

const START: ContentCost = { token: 1.3, char: 0, message: 0, block: 2, call: 60, result: 12, hiddenThinking: 50 };
const ROUNDS = 3;
/** An output above this many times the estimate of the visible text held hidden thinking. */
const HIDDEN = 1.8;

/**
 * Costs with the least relative error of a turn. Where the output was recorded, it tells the two sides of a turn apart; where it is a
 * placeholder, only their sum is known. Which of them holds depends on the costs, so they are fitted again with what came out.
 */
function fitCost(rows: readonly TurnRow[]): ContentCost {
  let cost = START;
  for (let round = 0; round < ROUNDS; round++) cost = costOf(leastDeviations(rows.flatMap((row) => equationsOf(row, cost))));
  return cost;
}

function equationsOf(row: TurnRow, cost: ContentCost): readonly Equation[] {
  const { deltaTokens, outputTokens, thinkingBlocks } = row;
  if (deltaTokens < LEAST_DELTA) return [];
  const reply = replyParts(row);
  const later = laterParts(row);
  const estimate = contentTokens({ ...reply, hiddenThinking: 0 }, cost);
  if (isPlaceholder(outputTokens, estimate)) return [equation([reply, later], deltaTokens, deltaTokens)];
  if (deltaTokens <= outputTokens) return [];
  const rest = equation([later], deltaTokens - outputTokens, deltaTokens);
  const isVisible = thinkingBlocks === 0 && outputTokens < estimate * HIDDEN;
  return isVisible ? [rest, equation([reply], outputTokens, outputTokens * 2)] : [rest];
}

function equation(parts: readonly RowParts[], y: number, scale: number): Equation {
  const sum = (of: (part: RowParts) => number): number => parts.reduce((total, part) => total + of(part), 0) / scale;
  return {
    a: [
      sum((p) => p.tokens),
      sum((p) => p.chars),
      sum((p) => p.blocks),
      sum((p) => p.calls),
      sum((p) => p.results),
      sum((p) => p.hiddenThinking),
    ],
    y: y / scale,
  };
}

function costOf([token = 0, char = 0, block = 0, call = 0, result = 0, hiddenThinking = 0]: readonly number[]): ContentCost {
  return { token, char, message: 0, block, call, result, hiddenThinking };
}

/** Nine of ten errors stay inside; small turns count by at least this many tokens, so that they do not rule. */
const BAND_QUANTILE = 0.9;
const LEAST_GUESS = 50;

function fitBand(estimates: readonly TurnEstimate[], rows: readonly TurnRow[], cost: ContentCost): BandCost {
  const equations = estimates.map(({ row, tokens, guessed }): Equation => {
    const { later, reply, hiddenThinking } = guessed;
    const scale = later + reply + LEAST_GUESS;
    const isKnown = reply === 0;
    const a = [isKnown ? 1 : 0, isKnown ? 0 : 1, later, reply, hiddenThinking].map((value) => value / scale);
    return { a, y: Math.abs(tokens - row.deltaTokens) / scale };
  });
  const [knownReply = 0, guessedReply = 0, later = 0, reply = 0, hiddenThinking = 0] = leastDeviations(equations, BAND_QUANTILE);
  if (guessedReply > 0) return rounded({ knownReply, guessedReply, later, reply, hiddenThinking }, BAND_KEYS);
  // No session of the generation holds a placeholder: what a guessed reply would be off by is seen on the recorded ones.
  return rounded({ knownReply, guessedReply: knownReply, later, reply: replyShare(rows, cost), hiddenThinking }, BAND_KEYS);
}

function replyShare(rows: readonly TurnRow[], cost: ContentCost): number {
  const shares = rows
    .filter(({ thinkingBlocks }) => thinkingBlocks === 0)
    .map((row) => Math.abs(contentTokens(replyParts(row), cost) / row.outputTokens - 1))
    .sort((a, b) => a - b);
  return shares[Math.floor(shares.length * BAND_QUANTILE)] ?? 0;
}

const COST_KEYS = ['token', 'char', 'message', 'block', 'call', 'result', 'hiddenThinking'] as const;
const BAND_KEYS = ['knownReply', 'guessedReply', 'later', 'reply', 'hiddenThinking'] as const;

/** Three digits: more would be noise of the fit. */
function rounded<K extends string>(values: Readonly<Record<K, number>>, keys: readonly K[]): Record<K, number> {
  const out: Record<K, number> = { ...values };
  for (const key of keys) out[key] = Number(values[key].toFixed(3));
  return out;
}
