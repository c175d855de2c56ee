// The engine on one large file, in a process of its own: readerProbe ENGINE.mjs APPENDER.mjs SESSION.jsonl '{"lastUuid":…}'. Prints one line of JSON.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { SessionPatch } from '../../src/core/protocol/viewModel';
import { startEngineWorker, type EngineClient } from '../../src/node/engine/client';
import { appendedResponse, appendedUuid, type BigSession } from './bigSession';

export interface ReaderProbe {
  /** Processor time and time until the gauge stood, in ms; what it said, and what it said when the whole file was read. */
  readonly gaugeCpuMs: number;
  readonly gaugeMs: number;
  readonly reportedTokens: number | null;
  readonly finalReportedTokens: number | null;
  readonly wholeCpuMs: number;
  readonly rows: number;
  /** Largest memory of the process until the whole was read and its context counted, over what it had before the engine started, in MB. */
  readonly peakMb: number;
  /** Longest time that a request waited while the file was being read, in ms. */
  readonly longestWaitMs: number;
  readonly watchMs: readonly number[];
  readonly appendMs: readonly number[];
}

const [enginePath = '', appenderPath = '', path = '', facts = '{}'] = process.argv.slice(2);
const session = JSON.parse(facts) as BigSession;
const APPENDS = 40;
/** Longer than the pause that the engine keeps between two looks. */
const BETWEEN_MS = 250;
const MB = 1024 * 1024;
const NS_PER_MS = 1e6;

const before = process.memoryUsage.rss();
const engine = startEngineWorker(enginePath);
const start = { cpu: process.cpuUsage(), time: performance.now() };
const view = await engine.request('session/open', { path, options: {}, watch: true, pollMs: 2000 });
const gauge = { cpu: cpuSince(start.cpu), time: performance.now() - start.time };
const { handle } = view;
const { whole, longestWaitMs } = await readWhole(engine, handle);
const wholeCpuMs = cpuSince(start.cpu);
await settled(engine);
const peakMb = process.resourceUsage().maxRSS / 1024 - before / MB;
// Who writes and who watches are different processes, as with a real agent: both watches have to be woken for each line.
const appender = fork(appenderPath);
const appended = await appendLatencies(engine, appender);
appender.kill();
engine.dispose();
const probe: ReaderProbe = {
  gaugeCpuMs: gauge.cpu,
  gaugeMs: gauge.time,
  reportedTokens: view.gauge.reportedTokens,
  finalReportedTokens: whole.gauge.reportedTokens,
  wholeCpuMs,
  rows: whole.rows.count,
  peakMb,
  longestWaitMs,
  ...appended,
};
process.stdout.write(`${JSON.stringify(probe)}\n`);

function cpuSince(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** A question that needs the whole file, and small ones meanwhile that must not wait for it. */
async function readWhole(client: EngineClient, of: string): Promise<{ whole: typeof view; longestWaitMs: number }> {
  const progress = { isDone: false };
  const whole = client.request('line/message', { handle: of, line: 1 }).finally(() => (progress.isDone = true));
  let longest = 0;
  while (!progress.isDone) {
    const asked = performance.now();
    await client.request('session/snapshot', { handle: of });
    longest = Math.max(longest, performance.now() - asked);
    await wait(20);
  }
  await whole;
  return { whole: await client.request('session/snapshot', { handle: of }), longestWaitMs: longest };
}

/** Resolves when no patch has come for two seconds: the context is counted then. */
async function settled(client: EngineClient): Promise<void> {
  let last = performance.now();
  const subscription = client.on('session/patched', () => (last = performance.now()));
  while (performance.now() - last < 2000) await wait(100);
  subscription.dispose();
}

async function appendLatencies(
  client: EngineClient,
  writer: ChildProcess,
): Promise<{ watchMs: readonly number[]; appendMs: readonly number[] }> {
  const watchMs: number[] = [];
  const appendMs: number[] = [];
  for (let number = 0; number < APPENDS; number++) {
    const parent = number === 0 ? session.lastUuid : appendedUuid(number - 1);
    const prompt = session.lastPrompt + 10_000 + number;
    const line = appendedResponse({ number, parent, prompt, output: 40 });
    const watcher = watch(path);
    // The watch has to be in place before the change.
    await wait(BETWEEN_MS);
    const noticed = new Promise<bigint>((resolve) => watcher.once('change', () => resolve(process.hrtime.bigint())));
    const shown = nextGauge(client, prompt);
    const told = once(writer, 'message');
    writer.send({ path, line });
    const [began] = (await told) as [string];
    watchMs.push(msBetween(began, await noticed));
    appendMs.push(msBetween(began, await shown));
    watcher.close();
  }
  return { watchMs, appendMs };
}

function msBetween(began: string, end: bigint): number {
  return Number(end - BigInt(began)) / NS_PER_MS;
}

function nextGauge(client: EngineClient, reported: number): Promise<bigint> {
  return new Promise((resolve) => {
    const subscription = client.on('session/patched', (patch: SessionPatch) => {
      if (patch.changes.gauge?.reportedTokens !== reported) return;
      subscription.dispose();
      resolve(process.hrtime.bigint());
    });
  });
}
