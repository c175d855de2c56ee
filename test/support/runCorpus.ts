// npm run corpus -- DIR [--seconds N]: `inspect` on every file below DIR, each within a time limit (20 s). One JSON line a file, then the
// total. Where DIR holds INDEX.tsv or EXPECTED_SUMS.tsv, formats, boundaries, last reports and sums are compared. Exit status 1 for a crash, a
// time-out or a wrong number; a file of no known agent is only an error in its line.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { InspectReport } from '../../src/core/view/inspectReport';
import { inspectFile } from '../../src/node/engine/inspectFile';
import { compare, INDEX_FILES, readIndex, type CorpusIndex, type IndexRow } from './corpusIndex';

/** Formats whose sessions are folders; a collection holds their files under flat names. */
const FOLDER_FORMATS = new Set(['opencode', 'cline', 'roo', 'kilo', 'openhands']);
const SKIPPED_FOLDERS = new Set(['.git', 'node_modules']);

interface Answer {
  readonly ms: number;
  readonly report?: InspectReport;
  /** Code of a ReadError, or the text of what should not have been thrown. */
  readonly error?: string;
  readonly isCrash?: boolean;
}

async function main(): Promise<void> {
  const { folder, seconds } = argumentsOf(process.argv.slice(2));
  const index = readIndex(folder);
  const inspector = new Inspector(seconds);
  const counts = { files: 0, errors: 0, crashes: 0, passed: 0, failed: 0, excepted: 0 };
  const started = performance.now();
  const take = async (path: string, file: string, row: IndexRow | undefined): Promise<void> => {
    const one = await inspector.inspect(path);
    counts.files += 1;
    if (one.report === undefined) counts.errors += 1;
    if (one.isCrash === true) counts.crashes += 1;
    console.log(JSON.stringify(lineOf(file, one)));
    if (row === undefined && !index.sums.has(file)) return;
    const wrong = one.report === undefined ? [] : compare(one.report, row, index.sums.get(file));
    for (const { reason, ...rest } of wrong)
      console.log(`  ${reason === undefined ? 'WRONG' : 'known'} ${JSON.stringify({ ...rest, reason })}`);
    if (wrong.some(({ reason }) => reason !== undefined)) counts.excepted += 1;
    if (one.report === undefined || wrong.some(({ reason }) => reason === undefined)) counts.failed += 1;
    else counts.passed += 1;
  };
  for (const path of filesOf(folder)) {
    const file = relative(folder, path).split(sep).join('/');
    await take(path, file, index.rows.get(file));
  }
  await inRebuilt(folder, index, async (path, row) => take(path, `rebuilt:${row.path}`, row));
  await inspector.end();
  const { passed, failed, ...rest } = counts;
  console.log(JSON.stringify({ total: true, ...rest, ms: Math.round(performance.now() - started) }));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = counts.crashes > 0 || failed > 0 ? 1 : 0;
}

function argumentsOf(argv: readonly string[]): { readonly folder: string; readonly seconds: number } {
  const at = argv.indexOf('--seconds');
  const seconds = at === -1 ? 20 : Number(argv[at + 1]);
  const [folder] = argv.filter((_, index) => at === -1 || (index !== at && index !== at + 1));
  if (folder === undefined || !(seconds > 0)) {
    console.error('Usage: npm run corpus -- DIR [--seconds N]');
    process.exit(2);
  }
  return { folder: resolve(folder), seconds };
}

/** Every file below a folder but the tables themselves and what SQLite keeps beside a database. */
function filesOf(folder: string): readonly string[] {
  const paths: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) waiting.push(path);
      else if (entry.isFile() && !(next === folder && INDEX_FILES.has(entry.name)) && !/-(?:wal|shm|journal)$/u.test(entry.name))
        paths.push(path);
    }
  }
  return paths.sort();
}

/** Runs on the files of folder layouts that the table names, each where it lay before; the copies are removed afterwards. */
async function inRebuilt(folder: string, index: CorpusIndex, work: (path: string, row: IndexRow) => Promise<void>): Promise<void> {
  const rows = [...index.rows.values()].filter((row) => FOLDER_FORMATS.has(row.format) && basename(row.path) !== basename(row.file));
  if (rows.length === 0) return;
  const scratch = mkdtempSync(join(tmpdir(), 'context-inspector-'));
  try {
    const placeOf = (row: IndexRow): string =>
      join(scratch, row.repo.replace('/', '-'), ...row.path.split('/').filter((part) => part !== '..'));
    for (const row of rows) {
      mkdirSync(dirname(placeOf(row)), { recursive: true });
      cpSync(join(folder, row.file), placeOf(row));
    }
    for (const row of rows) await work(placeOf(row), row);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function lineOf(file: string, { report, error, ms }: Answer): unknown {
  return {
    file,
    format: report?.format ?? null,
    messages: report?.messages?.length ?? null,
    usedTokens: report?.usage.usedTokens ?? null,
    measurement: report?.usage.measurement ?? null,
    boundaries: report?.boundaries.length ?? null,
    diagnostics: report === undefined ? null : countsOf(report.diagnostics.map(({ code }) => code)),
    ms: Math.round(ms),
    error: error ?? null,
  };
}

function countsOf(codes: readonly string[]): unknown {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return Object.fromEntries(counts);
}

async function answer(path: string): Promise<Answer> {
  const started = performance.now();
  try {
    const report = await inspectFile(path, {}, true);
    return { ms: performance.now() - started, report };
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'ReadError' && 'code' in error && typeof error.code === 'string';
    const text = isKnown ? String(error.code) : error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ms: performance.now() - started, error: text, isCrash: !isKnown };
  }
}

/** Has files inspected in a thread, which is ended when one of them takes too long or breaks it. */
class Inspector {
  readonly #seconds: number;
  #worker: Worker | undefined;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  async inspect(path: string): Promise<Answer> {
    const worker = (this.#worker ??= new Worker(new URL(import.meta.url)));
    const started = performance.now();
    const one = await new Promise<Answer>((done) => {
      const failed = (error: string): void => done({ ms: performance.now() - started, error, isCrash: true });
      const timer = setTimeout(() => failed(`no answer within ${this.#seconds} s`), this.#seconds * 1000);
      const settle = (result: Answer): void => {
        clearTimeout(timer);
        done(result);
      };
      worker.removeAllListeners();
      worker.once('message', settle);
      worker.once('error', (error: Error) => settle({ ms: performance.now() - started, error: error.message, isCrash: true }));
      worker.once('exit', () => settle({ ms: performance.now() - started, error: 'the thread ended', isCrash: true }));
      worker.postMessage(path);
    });
    if (one.isCrash === true) await this.end();
    return one;
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.removeAllListeners();
    await worker?.terminate();
  }
}

// Last, because classes exist only from their place on.
if (isMainThread) await main();
else parentPort?.on('message', (path: string) => void answer(path).then((one) => parentPort?.postMessage(one)));
