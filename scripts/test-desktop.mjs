// npm run test:desktop: the in-host suite in a desktop VS Code that @vscode/test-electron downloads, for those who can reach the download.
// Everywhere else `npm run test:host` runs the same suite.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from './run.mjs';
import { totalLine } from './totals.mjs';
import { ROOT, endOnSignals } from './vscode-host.mjs';

const DOWNLOAD_LIMIT_MS = 600_000;

endOnSignals();
const { downloadAndUnzipVSCode, runTests } = await import('@vscode/test-electron');
let vscodeExecutablePath;
try {
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error('the download took too long')), DOWNLOAD_LIMIT_MS).unref());
  vscodeExecutablePath = await Promise.race([downloadAndUnzipVSCode(process.env.VSCODE_VERSION ?? 'stable'), late]);
} catch (error) {
  console.error(`A desktop VS Code could not be downloaded here (${error.message}); "npm run test:host" runs the same tests without one.`);
  process.exit(1);
}

for (const flags of [['--production'], ['--tests']]) {
  const done = await runNode(['esbuild.mjs', ...flags], { timeoutMs: 120_000 });
  if (done.status === 0) continue;
  console.error(done.output);
  process.exit(1);
}

const scratch = mkdtempSync(join(tmpdir(), 'context-inspector-desktop-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const result = join(scratch, 'result.json');
const folder = join(scratch, 'workspace');
mkdirSync(folder);
for (const source of ['media/sample', 'test/fixtures']) {
  if (existsSync(join(ROOT, source))) cpSync(join(ROOT, source), join(folder, source.replace(/.*\//, '')), { recursive: true });
}
const development = [ROOT, join(ROOT, 'test/host/fake-lm')].filter((path) => existsSync(join(path, 'package.json')));

let problem;
try {
  await runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: development,
    extensionTestsPath: join(ROOT, 'out/host/index.js'),
    extensionTestsEnv: { HOST_RESULT: result, HOME: scratch, USERPROFILE: scratch },
    launchArgs: [folder, '--disable-extensions', '--disable-workspace-trust', '--user-data-dir', join(scratch, 'user')],
  });
} catch (error) {
  problem = error;
}
if (!existsSync(result)) {
  console.error(`VS Code never ran the tests: ${problem?.message ?? 'it gave no result'}`);
  console.log('0 passed, 1 failed');
  process.exit(1);
}
const { res } = JSON.parse(readFileSync(result, 'utf8'));
for (const { title, ok, skipped, err } of res) if (!ok && !skipped) console.log(`FAIL ${title}\n${err ?? ''}`);
const skipped = res.filter((test) => test.skipped).length;
const failed = res.filter((test) => !test.ok && !test.skipped).length;
console.log(totalLine({ passed: res.length - failed - skipped, failed, skipped }));
process.exit(failed > 0 || problem !== undefined ? 1 : 0);
