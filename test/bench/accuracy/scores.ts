import { median } from '../bench';
import type { TurnEstimate } from './turnEstimates';

/** How far estimates are off, in percent. */
export interface Score {
  readonly turns: number;
  /** Sessions with enough turns to judge their sum by. */
  readonly sessions: number;
  readonly median: number;
  readonly mean: number;
  readonly p90: number;
  /** Of the error of a session's sum; undefined without any session that is long enough. */
  readonly sessionMedian: number | undefined;
  readonly inBand: number;
  /** Median half width of the band, as a share of the estimate. */
  readonly bandShare: number;
}

const LEAST_TURNS = 8;

/** Scores estimates against what the turns really cost. Turns without a cost above 0 are left out. */
export function scoreOf(estimates: readonly TurnEstimate[]): Score {
  const judged = estimates.filter(({ row }) => row.deltaTokens > 0);
  const errors = judged.map(({ row, tokens }) => Math.abs(tokens / row.deltaTokens - 1) * 100).sort((a, b) => a - b);
  const bySession = new Map<string, TurnEstimate[]>();
  for (const one of judged) bySession.set(one.row.session, [...(bySession.get(one.row.session) ?? []), one]);
  const sessions = [...bySession.values()].filter((turns) => turns.length >= LEAST_TURNS);
  const sums = sessions.map((turns) => {
    const estimated = turns.reduce((sum, { tokens }) => sum + tokens, 0);
    const actual = turns.reduce((sum, { row }) => sum + row.deltaTokens, 0);
    return Math.abs(estimated / actual - 1) * 100;
  });
  const inside = judged.filter(({ row, tokens, band }) => Math.abs(tokens - row.deltaTokens) <= band);
  return {
    turns: judged.length,
    sessions: sessions.length,
    median: median(errors),
    mean: errors.reduce((sum, error) => sum + error, 0) / Math.max(errors.length, 1),
    p90: errors[Math.floor(errors.length * 0.9)] ?? 0,
    sessionMedian: sums.length === 0 ? undefined : median(sums),
    inBand: (inside.length / Math.max(judged.length, 1)) * 100,
    bandShare: median(judged.map(({ tokens, band }) => (band / Math.max(tokens, 1)) * 100)),
  };
}
