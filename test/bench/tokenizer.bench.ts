// The tokenizer beside others, on messages of real sessions. Each measurement is a fresh process that counts each message once, so nothing is
// warm: neither the code nor a cache. `--transcripts FOLDER` names other sessions.
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { field, isRecord } from '../../src/core/util/json';
import { loadCounter } from '../../src/node/counting/bpeCounter';
import { cpuMs, median, medianCpuMs, type Bench, type BenchCheck, type BenchReport } from './bench';
import { OFFICIAL, OURS, PEERS } from './tokenizerPeers';
import { textsOf } from './tokenizerTexts';

const ROUNDS = 3;
const LOADS = 5;
const LOAD_MS = 80;
/** How many times faster than each of them. */
const FASTER: ReadonlyMap<string, number> = new Map([
  ['js-tiktoken', 8],
  ['gpt-tokenizer', 2],
  ['ai-tokenizer', 2],
]);
const GROWTH = 20;
const REPEATED: readonly (readonly [name: string, character: string])[] = [
  ['letter', 'a'],
  ['space', ' '],
  ['newline', '\n'],
  ['digit', '7'],
  ['CJK', '\u6f22'],
  ['emoji', '\u{1f600}'],
  ['punctuation', '!'],
];
const SMALL_BYTES = 100_000;
const LARGE_BYTES = 1_000_000;
const SLICE_UNITS = 16_384;

/** What one process measured; by the names of the columns. */
type Measured = ReadonlyMap<string, number>;

export const bench: Bench = {
  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: { transcripts: { type: 'string', default: '../shared/transcripts' }, peer: { type: 'string' }, growth: { type: 'boolean' } },
    });
    if (values.peer !== undefined) return measurePeer(values.peer, values.transcripts);
    if (values.growth === true) return measureGrowth();
    const { origin, texts } = textsOf(values.transcripts);
    const best = await bestOf(['--transcripts', values.transcripts]);
    const ours = best.get(OURS) ?? new Map<string, number>();
    const loads: number[] = [];
    for (let i = 0; i < LOADS; i++) loads.push((await child(['--peer', OURS, '--transcripts', ''])).get('load') ?? Infinity);
    const growth = await child(['--growth']);
    return {
      columns: ['o200k_base', 'MB/s', 'ms', 'load ms', 'tokens'],
      rows: [...best].map(([name, one]) => [name, speed(one), ...['ms', 'load', 'tokens'].map((column) => one.get(column) ?? NaN)]),
      checks: [
        ...[...FASTER].map(([name, atLeast]): BenchCheck => {
          const peer = best.get(name) ?? new Map<string, number>();
          return { label: `speed on messages beside ${name}`, value: speed(ours) / speed(peer), atLeast, unit: 'times' };
        }),
        difference(ours, best.get(OFFICIAL) ?? new Map<string, number>()),
        { label: 'loading the table and counting two words', value: median(loads), atMost: LOAD_MS, unit: 'ms' },
        ...REPEATED.map(([name]): BenchCheck => ({
          label: `1 MB of one ${name} beside 100 KB (${(growth.get(`${name} large`) ?? NaN).toFixed(0)} ms)`,
          value: (growth.get(`${name} large`) ?? Infinity) / (growth.get(`${name} small`) ?? 0),
          atMost: GROWTH,
          unit: 'times',
        })),
        { label: `longest slice of 1 MB of one letter, by ${SLICE_UNITS} units`, value: growth.get('slice') ?? NaN, unit: 'ms' },
      ],
      notes: [
        origin,
        `${(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6).toFixed(1)} MB; the best of ${ROUNDS} fresh processes each, in turns.`,
      ],
    };
  },
};

function speed(measured: Measured): number {
  return (measured.get('bytes') ?? NaN) / (measured.get('ms') ?? NaN) / 1000;
}

function difference(ours: Measured, official: Measured): BenchCheck {
  const value = Math.abs((ours.get('tokens') ?? NaN) - (official.get('tokens') ?? NaN));
  return { label: `messages' tokens other than ${OFFICIAL} counts`, value, atMost: 0, unit: 'tokens' };
}

/** The fastest round of each, one after the other in each round, so that what slows the machine down slows all of them. */
async function bestOf(args: readonly string[]): Promise<ReadonlyMap<string, Measured>> {
  const best = new Map<string, Measured>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of PEERS.keys()) {
      const measured = await child(['--peer', name, ...args]);
      if ((measured.get('ms') ?? Infinity) < (best.get(name)?.get('ms') ?? Infinity)) best.set(name, measured);
    }
  }
  return best;
}

/** Runs this benchmark in a process of its own and reads the figures out of its report. */
async function child(args: readonly string[]): Promise<Measured> {
  const [runner = '', name = '', file = ''] = process.argv.slice(1);
  const command = [...process.execArgv, runner, name, file, '--json', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { maxBuffer: 1 << 24 });
  const report: unknown = JSON.parse(stdout);
  const rows: unknown = isRecord(report) ? field(report, 'rows') : undefined;
  if (!Array.isArray(rows)) throw new Error(`No figures came from ${args.join(' ')}.`);
  return new Map(rows.flatMap((row: unknown) => (Array.isArray(row) ? [[String(row[0]), Number(row[1])]] : [])));
}

async function measurePeer(name: string, transcripts: string): Promise<BenchReport> {
  const load = PEERS.get(name);
  if (load === undefined) throw new Error(`There is no tokenizer "${name}".`);
  const { texts } = transcripts === '' ? { texts: [] } : textsOf(transcripts);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const before = process.cpuUsage();
  const count = await load();
  count('two words');
  const { user, system } = process.cpuUsage(before);
  let tokens = 0;
  const ms = cpuMs(() => {
    for (const text of texts) tokens += count(text);
  });
  return figures([
    ['bytes', bytes],
    ['ms', ms],
    ['load', (user + system) / 1000],
    ['tokens', tokens],
  ]);
}

async function measureGrowth(): Promise<BenchReport> {
  const counter = await loadCounter('o200k_base');
  const rows: [string, number][] = [];
  for (const [name, character] of REPEATED) {
    const [small, large] = [SMALL_BYTES, LARGE_BYTES].map((bytes) => character.repeat(bytes / Buffer.byteLength(character)));
    // The small text is counted as often as both hold the same bytes, so that the clock's grain is not measured.
    const times = LARGE_BYTES / SMALL_BYTES;
    const countSmall = (): void => {
      for (let i = 0; i < times; i++) counter.count(small ?? '');
    };
    rows.push([`${name} small`, medianCpuMs(countSmall) / times], [`${name} large`, medianCpuMs(() => counter.count(large ?? ''))]);
  }
  const slices = counter.countSlices('a'.repeat(LARGE_BYTES), SLICE_UNITS);
  const times: number[] = [];
  for (let slice = timed(slices); ; slice = timed(slices)) {
    times.push(slice.ms);
    if (slice.done) break;
  }
  return figures([...rows, ['slice', Math.max(...times)]]);
}

function timed(slices: Iterator<number, number>): { readonly ms: number; readonly done: boolean } {
  const before = process.cpuUsage();
  const { done } = slices.next();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, done: done === true };
}

function figures(rows: readonly (readonly [string, number])[]): BenchReport {
  return { columns: ['figure', 'value'], rows, checks: [] };
}
