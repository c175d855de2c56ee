// npm run fuzz -- --runs N --seed S: damaged transcripts of every format through the reader and the planner. The runs are made in a worker, so
// that one that never ends is seen, named and left behind.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import type { FormatId } from '../../src/core/model/transcript';
import { AGENT_NAMES } from '../../src/core/view/sessionView';
import { fuzzOnce, type FuzzFile } from './fuzzOnce';
import { fuzzParts } from './fuzzParts';
import { mutations, pageMutations } from './mutations';

interface Job {
  readonly seed: number;
  readonly from: number;
  readonly runs: number;
}
interface Report {
  readonly run: number;
  readonly problem?: string;
  readonly heapBytes?: number;
}

const HANG_MS = 10_000;
const BATCH = 200;
const SHOWN = 20;
/** What a reader may keep after all of its transcripts are gone. */
const KEPT_BYTES = 64 * 1024 * 1024;

if (isMainThread) await main();
else await work(workerData as Job);

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } } });
  const [runs, seed] = [Number(values.runs), Number(values.seed)];
  if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) {
    console.error('Usage: npm run fuzz -- --runs N --seed S');
    process.exit(2);
  }
  const files = await fuzzInputs();
  console.log(`${files.length} inputs of ${new Set(files.map(({ format }) => format)).size} formats, ${runs} runs, seed ${seed}`);
  const problems: string[] = [];
  let hangs = 0;
  let kept = 0;
  for (let from = 0; from < runs;) {
    const end = await oneWorker({ seed, from, runs }, (report) => {
      if (report.problem !== undefined) problems.push(`run ${report.run}: ${report.problem}`);
      kept = Math.max(kept, report.heapBytes ?? 0);
    });
    if (!end.isHang) break;
    hangs++;
    problems.push(`run ${end.run}: no end after ${HANG_MS / 1000} s`);
    from = end.run + 1;
  }
  if (kept > KEPT_BYTES) problems.push(`${Math.round(kept / 1024 / 1024)} MiB are still held after the runs`);
  for (const problem of problems.slice(0, SHOWN)) console.log(problem);
  if (problems.length > SHOWN) console.log(`… and ${problems.length - SHOWN} more`);
  console.log(`${hangs} hangs, ${(kept / 1024 / 1024).toFixed(1)} MiB held after the runs`);
  console.log(`${Math.max(0, runs - problems.length)} passed, ${problems.length} failed`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

function oneWorker(job: Job, onReport: (report: Report) => void): Promise<{ readonly isHang: boolean; readonly run: number }> {
  return new Promise((done, fail) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: job });
    let last = job.from;
    const late = (): void => {
      void worker.terminate();
      done({ isHang: true, run: last });
    };
    let timer = setTimeout(late, 3 * HANG_MS);
    worker.on('message', (report: Report) => {
      clearTimeout(timer);
      timer = setTimeout(late, HANG_MS);
      last = report.run + 1;
      onReport(report);
    });
    worker.once('error', fail);
    worker.once('exit', () => {
      clearTimeout(timer);
      done({ isHang: false, run: last });
    });
  });
}

async function work({ seed, from, runs }: Job): Promise<void> {
  const port = parentPort;
  if (port === null) return;
  const files = await fuzzInputs();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  let base: number | undefined;
  for (let start = Math.floor(from / BATCH) * BATCH; start < runs; start += BATCH) {
    const inputs = fc.sample(fc.tuple(fc.nat(files.length - 1), mutations, pageMutations, fc.nat()), {
      seed: seed + start,
      numRuns: BATCH,
    });
    for (const [offset, [which, anywhere, inPages, choice]] of inputs.entries()) {
      const run = start + offset;
      const file = files[which];
      if (run < from || run >= runs || file === undefined) continue;
      const changes = file.isPaged === true && choice % 4 > 0 ? inPages : anywhere;
      const problem = await fuzzOnce(
        file,
        changes.reduce((bytes, change) => change(bytes), file.bytes),
        choice,
      );
      port.postMessage(problem === undefined ? { run } : { run, problem: `${file.name}: ${problem}` });
    }
    base ??= heap();
  }
  port.postMessage({ run: runs - 1, heapBytes: Math.max(0, heap() - (base ?? 0)) });
}

/** Every fixture by itself, then every file of the fixtures that are databases or folders. */
async function fuzzInputs(): Promise<readonly FuzzFile[]> {
  return [...fuzzFiles(), ...(await fuzzParts())];
}

/** Every fixture that is a file of one format, by the name of its folder. */
function fuzzFiles(): readonly FuzzFile[] {
  const root = join(process.cwd(), 'test/fixtures');
  return readdirSync(root)
    .filter((folder): folder is FormatId => Object.hasOwn(AGENT_NAMES, folder))
    .flatMap((format) =>
      readdirSync(join(root, format), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /^[^.]+\.(jsonl|json|md|traj)$/.test(entry.name))
        .map((entry): FuzzFile => {
          const path = join(entry.parentPath, entry.name);
          return { name: path.slice(root.length + 1), format, bytes: new Uint8Array(readFileSync(path)) };
        }),
    );
}
