// The figures of a replay over many sessions, and their words.
import type { CacheCheck } from './cacheCheck';
import type { Amounts, CostPoint } from './costReplay';
import type { MicroReplay } from './microReplay';

export interface ReplayedSession {
  readonly file: string;
  readonly micro: MicroReplay;
  readonly points: readonly CostPoint[];
  readonly cache: CacheCheck | undefined;
}

/** What clearing does to the prompts of some sessions. */
export interface MicroTotals {
  readonly sessions: number;
  readonly prompts: number;
  readonly cleared: number;
  /** Share by which the sum of the prompts falls, and the share of tool results in it: more than that no clearing can do. */
  readonly fall: number;
  readonly most: number;
  readonly clearedResults: number;
  readonly quotedRuns: number;
  readonly quoted: number;
}

export interface ErrorTotals {
  readonly points: number;
  readonly median: number;
  readonly p90: number;
  readonly largest: number;
  /** Share of the points that are off by 5 % at most. */
  readonly within5: number;
  /** Error of the sum over all points. */
  readonly ofSum: number;
}

/** Mostly tool results: over half of all tokens of the prompts that were sent, or over half of the messages' tokens. */
export const GROUPS = {
  all: () => true,
  mostlyOfPrompts: ({ resultsInPrompts, prompts }: MicroReplay) => resultsInPrompts > prompts / 2,
  mostlyOfMessages: ({ resultTokens, messageTokens }: MicroReplay) => resultTokens > messageTokens / 2,
} as const;

export function microTotals(sessions: readonly ReplayedSession[], group: keyof typeof GROUPS): MicroTotals {
  const all = sessions.map(({ micro }) => micro).filter(GROUPS[group]);
  const of = (pick: (one: MicroReplay) => number): number => all.reduce((sum, one) => sum + pick(one), 0);
  const [prompts, cleared] = [of((one) => one.prompts), of((one) => one.cleared)];
  return {
    sessions: all.length,
    prompts,
    cleared,
    fall: share(prompts - cleared, prompts),
    most: share(
      of((one) => one.resultsInPrompts),
      prompts,
    ),
    clearedResults: of((one) => one.clearedResults),
    quotedRuns: of((one) => one.quotedRuns),
    quoted: of((one) => one.quoted),
  };
}

/** Dollars of the prompts of the sessions with known prices, with a cache that never forgets. */
export function cachedBills(sessions: readonly ReplayedSession[]): { readonly went: number; readonly cleared: number } {
  const priced = sessions.flatMap(({ micro: { wentUsd, clearedUsd } }) =>
    wentUsd === undefined || clearedUsd === undefined ? [] : [{ wentUsd, clearedUsd }],
  );
  return {
    went: priced.reduce((sum, { wentUsd }) => sum + wentUsd, 0),
    cleared: priced.reduce((sum, { clearedUsd }) => sum + clearedUsd, 0),
  };
}

export function errorTotals(amounts: readonly Amounts[]): ErrorTotals {
  const known = amounts.filter(({ replayed }) => replayed > 0);
  const errors = known.map(({ forecast, replayed }) => Math.abs(forecast / replayed - 1)).sort((a, b) => a - b);
  const at = (part: number): number => errors[Math.min(errors.length - 1, Math.floor(errors.length * part))] ?? 0;
  const of = (pick: (one: Amounts) => number): number => known.reduce((sum, one) => sum + pick(one), 0);
  return {
    points: errors.length,
    median: at(0.5),
    p90: at(0.9),
    largest: errors.at(-1) ?? 0,
    within5: share(errors.filter((error) => error <= 0.05).length, errors.length),
    ofSum: share(
      of((one) => one.forecast - one.replayed),
      of((one) => one.replayed),
    ),
  };
}

/** Points at which forecast and replay name the same request for meeting, or both none. */
export function paybackTotals(points: readonly CostPoint[]): { readonly same: number; readonly near: number; readonly points: number } {
  const distance = ({ payback: { forecast, replayed } }: CostPoint): number =>
    forecast === replayed ? 0 : Math.abs((forecast ?? Infinity) - (replayed ?? Infinity));
  return {
    same: points.filter((point) => distance(point) === 0).length,
    near: points.filter((point) => distance(point) <= 1).length,
    points: points.length,
  };
}

export function cacheTotals(sessions: readonly ReplayedSession[]): CacheCheck {
  const all = sessions.flatMap(({ cache }) => cache ?? []);
  return {
    reported: all.reduce((sum, one) => sum + one.reported, 0),
    simulated: all.reduce((sum, one) => sum + one.simulated, 0),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
