// npm test: every check that needs no browser. `--only a,b` runs the named steps alone (typecheck, lint, lockfile, build, golden, cases or a
// folder of test/). Ends with one line `N passed, N failed` over all of them; type check, lint, lockfile and build count as one test each.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin, runNode } from './run.mjs';
import { judge, sum, totalLine } from './totals.mjs';
import { doneList } from './done.mjs';
import { ROOT, endOnSignals } from './vscode-host.mjs';

const MINUTE = 60_000;
/** Folders of test/ that hold no suite of this command: helpers and data, and what needs a browser. */
const ELSEWHERE = new Set(['support', 'fixtures', 'golden', 'cases', 'host', 'e2e', 'page', 'bench']);

endOnSignals();
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const only = values.only === undefined ? undefined : new Set(values.only.split(',').filter((name) => name !== ''));
const totals = [];

const suites = testFolders();
const names = ['typecheck', 'lint', 'lockfile', 'build', ...suites, 'golden', 'cases'];
for (const name of only ?? []) {
  if (names.includes(name)) continue;
  console.error(`There is no step "${name}". Steps: ${names.join(', ')}.`);
  process.exit(2);
}
const wanted = (name) => only === undefined || only.has(name);

/** Runs commands one after the other as one test. */
async function check(name, ...commands) {
  if (!wanted(name)) return;
  let ms = 0;
  for (const command of commands) {
    const done = await runNode(command, { timeoutMs: 10 * MINUTE });
    ms += done.ms;
    if (done.status === 0) continue;
    report(name, ms, { passed: 0, failed: 1, skipped: 0 }, done.output);
    return;
  }
  report(name, ms, { passed: 1, failed: 0, skipped: 0 }, '');
}

/** Runs a command that prints a count of its own. */
async function suite(name, command) {
  if (!wanted(name)) return;
  const done = await runNode(command, { timeoutMs: 10 * MINUTE });
  report(name, done.ms, judge(done), done.output);
}

function report(name, ms, total, output) {
  totals.push(total);
  if (output.trim() !== '') console.log(output.trimEnd());
  console.log(`== ${name}: ${totalLine(total)} (${(ms / 1000).toFixed(1)} s)`);
}

async function staticChecks() {
  await check('typecheck', [bin('typescript/bin/tsc'), '-b']);
  await check('lint', [bin('eslint/bin/eslint.js'), '.'], [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.']);
  await check('lockfile', ['scripts/check-lockfile.mjs']);
}

async function runningTests() {
  await check('build', ['esbuild.mjs', '--production']);
  if (suites.some(wanted)) {
    const built = await runNode(['esbuild.mjs', '--tests'], { timeoutMs: 2 * MINUTE });
    if (built.status !== 0) report('build of the tests', built.ms, { passed: 0, failed: 1, skipped: 0 }, built.output);
    else for (const name of suites) await suite(name, ['scripts/mocha-suite.mjs', name, ...compiled(join('out/test', name))]);
  }
  const done = doneList();
  const vectors = readdirSync(join(ROOT, 'test/golden')).filter((file) => file.endsWith('.json'));
  await suite('golden', ['scripts/golden.mjs', ...vectors.map((file) => join('test/golden', file)), '--fn', done.golden.join(',')]);
  const components = done.cases.filter((component) => component !== 'webview');
  await suite('cases', ['scripts/cases.mjs', 'test/cases/items', '--component', components.join(',')]);
}

function testFolders() {
  const all = readdirSync(join(ROOT, 'test'), { withFileTypes: true }).filter((entry) => entry.isDirectory() && !ELSEWHERE.has(entry.name));
  return all.map((entry) => entry.name).filter((name) => sources(join(ROOT, 'test', name)));
}

function sources(folder) {
  return readdirSync(folder, { recursive: true }).some((file) => /\.test\.tsx?$/.test(file));
}

function compiled(folder) {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter((file) => file.endsWith('.test.mjs'))
    .sort()
    .map((file) => join(folder, file));
}

await Promise.all([staticChecks(), runningTests()]);
const total = sum(totals);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
