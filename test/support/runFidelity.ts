// npm run fidelity -- DIR [--json] [--misses] [--halves] [--summaries FOLDER]: how much of each session below DIR its offline summary still
// states, beside plain truncation at the same size. The definitions stand in docs/fidelity.md.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { messageFor } from '../../src/core/errors/messages';
import { loadCounter } from '../../src/node/counting/bpeCounter';
import { openTranscript } from '../../src/node/sources/transcriptFiles';
import { compactFile, type FileOutcome, type FileResult } from './fidelity/compactFile';
import type { Figures, Share } from './fidelity/measure';

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean' }, misses: { type: 'boolean' }, halves: { type: 'boolean' }, summaries: { type: 'string' } },
  allowPositionals: true,
});
const [folder, ...others] = positionals;
if (folder === undefined || others.length > 0) {
  console.error('Usage: npm run fidelity -- DIR [--json] [--misses] [--halves] [--summaries FOLDER]');
  process.exit(2);
}

const NAMES = { own: 'offline summary', keepLast: 'keep last N, same size', headAndTail: 'head and tail, same size' } as const;
const counter = await loadCounter('o200k_base');
const results: FileResult[] = [];
let skipped = 0;
if (values.json !== true) console.log(header());
for (const path of filesIn(folder)) {
  const name = relative(folder, path);
  for (const { label, outcome } of await outcomesOf(path)) show(label === '' ? name : `${name} (${label})`, outcome);
}
finish();

async function outcomesOf(path: string): Promise<{ label: string; outcome: FileOutcome }[]> {
  let file;
  try {
    file = await openTranscript(path, { watch: false, pollMs: 0 });
  } catch (error) {
    return [{ label: '', outcome: { skipped: messageFor(error) } }];
  }
  try {
    const { transcript } = file;
    if (values.halves !== true) return [{ label: '', outcome: await compactFile(transcript, path, counter) }];
    return [
      { label: 'first half', outcome: await compactFile(transcript, path, counter, 'first') },
      { label: 'second half', outcome: await compactFile(transcript, path, counter, 'second') },
    ];
  } finally {
    file.dispose();
  }
}

function show(name: string, outcome: FileOutcome): void {
  if ('skipped' in outcome) {
    skipped++;
    console.log(values.json === true ? JSON.stringify({ file: name, skipped: outcome.skipped }) : `${name}: left out: ${outcome.skipped}`);
    return;
  }
  results.push(outcome);
  if (values.summaries !== undefined) {
    mkdirSync(values.summaries, { recursive: true });
    writeFileSync(join(values.summaries, `${name.replace(/[^\w.-]/g, '_')}.md`), outcome.summary);
  }
  if (values.json === true) console.log(JSON.stringify({ file: name, ...wireOf(outcome) }));
  else {
    console.log(row(name, outcome));
    if (values.misses === true) {
      for (const miss of outcome.own.misses) console.log(`    ${miss}`);
      for (const invented of outcome.own.invented) console.log(`    invented: ${invented}`);
    }
  }
}

function finish(): void {
  const figures = (['own', 'keepLast', 'headAndTail'] as const).map((key) => ({ key, total: totalOf(results.map((one) => one[key])) }));
  const before = sum(results.map(({ tokensBefore }) => tokensBefore));
  const after = sum(results.map(({ tokensAfter }) => tokensAfter));
  const timed = results.flatMap(({ speed }) => speed ?? []);
  const ms = sum(timed.map((one) => one.ms));
  const multiple = ms / sum(timed.map(({ parseMs }) => parseMs));
  const characters = sum(timed.map((one) => one.characters));
  const tooLarge = results.filter(({ summaryTokens, allowedTokens }) => summaryTokens > allowedTokens).length;
  if (values.json === true) {
    const totals = Object.fromEntries(figures.map(({ key, total }) => [key, wireFigures(total)]));
    console.log(
      JSON.stringify({
        total: true,
        files: results.length,
        skipped,
        tokensRemoved: 1 - after / before,
        tooLarge,
        ...totals,
        charactersPerSecond: Math.round((characters / ms) * 1000),
        timesJsonParse: multiple,
      }),
    );
  } else {
    console.log(`\n${results.length} sessions measured, ${skipped} files left out.`);
    console.log(`tokens removed ${percent(1 - after / before)} (${before} → ${after}); summaries above their size: ${tooLarge}`);
    for (const { key, total } of figures) console.log(`${NAMES[key].padEnd(26)} ${inWords(total)}`);
    console.log(`mean of the sessions       ${meanInWords(results.map(({ own }) => own))}`);
    console.log(
      `speed: ${(((characters / ms) * 1000) / 1e6).toFixed(1)} million characters a second, ${multiple.toFixed(1)} × JSON.parse of the same lines (slowest session ${Math.max(0, ...timed.map((one) => one.ms / one.parseMs)).toFixed(1)} ×)`,
    );
  }
  if (results.length === 0) process.exitCode = 1;
}

