// One mocha suite over compiled test files: node scripts/mocha-suite.mjs NAME FILE… Prints a dot report, what failed, and the suite's count.
// $TEST_GREP runs the tests whose full title holds that text. A suite that ran nothing has failed.
import Mocha from 'mocha';
import { resolve } from 'node:path';
import { totalLine } from './totals.mjs';
import { endOnSignals } from './vscode-host.mjs';

/** How long an ended suite may take to let go of what it holds. */
const LET_GO_MS = 10_000;

endOnSignals();
const [name, ...files] = process.argv.slice(2);
const reporter = process.env.TEST_REPORTER ?? (name === 'e2e' || name === 'page' ? 'spec' : 'dot');
const mocha = new Mocha({ ui: 'bdd', reporter, timeout: 10_000, slow: 2_000, failZero: true, color: process.stdout.isTTY === true });
if (process.env.TEST_GREP) mocha.fgrep(process.env.TEST_GREP);
for (const file of files) mocha.addFile(resolve(file));
await mocha.loadFilesAsync();

const runner = mocha.run((failures) => {
  const { passes, pending } = runner.stats;
  if (pending > 0) console.log(skippedTitles(runner.suite).join('\n'));
  if (passes + failures === 0) console.log('No test ran.');
  console.log(`${name}: ${totalLine({ passed: passes, failed: failures, skipped: pending })}`);
  process.exitCode = failures > 0 || passes === 0 ? 1 : 0;
  setTimeout(() => {
    console.log(`The suite left something running: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, LET_GO_MS).unref();
});

function skippedTitles(suite) {
  const own = suite.tests.filter((test) => test.isPending()).map((test) => `  skipped: ${test.fullTitle()}`);
  return [...own, ...suite.suites.flatMap(skippedTitles)];
}
