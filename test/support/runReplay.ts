// npm run replay -- DIR [--json]: goes through each session below DIR request by request: what clearing old tool results does to the sum of its
// prompts, and how near the forecast of a compaction's cost is to the bill of what followed. The definitions stand in docs/replay.md.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { messageFor } from '../../src/core/errors/messages';
import { loadCounter } from '../../src/node/counting/bpeCounter';
import { openTranscript } from '../../src/node/sources/transcriptFiles';
import { checkCache } from './replay/cacheCheck';
import { replayCosts, type Amounts, type CostPoint } from './replay/costReplay';
import { replayMicro } from './replay/microReplay';
import {
  cachedBills,
  cacheTotals,
  errorTotals,
  microTotals,
  paybackTotals,
  type ErrorTotals,
  type MicroTotals,
  type ReplayedSession,
} from './replay/replayTotals';

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true });
const [folder, ...others] = positionals;
if (folder === undefined || others.length > 0) {
  console.error('Usage: npm run replay -- DIR [--json]');
  process.exit(2);
}
if (!existsSync(folder)) {
  console.error(`${folder} is not there, so nothing was replayed.`);
  process.exit(1);
}

const FIGURES = ['bill', 'rewrite', 'saved', 'blind'] as const;
const counter = await loadCounter('o200k_base');
const sessions: ReplayedSession[] = [];
let skipped = 0;
if (values.json !== true) console.log(header());
for (const path of filesIn(folder)) await replayFile(path, relative(folder, path));
finish();

async function replayFile(path: string, name: string): Promise<void> {
  let file;
  try {
    file = await openTranscript(path, { watch: false, pollMs: 0 });
  } catch (error) {
    leaveOut(name, messageFor(error));
    return;
  }
  try {
    const { transcript } = file;
    const micro = replayMicro(transcript, counter);
    if (micro === undefined) {
      leaveOut(name, 'It holds no request of a main conversation.');
      return;
    }
    const session = { file: name, micro, points: replayCosts(transcript, counter), cache: checkCache(transcript) };
    sessions.push(session);
    if (values.json === true) console.log(JSON.stringify(session));
    else console.log(row(session));
  } finally {
    file.dispose();
  }
}

function leaveOut(name: string, reason: string): void {
  skipped++;
  console.log(values.json === true ? JSON.stringify({ file: name, skipped: reason }) : `${name}: left out: ${reason}`);
}

function finish(): void {
  if (sessions.length === 0) process.exitCode = 1;
  const points = sessions.flatMap((session) => session.points);
  const errors = Object.fromEntries(FIGURES.map((key) => [key, errorTotals(points.map((point) => point[key]))]));
  const groups = {
    all: microTotals(sessions, 'all'),
    mostlyOfPrompts: microTotals(sessions, 'mostlyOfPrompts'),
    mostlyOfMessages: microTotals(sessions, 'mostlyOfMessages'),
  };
  const [bills, payback, cache] = [cachedBills(sessions), paybackTotals(points), cacheTotals(sessions)];
  if (values.json === true) {
    console.log(JSON.stringify({ total: true, sessions: sessions.length, skipped, micro: groups, bills, errors, payback, cache }));
    return;
  }
  console.log(`\n${sessions.length} sessions replayed, ${skipped} files left out.\n`);
  console.log('Old tool results cleared before each request, the newest 5 kept: sum of the prompts');
  console.log(groupLine('all sessions', groups.all));
  console.log(groupLine('tool results over half of the prompts', groups.mostlyOfPrompts));
  console.log(groupLine('tool results over half of the messages', groups.mostlyOfMessages));
  console.log(`  in dollars with a cache (known prices): ${usd(bills.went)} as it went, ${usd(bills.cleared)} when every request clears`);
  console.log('\nForecast of a compaction against the replayed bill of up to 20 requests after it, cache reads and writes included');
  console.log(errorLine('bill, their growth given', errors['bill']));
  for (const kind of ['full', 'up to', 'from', 'micro'] as const) {
    const some = points.filter((point) => point.kind === kind).map(({ bill }) => bill);
    console.log(errorLine(`  of these ${kind}`, errorTotals(some)));
  }
  console.log(errorLine('cache rewrite alone', errors['rewrite']));
  console.log(errorLine('saving of a later request alone', errors['saved']));
  console.log(errorLine('bill, growth as before', errors['blind']));
  console.log(`  pays back at the request that was forecast: ${payback.same} of ${payback.points}, within one request: ${payback.near}`);
  console.log(
    `  a cache that never forgets reads ${percent(cache.reported === 0 ? 0 : cache.simulated / cache.reported - 1)} more than the providers' caches did`,
  );
}

function header(): string {
  return `${'file'.padEnd(46)} requests     prompts     cleared   fall  results: of messages, of prompts  cleared  quoted by a run, or a name   points  worst bill`;
}

function row({ file, micro, points }: ReplayedSession): string {
  return [
    file.slice(-46).padEnd(46),
    String(micro.requests).padStart(8),
    String(micro.prompts).padStart(11),
    String(Math.round(micro.cleared)).padStart(11),
    percent(1 - micro.cleared / micro.prompts).padStart(6),
    percent(micro.messageTokens === 0 ? 0 : micro.resultTokens / micro.messageTokens).padStart(21),
    percent(micro.resultsInPrompts / micro.prompts).padStart(12),
    String(micro.clearedResults).padStart(8),
    String(micro.quotedRuns).padStart(16),
    String(micro.quoted).padStart(11),
    String(points.length).padStart(8),
    (points.length === 0 ? '-' : percent(worst(points))).padStart(11),
  ].join(' ');
}

function worst(points: readonly CostPoint[]): number {
  const errorOf = ({ forecast, replayed }: Amounts): number => forecast / replayed - 1;
  const billed = points.filter(({ bill }) => bill.replayed > 0);
  return billed.map(({ bill }) => errorOf(bill)).reduce((most, error) => (Math.abs(error) > Math.abs(most) ? error : most), 0);
}

function groupLine(name: string, totals: MicroTotals): string {
  if (totals.sessions === 0) return `  ${name}: no session`;
  const of = (part: number): string => percent(totals.clearedResults === 0 ? 0 : part / totals.clearedResults);
  return `  ${name} (${totals.sessions}): ${totals.prompts} → ${Math.round(totals.cleared)} tokens, falls by ${percent(totals.fall)} of at most ${percent(totals.most)}; quoted later: ${totals.quotedRuns} of ${totals.clearedResults} results (${of(totals.quotedRuns)}), with names ${totals.quoted} (${of(totals.quoted)})`;
}

function errorLine(name: string, totals: ErrorTotals | undefined): string {
  if (totals === undefined || totals.points === 0) return `  ${name}: no point`;
  return `  ${`${name} (${totals.points})`.padEnd(42)} sum ${percent(totals.ofSum)}, median ${percent(totals.median)}, nine of ten ${percent(totals.p90)}, largest ${percent(totals.largest)}; within 5 %: ${percent(totals.within5)}`;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(Math.abs(part) < 0.1 ? 2 : 1)}%`;
}

function usd(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

function filesIn(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}
