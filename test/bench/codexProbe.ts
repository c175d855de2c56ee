// The engine on one large Codex rollout, in a process of its own: codexProbe ENGINE.mjs ROLLOUT.jsonl '{"lastContext":…}'. Prints one line of JSON.
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { SessionPatch } from '../../src/core/protocol/viewModel';
import { startEngineWorker, type EngineClient } from '../../src/node/engine/client';
import { appendedAnswer, type BigCodexSession } from './bigCodexSession';

export interface CodexProbe {
  /** Processor time until the gauge stood, and until the whole was read, in ms. */
  readonly gaugeCpuMs: number;
  readonly wholeCpuMs: number;
  /** Context that the gauge tells, first and of the whole, beside the one that the file reports last. */
  readonly gaugeTokens: number | null;
  readonly wholeTokens: number | null;
  readonly lastContext: number;
  readonly rows: number;
  /** Largest memory of the process until the whole was read and its context counted, over what it had before the engine started, in MB. */
  readonly peakMb: number;
  /** Processor time that an appended answer takes until the gauge has it, in ms; of ten the one in the middle. */
  readonly appendCpuMs: number;
}

const [enginePath = '', path = '', facts = '{}'] = process.argv.slice(2);
const session = JSON.parse(facts) as BigCodexSession;
const APPENDS = 10;
/** Longer than the engine rests between two views of a large session. */
const BETWEEN_MS = 2500;
const MB = 1024 * 1024;

const before = process.memoryUsage.rss();
const engine = startEngineWorker(enginePath);
const start = process.cpuUsage();
const view = await engine.request('session/open', { path, options: {}, watch: true, pollMs: 2000 });
const gaugeCpuMs = cpuSince(start);
const { handle } = view;
await engine.request('line/message', { handle, line: 3 });
const whole = await engine.request('session/snapshot', { handle });
const wholeCpuMs = cpuSince(start);
await settled(engine);
const peakMb = process.resourceUsage().maxRSS / 1024 - before / MB;
const appends: number[] = [];
for (let number = 1; number <= APPENDS; number++) {
  await wait(BETWEEN_MS);
  const context = session.lastContext + number * 100;
  const from = process.cpuUsage();
  const shown = nextGauge(engine, context);
  appendFileSync(path, appendedAnswer(number, context, session.lastThread + number * context));
  await shown;
  appends.push(cpuSince(from));
}
engine.dispose();
const probe: CodexProbe = {
  gaugeCpuMs,
  wholeCpuMs,
  gaugeTokens: view.gauge.reportedTokens,
  wholeTokens: whole.gauge.reportedTokens,
  lastContext: session.lastContext,
  rows: whole.rows.count,
  peakMb,
  appendCpuMs: appends.sort((a, b) => a - b)[APPENDS / 2] ?? 0,
};
process.stdout.write(`${JSON.stringify(probe)}\n`);

function cpuSince(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** Resolves when no patch has come for two seconds: the context is counted then. */
async function settled(client: EngineClient): Promise<void> {
  let last = performance.now();
  const subscription = client.on('session/patched', () => (last = performance.now()));
  while (performance.now() - last < 2000) await wait(100);
  subscription.dispose();
}

function nextGauge(client: EngineClient, context: number): Promise<void> {
  return new Promise((resolve) => {
    const subscription = client.on('session/patched', (patch: SessionPatch) => {
      const { gauge } = patch.changes;
      if (gauge === undefined || (gauge.reportedTokens ?? 0) < context - 40) return;
      subscription.dispose();
      resolve();
    });
  });
}
