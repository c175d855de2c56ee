// One benchmark in a process of its own, so that no other one's heap is in its numbers: runBench NAME.mjs [--json] [ARGS…]
import { pathToFileURL } from 'node:url';
import { holds, type Bench, type BenchCheck, type BenchReport } from '../bench/bench';

const [name = '', file = '', ...args] = process.argv.slice(2);
const json = args.includes('--json');
const { bench } = (await import(pathToFileURL(file).href)) as { readonly bench: Bench };
const report = await bench.run(args.filter((argument) => argument !== '--json'));
if (json)
  console.log(JSON.stringify({ bench: name, ...report, checks: report.checks.map((check) => ({ ...check, holds: holds(check) })) }));
else print(report);
const failed = report.checks.filter((check) => !holds(check)).length;
if (!json) console.log(`${report.checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function print({ columns, rows, checks, notes }: BenchReport): void {
  const table = [columns, ...rows].map((row) => row.map(cell));
  const widths = columns.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((text, column) => (column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0))).join('  ');
  console.log(`${name}\n${table.map(line).join('\n')}`);
  for (const note of notes ?? []) console.log(note);
  for (const check of checks)
    console.log(`${holds(check) ? 'ok  ' : 'FAIL'} ${check.label}: ${cell(check.value)} ${check.unit}${limit(check)}`);
}

function limit({ atMost, atLeast }: BenchCheck): string {
  if (atMost !== undefined) return ` (at most ${cell(atMost)})`;
  return atLeast === undefined ? '' : ` (at least ${cell(atLeast)})`;
}

function cell(value: string | number): string {
  return typeof value === 'string' ? value : String(Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
}
