// A scratch copy of the checkout in which one wrong version after another is tried. The checkout itself is never touched.
import { build } from 'esbuild';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buildRanks, RANKS } from './build-ranks.mjs';
import { run } from './run.mjs';
import { readTotal } from './totals.mjs';
import { ROOT } from './vscode-host.mjs';

/** What tests of the core read. */
const COPIED = ['src', 'test', 'webview-ui', 'media', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.base.json'];
const OUT = 'out/mutants';
const REPORT = `${OUT}/report.json`;
/** Hang limit of one test; one that waits for ever is ended by it. */
const TEST_MS = 120_000;

/**
 * One run of tests. `key` names it, and is equal for equal runs; `entries` are the source files that it needs.
 * @typedef {{ key: string, kind: string, entries: string[], start: string[], result: (done: { status: number, output: string }) => Outcome }} Step
 */
/** @typedef {{ state: 'green' | 'red' | 'hung' | 'broken', detail: string }} Outcome `detail` names the first failure */

/** Makes the copy; it is removed when this process ends. */
export function createScratch() {
  const folder = mkdtempSync(join(tmpdir(), 'context-inspector-mutants-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  mkdirSync(join(folder, 'out'));
  symlinkSync(RANKS, join(folder, 'out/ranks'), 'dir');
  return new Scratch(folder);
}

class Scratch {
  constructor(folder) {
    this.folder = folder;
  }

  read(file) {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** Writes files and answers a function that puts back what stood there. */
  replace(files) {
    const before = new Map([...files.keys()].map((file) => [file, this.read(file)]));
    this.#write(files);
    return () => this.#write(before);
  }

  #write(files) {
    for (const [file, text] of files) writeFileSync(join(this.folder, file), text);
  }

  /** Bundles what the steps need from the sources as they are now. Throws when that fails. */
  async build(steps) {
    rmSync(join(this.folder, OUT), { recursive: true, force: true });
    await buildRanks();
    await build({
      absWorkingDir: this.folder,
      entryPoints: [...new Set(steps.flatMap(({ entries }) => entries))],
      outdir: OUT,
      outbase: 'test',
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      packages: 'external',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      logLevel: 'silent',
    });
  }

  /** Runs a step that was built. @returns {Promise<Outcome & { ms: number }>} */
  async run(step, timeoutMs) {
    rmSync(join(this.folder, REPORT), { force: true });
    const done = await run(process.execPath, step.start, { timeoutMs, cwd: this.folder });
    if (done.status === 124) return { state: 'hung', detail: 'it did not come to an end', ms: done.ms };
    return { ...step.result(done), ms: done.ms };
  }

  /** The steps of a component, the quick ones first. @param {import('./mutant-list.mjs').Tests} tests @returns {Step[]} */
  stepsOf({ unit, golden, cases, property }) {
    const vectors = this.#files('test/golden', /^golden.*\.json$/);
    return [
      ...(unit.length === 0 ? [] : [this.#mocha('unit', unit)]),
      ...(golden.length === 0 ? [] : [check('golden', 'runGolden', [...vectors, '--fn', golden.join(',')])]),
      ...(cases.length === 0 ? [] : [check('cases', 'runCases', ['test/cases/items', '--component', cases.join(',')])]),
      ...property.map((file) => this.#mocha('property', [file])),
    ];
  }

  #tests(path) {
    return statSync(join(this.folder, path)).isDirectory() ? this.#files(path, /\.test\.tsx?$/) : [path];
  }

  #files(path, wanted) {
    const names = readdirSync(join(this.folder, path), { recursive: true }).filter((name) => wanted.test(name));
    return names.sort().map((name) => join(path, name));
  }

  #mocha(kind, paths) {
    const entries = paths.flatMap((path) => this.#tests(path));
    const mocha = ['node_modules/mocha/bin/mocha.js', '--bail', '--exit', '--timeout', String(TEST_MS)];
    const reporter = ['--reporter', 'json', '--reporter-option', `output=${REPORT}`];
    const start = [...mocha, ...reporter, ...entries.map(builtPath)];
    const key = `${kind} ${paths.join(' ')}`;
    return { key, kind, entries, start, result: (done) => this.#mochaResult(done) };
  }

  #mochaResult({ output }) {
    const path = join(this.folder, REPORT);
    if (!existsSync(path)) return { state: 'broken', detail: lastLine(output) };
    const { stats, failures } = JSON.parse(readFileSync(path, 'utf8'));
    if (failures.length > 0) return { state: 'red', detail: failures[0].fullTitle };
    return stats.passes > 0 ? { state: 'green', detail: `${stats.passes} tests` } : { state: 'broken', detail: 'no test ran' };
  }
}

/** A run of vectors or cases; its result is the count that it prints. */
function check(kind, name, args) {
  const entry = `test/support/${name}.ts`;
  const result = ({ output }) => {
    const total = readTotal(output);
    if (total === undefined || total.passed + total.failed === 0) return { state: 'broken', detail: lastLine(output) };
    const first = (output.split('\n')[0] ?? '').slice(0, 120);
    return total.failed > 0 ? { state: 'red', detail: first } : { state: 'green', detail: `${total.passed} of them` };
  };
  const key = `${kind} ${args.at(-1)}`;
  return { key, kind, entries: [entry], start: [builtPath(entry), ...args], result };
}

function builtPath(entry) {
  return join(OUT, relative('test', entry)).replace(/\.tsx?$/, '.mjs');
}

function lastLine(output) {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  return line === '' ? 'it said nothing' : line;
}