function header(): string {
  return `${'file'.padEnd(52)} removed  recall precision requests answers verbatim invented    tokens (allowed)  × parse  Mchar/s   keep-last: recall req ans   head+tail: recall req ans`;
}

function row(name: string, result: FileResult): string {
  const { own, keepLast, headAndTail, speed } = result;
  return [
    name.slice(-52).padEnd(52),
    percent(1 - result.tokensAfter / result.tokensBefore).padStart(7),
    share(own.recall).padStart(7),
    share(own.precision).padStart(9),
    share(own.requests).padStart(8),
    share(own.answers).padStart(7),
    `${own.verbatim.kept}/${own.verbatim.all}`.padStart(8),
    String(own.invented.length).padStart(8),
    `${result.summaryTokens} (${Math.floor(result.allowedTokens)})`.padStart(19) +
      (result.summaryTokens > result.allowedTokens ? '!' : ' '),
    (speed === undefined ? '-' : (speed.ms / speed.parseMs).toFixed(1)).padStart(7),
    (speed === undefined ? '-' : (speed.characters / speed.ms / 1000).toFixed(1)).padStart(8),
    `${share(keepLast.recall)} ${share(keepLast.requests)} ${share(keepLast.answers)}`.padStart(28),
    `${share(headAndTail.recall)} ${share(headAndTail.requests)} ${share(headAndTail.answers)}`.padStart(28),
  ].join(' ');
}

function inWords(total: Figures): string {
  const precision = total.precision.all === 0 ? '' : `, precision ${share(total.precision)} (${total.precision.all} statements)`;
  return `recall ${share(total.recall)} (${total.recall.all} pairs)${precision}, keywords of requests ${share(total.requests)}, of answers ${share(total.answers)}, verbatim ${total.verbatim.kept}/${total.verbatim.all}, invented ${total.invented.length}`;
}

function meanInWords(all: readonly Figures[]): string {
  const mean = (pick: (figures: Figures) => Share): string => {
    const shares = all.map(pick).filter((one) => one.all > 0);
    return shares.length === 0 ? '-' : (sum(shares.map((one) => one.kept / one.all)) / shares.length).toFixed(3);
  };
  return `recall ${mean((one) => one.recall)}, precision ${mean((one) => one.precision)}, keywords of requests ${mean((one) => one.requests)}, of answers ${mean((one) => one.answers)}`;
}

function totalOf(all: readonly Figures[]): Figures {
  const add = (pick: (figures: Figures) => Share): Share => ({
    kept: sum(all.map((one) => pick(one).kept)),
    all: sum(all.map((one) => pick(one).all)),
  });
  return {
    recall: add((one) => one.recall),
    precision: add((one) => one.precision),
    requests: add((one) => one.requests),
    answers: add((one) => one.answers),
    verbatim: add((one) => one.verbatim),
    invented: all.flatMap(({ invented }) => invented),
    misses: [],
  };
}

function wireOf(result: FileResult) {
  return {
    tokensRemoved: 1 - result.tokensAfter / result.tokensBefore,
    summaryTokens: result.summaryTokens,
    allowedTokens: Math.floor(result.allowedTokens),
    ...wireFigures(result.own),
    misses: result.own.misses,
    keepLast: wireFigures(result.keepLast),
    headAndTail: wireFigures(result.headAndTail),
    charactersPerSecond: result.speed === undefined ? null : Math.round((result.speed.characters / result.speed.ms) * 1000),
    timesJsonParse: result.speed === undefined ? null : result.speed.ms / result.speed.parseMs,
  };
}

function wireFigures(figures: Figures) {
  const of = ({ kept, all }: Share): number | null => (all === 0 ? null : kept / all);
  return {
    artifactRecall: of(figures.recall),
    artifactPrecision: of(figures.precision),
    keywordsOfRequests: of(figures.requests),
    keywordsOfAnswers: of(figures.answers),
    keptVerbatim: of(figures.verbatim),
    invented: figures.invented,
  };
}

function share({ kept, all }: Share): string {
  return all === 0 ? '-' : (kept / all).toFixed(3);
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)}%`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function filesIn(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile() && !/\.(?:md|tsv|txt)$/i.test(name.replace(/aider.*$/, '')))
    .sort();
}
