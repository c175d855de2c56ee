// npm run coverage: the unit, property, golden and cases tests under c8, and the branch coverage of the parts that must be covered whole
// (PARTS). A branch is a block of V8's: a side of a condition, of `??`, `||` and `&&`, a loop, a catch, what follows a return. Fails below 100 %;
// closes with `N passed, N failed`, one for each file.
import { build } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildRanks } from './build-ranks.mjs';
import { doneList } from './done.mjs';
import { bin, runNode } from './run.mjs';
import { totalLine } from './totals.mjs';
import { ROOT, endOnSignals } from './vscode-host.mjs';

const MINUTE = 60_000;
const OUT = 'out/coverage';
const BUILT = `${OUT}/build`;
const RAW = `${OUT}/raw`;
const OWN = `${OUT}/own`;

/** What must be covered whole: the part's name, and the files or folders that it is. A file counts to the first part that names it. */
const PARTS = [
  ['split', ['src/core/cut/splitForKeep.ts']],
  ['invariants', ['src/core/cut']],
  ['window', ['src/core/window']],
  ['budget', ['src/core/toolResults']],
  ['boundary', ['src/core/boundary']],
  [
    'writer',
    [
      ...['checkCopy', 'leftovers', 'sessionWriter', 'sourceClaim', 'sourceFingerprint'].map((name) => `src/core/session/${name}.ts`),
      'src/core/session/copy',
    ],
  ],
];

endOnSignals();
rmSync(join(ROOT, OUT), { recursive: true, force: true });
for (const folder of [RAW, OWN]) mkdirSync(join(ROOT, folder), { recursive: true });
const suites = ['unit', 'property'].map((name) => [name, files(`test/${name}`, /\.test\.tsx?$/)]);
await buildTests(suites.flatMap(([, tests]) => tests));
const failures = await runAll();
const wanted = parts();
keepOwnScripts(new Set(wanted.map(({ file }) => file)));
const covered = await report();

const rows = wanted.map(({ part, file }) => ({ part, file, ...branchesOf(covered, file) }));
print(rows);
for (const failure of failures) console.log(failure);
const failed = rows.filter(({ open }) => open.length > 0).length;
console.log(totalLine({ passed: rows.length - failed, failed: failed + failures.length, skipped: 0 }));
process.exitCode = failed + failures.length > 0 ? 1 : 0;

/**
 * Builds the tests with every module of the core in a file of its own: c8 maps a range of a built file back rightly only where that file comes
 * from one source, and adds up runs only where they ran the same built file.
 */
async function buildTests(tests) {
  await buildRanks();
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...files('src/core', /(?<!\.d)\.ts$/), ...tests, 'test/support/runGolden.ts', 'test/support/runCases.ts'],
    outdir: BUILT,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    sourcemap: 'linked',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
}

/** Runs the suites, in two lanes since most machines have two cores; gives one sentence for each that failed. */
async function runAll() {
  // Some unit tests start the built command line and engine.
  const built = await runNode(['esbuild.mjs', '--production'], { timeoutMs: 10 * MINUTE });
  if (built.status !== 0) return [`The build failed:\n${built.output}`];
  const done = doneList();
  const vectors = readdirSync(join(ROOT, 'test/golden')).filter((file) => file.endsWith('.json'));
  const components = done.cases.filter((component) => component !== 'webview');
  const runs = [
    ...suites.map(([name, tests]) => [name, ['scripts/mocha-suite.mjs', name, ...tests.map(builtName)]]),
    ['golden', [`${BUILT}/test/support/runGolden.mjs`, ...vectors.map((file) => `test/golden/${file}`), '--fn', done.golden.join(',')]],
    ['cases', [`${BUILT}/test/support/runCases.mjs`, 'test/cases/items', '--component', components.join(',')]],
  ];
  const failures = [];
  const lane = async () => {
    for (let next = runs.shift(); next !== undefined; next = runs.shift()) {
      const [name, args] = next;
      const env = { NODE_V8_COVERAGE: join(ROOT, RAW) };
      const { status, output, ms } = await runNode(args, { timeoutMs: 20 * MINUTE, env });
      console.log(`== ${name}: ${status === 0 ? 'passed' : 'failed'} (${(ms / 1000).toFixed(1)} s)`);
      if (status !== 0) failures.push(`The ${name} tests failed, so what they cover is not known:\n${output.trimEnd()}`);
    }
  };
  await Promise.all([lane(), lane()]);
  return failures;
}

