// The reader on a session of 500 MB (or `--mb N`): how fast its lines are found, when the gauge stands, what memory that takes, and how soon an
// append is shown. Each number stands beside what a bare loop over the same bytes takes in the same run.
import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { indexLines } from '../../src/node/sources/lastPart';
import { StoredFile } from '../../src/node/sources/storedFile';
import { median, medianCpuMs, type Bench, type BenchReport } from './bench';
import { writeBigSession, type BigSession } from './bigSession';
import type { ReaderProbe } from './readerProbe';

const DEFAULT_MB = 500;
const MEGABYTE = 1e6;
const PIECE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const ASSISTANT = '"type":"assistant"';
const OUT = join(process.cwd(), 'out', 'bench', 'reader');

export const bench: Bench = {
  async run(args) {
    const folder = mkdtempSync(join(tmpdir(), 'context-inspector-bench-'));
    try {
      const path = join(folder, 'session.jsonl');
      const session = writeBigSession(path, sizeOf(args) * MEGABYTE);
      return await report(path, session);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function sizeOf(args: readonly string[]): number {
  const at = args.indexOf('--mb');
  const size = at < 0 ? DEFAULT_MB : Number(args[at + 1]);
  if (!(size > 0)) throw new Error('--mb needs a size in megabytes');
  return size;
}

async function report(path: string, session: BigSession): Promise<BenchReport> {
  const searchMs = medianCpuMs(() => search(path));
  const assistantsMs = medianCpuMs(() => parseAssistants(path), 3);
  const indexMs = await medianIndexMs(path, session.bytes);
  const probe = await probed(path, session);
  const speed = (ms: number): number => session.bytes / MEGABYTE / (ms / 1000);
  const row = (name: string, ms: number): readonly (string | number)[] => [name, ms, speed(ms)];
  const watchP95 = percentile(probe.watchMs, 0.95);
  return {
    columns: [`${Math.round(session.bytes / MEGABYTE)} MB, ${session.lines} lines`, 'ms', 'MB/s'],
    rows: [
      row('bare byte search', searchMs),
      row('byte search and JSON.parse of assistant lines', assistantsMs),
      row('line index', indexMs),
      row('gauge, with start of the worker and its tokenizer', probe.gaugeCpuMs),
      row('whole session: every line, tree, context, view', probe.wholeCpuMs),
    ],
    checks: [
      { label: 'line index, of the speed of a bare byte search', value: (searchMs / indexMs) * 100, atLeast: 25, unit: '%' },
      { label: 'gauge, in times of search and parse of assistant lines', value: probe.gaugeCpuMs / assistantsMs, atMost: 3, unit: '×' },
      { label: 'whole session, in the same times', value: probe.wholeCpuMs / assistantsMs, unit: '×' },
      {
        label: 'gauge beside the last reported prompt',
        value: Math.abs((probe.reportedTokens ?? 0) - session.lastPrompt),
        atMost: 0,
        unit: 'tokens off',
      },
      {
        label: 'gauge of the whole beside it',
        value: Math.abs((probe.finalReportedTokens ?? 0) - session.lastPrompt),
        atMost: 0,
        unit: 'tokens off',
      },
      { label: 'peak memory of the engine', value: probe.peakMb, atMost: 200, unit: 'MB' },
      { label: 'append until the gauge, p95', value: percentile(probe.appendMs, 0.95), atMost: 2 * watchP95, unit: 'ms' },
      { label: 'append until the gauge, median', value: median(probe.appendMs), unit: 'ms' },
      { label: 'append until a bare fs.watch, p95', value: watchP95, unit: 'ms' },
      { label: 'append until a bare fs.watch, median', value: median(probe.watchMs), unit: 'ms' },
      { label: 'longest wait of a request while the file is read', value: probe.longestWaitMs, unit: 'ms' },
    ],
    notes: [
      'Processor time of all threads, but for appends and waits, which are time on the clock and grow with what else the machine does.',
      'Memory is the growth of the whole process from before the engine started until the context was counted.',
    ],
  };
}

function search(path: string): number {
  let lines = 0;
  eachPiece(path, (piece) => {
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, end + 1)) lines++;
  });
  return lines;
}

function parseAssistants(path: string): number {
  let parsed = 0;
  let rest: Buffer = Buffer.alloc(0);
  eachPiece(path, (piece) => {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const line = bytes.subarray(start, end);
      if (line.includes(ASSISTANT) && typeof JSON.parse(line.toString('utf8')) === 'object') parsed++;
      start = end + 1;
    }
    rest = Buffer.from(bytes.subarray(start));
  });
  return parsed;
}

function eachPiece(path: string, use: (piece: Buffer) => void): void {
  const file = openSync(path, 'r');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) use(piece.subarray(0, read));
  closeSync(file);
}

async function medianIndexMs(path: string, bytes: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 6; run++) {
    const before = process.cpuUsage();
    await indexLines(new StoredFile(path), bytes);
    const { user, system } = process.cpuUsage(before);
    if (run > 0) times.push((user + system) / 1000);
  }
  return median(times);
}

/** Builds the engine as the extension does and runs it on the file. */
async function probed(path: string, session: BigSession): Promise<ReaderProbe> {
  await build({
    entryPoints: { probe: 'test/bench/readerProbe.ts', appender: 'test/bench/appender.ts', engine: 'src/node/engine/worker.ts' },
    outdir: OUT,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  const args = [join(OUT, 'probe.mjs'), join(OUT, 'engine.mjs'), join(OUT, 'appender.mjs'), path, JSON.stringify(session)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1024 * 1024 });
  return JSON.parse(stdout) as ReaderProbe;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
