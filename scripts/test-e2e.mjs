// npm run test:e2e: the suites that need a browser. test/e2e drives the real VS Code with the built package installed; test/page opens the
// page alone in Chromium. `--no-build` takes what is built, `--only e2e|page` runs one of the two, $TEST_GREP some of their tests.
// Screenshots go to dist/shots.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { doneList } from './done.mjs';
import { runNode } from './run.mjs';
import { judge, sum, totalLine } from './totals.mjs';
import { ROOT, endOnSignals, ensureHost, findChromium } from './vscode-host.mjs';

const MINUTE = 60_000;
const LIMITS = { e2e: 20 * MINUTE, page: 10 * MINUTE };

endOnSignals();
const { values } = parseArgs({ options: { only: { type: 'string' }, 'no-build': { type: 'boolean' } } });
if (findChromium() === undefined) stop('There is no Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM.');
ensureHost({ quiet: true });
mkdirSync(join(ROOT, 'dist/shots'), { recursive: true });
if (!values['no-build']) {
  await step(['scripts/package.mjs']);
  await step(['esbuild.mjs', '--tests']);
}

const totals = [];
for (const name of ['e2e', 'page']) {
  if (values.only !== undefined && values.only !== name) continue;
  if (!existsSync(join(ROOT, 'test', name))) continue;
  const files = compiled(join('out/test', name));
  const done = await runNode(['scripts/mocha-suite.mjs', name, ...files], { timeoutMs: LIMITS[name], live: true });
  totals.push(judge(done));
}
await casesInBrowser();

const total = sum(totals);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

/** The cases of the component `webview` run in Chromium, so they are here and not in `npm test`. */
async function casesInBrowser() {
  if (values.only !== undefined && values.only !== 'cases') return;
  if (!doneList().cases.includes('webview')) return;
  const outcome = await runNode(['scripts/cases.mjs', 'test/cases/items', '--component', 'webview'], { timeoutMs: 5 * MINUTE });
  console.log(outcome.output.trimEnd());
  totals.push(judge(outcome));
  console.log(`cases in the browser: ${totalLine(totals.at(-1))}`);
}

function compiled(folder) {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter((file) => file.endsWith('.test.mjs'))
    .sort()
    .map((file) => join(folder, file));
}

async function step(args) {
  const done = await runNode(args, { timeoutMs: 5 * MINUTE });
  if (done.status !== 0) stop(done.output);
}

function stop(message) {
  console.log(message.trimEnd());
  console.log('0 passed, 1 failed');
  process.exit(1);
}