/**
 * Leaves only the built files of the parts: other bundles that a test starts hold the same sources, and c8 would count the branches of each.
 * Throws when a module shares its built file, which modules that import each other in a circle do, since then the places would be wrong.
 */
function keepOwnScripts(wanted) {
  const own = new Set();
  for (const name of readdirSync(join(ROOT, BUILT), { recursive: true }).filter((file) => file.endsWith('.mjs'))) {
    const { sources } = JSON.parse(readFileSync(join(ROOT, BUILT, `${name}.map`), 'utf8'));
    const files = sources.map((source) => relative(ROOT, resolve(join(ROOT, BUILT, dirname(name)), source)));
    if (!files.some((file) => wanted.has(file))) continue;
    if (files.length > 1)
      throw new Error(`These files import each other in a circle, so their branches cannot be told apart: ${files.join(', ')}`);
    own.add(pathToFileURL(join(ROOT, BUILT, name)).href);
  }
  for (const name of readdirSync(join(ROOT, RAW))) {
    const { result } = JSON.parse(readFileSync(join(ROOT, RAW, name), 'utf8'));
    writeFileSync(join(ROOT, OWN, name), JSON.stringify({ result: result.filter(({ url }) => own.has(url)) }));
  }
}

/** The coverage by source file, in istanbul's form. */
async function report() {
  const folders = PARTS.flatMap(([, paths]) => paths).flatMap((path) => ['--include', path.endsWith('.ts') ? path : `${path}/**`]);
  const only = ['--extension', '.ts', ...folders, '--exclude-after-remap'];
  const places = ['--temp-directory', OWN, '--reports-dir', OUT, '--reporter', 'json'];
  const { status, output } = await runNode([bin('c8/bin/c8.js'), 'report', ...places, ...only], { timeoutMs: 10 * MINUTE });
  if (status !== 0) throw new Error(`c8 failed:\n${output}`);
  return JSON.parse(readFileSync(join(ROOT, OUT, 'coverage-final.json'), 'utf8'));
}

function parts() {
  const seen = new Set();
  return PARTS.flatMap(([part, paths]) => {
    const found = paths.flatMap((path) => (path.endsWith('.ts') ? [path] : files(path, /(?<!\.d)\.ts$/)));
    const fresh = found.filter((file) => !seen.has(file));
    for (const file of fresh) seen.add(file);
    return fresh.map((file) => ({ part, file }));
  });
}

/** Branches of a file, and where the ones are that no test took. V8 tells no branches of a function that was never called: it counts as one. */
function branchesOf(all, file) {
  const found = all[join(ROOT, file)];
  if (found === undefined) return isOnlyTypes(file) ? { total: 0, open: [] } : { total: 0, open: ['no test loads it'] };
  const uncalled = Object.entries(found.fnMap).filter(([id]) => found.f[id] === 0);
  const branches = Object.entries(found.branchMap);
  const untaken = branches.filter(([id]) => found.b[id].some((count) => count === 0));
  const open = [...uncalled, ...untaken]
    .map(([, { loc }]) => place(file, loc))
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, text }) => `${line}:${column}  ${text}`);
  return { total: branches.length + uncalled.length, open: [...new Set(open)] };
}

/** A file of types has no line left once it is built. */
function isOnlyTypes(file) {
  const built = join(ROOT, builtName(file));
  return existsSync(built) && !/^(?!\/\/)\s*\S/m.test(readFileSync(built, 'utf8'));
}

function place(file, { start, end }) {
  const line = readFileSync(join(ROOT, file), 'utf8').split('\n')[start.line - 1] ?? '';
  const text = line.slice(start.column, end.line === start.line ? end.column : undefined).trim();
  return { line: start.line, column: start.column + 1, text: text.length > 80 ? `${text.slice(0, 79)}…` : text };
}

function print(rows) {
  const width = Math.max(...rows.map(({ file }) => file.length));
  for (const { part, file, total, open } of rows) {
    const share = total === 0 ? (open.length === 0 ? 'types only' : '') : `${total - open.length} of ${total} branches`;
    console.log(`${part.padEnd(10)}  ${file.padEnd(width)}  ${open.length === 0 ? 'ok  ' : 'OPEN'}  ${share}`);
    for (const branch of open) console.log(`              ${file}:${branch}`);
  }
}

function builtName(file) {
  return `${BUILT}/${file.replace(/\.tsx?$/, '.mjs')}`;
}

function files(folder, wanted) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter((file) => wanted.test(file))
    .sort()
    .map((file) => `${folder}/${file}`);
}
