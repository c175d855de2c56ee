import { existsSync, writeFileSync } from 'node:fs';
import { fittedGeneration, type Generation } from '../../src/core/tokens/modelGeneration';
import { crossValidated, fitGeneration, FITTED_GENERATIONS, LEAST_DELTA, type Fits } from './accuracy/fitGenerations';
import { costsSource } from './accuracy/costsSource';
import { scoreOf, type Score } from './accuracy/scores';
import { estimateTurns, type TurnEstimate } from './accuracy/turnEstimates';
import { readTurnRows, type TurnRow } from './accuracy/turnRows';
import type { Bench, BenchCheck, BenchReport } from './bench';

const NAMES = { claude47: '4.7 and newer', claude46: '4.6 and older', other: 'other models' } as const;
/** Percent: median error of a turn and of a session. */
const LIMITS = { claude47: { turn: 4.5, session: 2 }, claude46: { turn: 6, session: 4 } } as const;
const BAND = { atLeast: 88, atMost: 92 } as const;
const DEFAULT_FILE = '../shared/measure/turns.tsv';
const COSTS_FILE = 'src/core/tokens/generationCosts.ts';

/**
 * How far the shipped estimates are off on real turns: `--turns FILE` names a table of turns. `--cross` also fits on a part of its sessions and
 * tests on the others; `--fit` prints the constants that a fit to all of it gives, and `--write` puts them into the source.
 */
export const bench: Bench = {
  run: (args) => {
    const file = argument(args, '--turns') ?? DEFAULT_FILE;
    if (!existsSync(file)) return Promise.resolve(missing(file));
    const rows = readTurnRows(file);
    const fits = args.includes('--fit') ? fitAll(rows) : undefined;
    if (fits !== undefined && args.includes('--write')) writeFileSync(COSTS_FILE, costsSource(fits));
    return Promise.resolve(reportOf(rows, file, fits, args.includes('--cross')));
  },
};

function argument(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
}

function missing(file: string): BenchReport {
  const note = `${file} is missing; name a table of turns with --turns FILE.`;
  return { columns: ['accuracy'], rows: [], checks: [{ label: 'tables of turns', value: 0, atLeast: 1, unit: '' }], notes: [note] };
}

function fitAll(rows: readonly TurnRow[]): Fits {
  const of = (generation: Generation): ReturnType<typeof fitGeneration> =>
    fitGeneration(rows.filter((row) => row.generation === generation));
  return { claude47: of('claude47'), claude46: of('claude46') };
}

function reportOf(rows: readonly TurnRow[], file: string, fits: Fits | undefined, isCross: boolean): BenchReport {
  const shipped = estimateTurns(rows, (row) => fittedGeneration(row.generation));
  const table: (string | number)[][] = [];
  const checks: BenchCheck[] = [];
  for (const generation of FITTED_GENERATIONS) {
    const own = shipped.filter(({ row }) => row.generation === generation);
    if (own.length === 0) continue;
    const name = NAMES[generation];
    const judged = scoreOf(own.filter(isJudged));
    table.push(
      line(name, 'shipped estimate', judged),
      line(name, 'characters / 4', scoreOf(own.filter(isJudged).map(byCharacters))),
      line(name, 'text and blocks alone', scoreOf(withoutOutput(own).filter(isJudged))),
      line(`${name}, all turns`, 'shipped estimate', scoreOf(own)),
    );
    checks.push(...checksOf(name, judged, LIMITS[generation]));
    if (!isCross) continue;
    const apart = crossValidated(own.map(({ row }) => row));
    const unseen = scoreOf(apart.filter(isJudged));
    table.push(line(name, 'fitted on other sessions', unseen), line(`${name}, all turns`, 'fitted on other sessions', scoreOf(apart)));
    checks.push(...checksOf(`${name}, fitted on other sessions`, unseen, LIMITS[generation]));
  }
  return {
    columns: [
      'models',
      'estimate',
      'turns',
      'sessions',
      'median %',
      'mean %',
      'p90 %',
      'session median %',
      'in band %',
      'band, share of turn %',
    ],
    rows: table,
    checks,
    notes: [
      `Turns of ${file}: without thinking and of ${LEAST_DELTA} tokens or more, "all turns" has every row; a session counts from 8 turns on.`,
      'Each turn is estimated from the turns before it in its session; nothing is fitted to the file.',
      ...(fits === undefined ? [] : [costsSource(fits)]),
    ],
  };
}

function isJudged({ row }: TurnEstimate): boolean {
  return row.thinkingBlocks === 0 && row.deltaTokens >= LEAST_DELTA;
}

/** The turns without thinking as if no output had been recorded: hidden thinking would then be taken for a denser tokenizer. */
function withoutOutput(estimates: readonly TurnEstimate[]): readonly TurnEstimate[] {
  return estimateTurns(
    estimates.filter(({ row }) => row.thinkingBlocks === 0).map(({ row }) => ({ ...row, outputTokens: 0 })),
    (row) => fittedGeneration(row.generation),
  );
}

function byCharacters(estimate: TurnEstimate): TurnEstimate {
  return { ...estimate, tokens: (estimate.row.assistantChars + estimate.row.userChars) / 4, band: 0 };
}

function line(models: string, estimate: string, score: Score): (string | number)[] {
  const percent = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(1));
  return [
    models,
    estimate,
    String(score.turns),
    String(score.sessions),
    percent(score.median),
    percent(score.mean),
    percent(score.p90),
    percent(score.sessionMedian),
    score.bandShare === 0 ? '–' : percent(score.inBand),
    score.bandShare === 0 ? '–' : percent(score.bandShare),
  ];
}

function checksOf(name: string, score: Score, limit: { readonly turn: number; readonly session: number }): BenchCheck[] {
  const { median, sessionMedian, inBand } = score;
  return [
    { label: `${name}: median error of a turn`, value: median, atMost: limit.turn, unit: '%' },
    ...(sessionMedian === undefined
      ? []
      : [{ label: `${name}: median error of a session`, value: sessionMedian, atMost: limit.session, unit: '%' }]),
    { label: `${name}: turns in the band`, value: inBand, ...BAND, unit: '%' },
  ];
}
