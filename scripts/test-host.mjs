// npm run test:host: the mocha suite of test/host inside the extension host of a real VS Code. VS Code calls `run()` of out/host/index.js,
// which writes its outcome to $HOST_RESULT: { res: [{ title, ok, skipped?, err? }] }. The tests find a folder with copies of the fixtures as
// their workspace and an empty home of their own. `--no-build` takes what is built.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from './run.mjs';
import { totalLine } from './totals.mjs';
import { ROOT, endOnSignals, ensureHost, openBrowser, openWorkbench, startServer } from './vscode-host.mjs';

const LIMIT_MS = Number(process.env.HOST_TIMEOUT ?? 240_000);
const SHOTS = join(ROOT, 'dist/shots');
/** Lines of the extension host's console that help a reader; HOST_VERBOSE shows all. */
const WORTH_SHOWING = /^(ok |FAIL|skip|longest block)/;

endOnSignals();
ensureHost({ quiet: true });
if (!process.argv.includes('--no-build')) await build();
const tests = join(ROOT, 'out/host/index.js');
if (!existsSync(tests)) stopWith('There is no in-host suite in out/host/index.js.');

const scratch = mkdtempSync(join(tmpdir(), 'context-inspector-host-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const result = join(scratch, 'result.json');
const folder = join(scratch, 'workspace');
const home = join(scratch, 'home');
mkdirSync(home);
mkdirSync(folder);
for (const source of ['media/sample', 'test/fixtures']) {
  if (existsSync(join(ROOT, source))) cpSync(join(ROOT, source), join(folder, source.replace(/.*\//, '')), { recursive: true });
}
const development = [ROOT, join(ROOT, 'test/host/fake-lm')].filter((path) => existsSync(join(path, 'package.json')));

const env = { HOST_RESULT: result, HOME: home, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', XDG_DATA_HOME: '' };
for (const name of Object.keys(env)) if (env[name] === '') env[name] = undefined;
const server = await startServer({ env });
const { browser, page } = await openBrowser();
let code;
try {
  const ended = new Promise((done) => {
    void page.exposeFunction('codeAutomationExit', (status) => done(status));
    void page.exposeFunction('codeAutomationLog', (_type, args) => {
      if (process.env.HOST_VERBOSE || WORTH_SHOWING.test(String(args[0]))) console.log(...args);
    });
  });
  const late = new Promise((done) => setTimeout(() => done('late'), LIMIT_MS).unref());
  if (process.env.HOST_VERBOSE) page.on('console', (message) => console.error(`[page] ${message.text().slice(0, 300)}`));
  await openWorkbench(page, server, { folder, development, tests });
  code = await Promise.race([ended, late]);
  if (code === 'late') {
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, 'host-timeout.png') });
    console.log(
      `The suite did not end within ${LIMIT_MS / 1000} s; dist/shots/host-timeout.png shows the window.\n${server.log().slice(-3000)}`,
    );
  }
} finally {
  await browser.close();
  await server.stop();
}

if (!existsSync(result)) stopWith('VS Code never ran the tests.');
const { res } = JSON.parse(readFileSync(result, 'utf8'));
for (const { title, ok, skipped, err } of res) {
  if (skipped) console.log(`skip ${title}`);
  else if (!ok) console.log(`FAIL ${title}\n${err ?? ''}`);
}
const skipped = res.filter((test) => test.skipped).length;
const failed = res.filter((test) => !test.ok && !test.skipped).length;
const passed = res.length - failed - skipped;
// A run that VS Code calls failed without a failed test broke outside of the tests.
const broken = failed === 0 && (code !== 0 || passed === 0) ? 1 : 0;
if (broken) console.log(`The run ended with ${code} though no test failed.`);
console.log(totalLine({ passed, failed: failed + broken, skipped }));
process.exit(failed + broken > 0 ? 1 : 0);

async function build() {
  for (const flags of [['--production'], ['--tests']]) {
    const done = await runNode(['esbuild.mjs', ...flags], { timeoutMs: 120_000 });
    if (done.status !== 0) stopWith(done.output);
  }
}

function stopWith(message) {
  console.log(message);
  console.log('0 passed, 1 failed');
  process.exit(1);
}
