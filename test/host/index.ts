// What VS Code's extension host calls in a test run. All suites are named here; the outcome goes to $HOST_RESULT as
// { failures, res: [{ title, ok, skipped?, ms?, err? }] }.
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { activationSuite } from './activation.host';
import { automaticSuite } from './automatic.host';
import { consentSuite } from './consent.host';
import { editorSuite } from './editor.host';
import { historySuite } from './history.host';
import { largeSessionSuite } from './largeSession.host';
import { panelSuite } from './panel.host';
import { sessionsSuite } from './sessions.host';
import { textSuite } from './text.host';

const SUITES = [
  activationSuite,
  editorSuite,
  sessionsSuite,
  panelSuite,
  textSuite,
  consentSuite,
  historySuite,
  automaticSuite,
  largeSessionSuite,
];
const LIMIT_MS = 30_000;

interface TestOutcome {
  readonly title: string;
  readonly ok: boolean;
  readonly skipped?: true;
  readonly ms?: number | undefined;
  readonly err?: string;
}

/** Runs all suites; rejects when a test failed. */
export async function run(): Promise<void> {
  const grep = process.env['HOST_GREP'];
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: LIMIT_MS, reporter: 'min', ...(grep === undefined ? {} : { grep }) });
  // Mocha gives `describe` and `it` to files that it loads itself; ours are in this bundle.
  mocha.suite.emit('pre-require', globalThis, 'test/host/index.ts', mocha);
  for (const suite of SUITES) suite();
  const res: TestOutcome[] = [];
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => {
      res.push({ title: test.fullTitle(), ok: true, ms: test.duration });
      console.log(`ok   ${test.fullTitle()}`);
    });
    runner.on('fail', (test, error: unknown) => {
      const err = error instanceof Error ? (error.stack ?? error.message) : String(error);
      res.push({ title: test.fullTitle(), ok: false, err });
      console.log(`FAIL ${test.fullTitle()}: ${err}`);
    });
    runner.on('pending', (test) => {
      res.push({ title: test.fullTitle(), ok: true, skipped: true });
      console.log(`skip ${test.fullTitle()}`);
    });
  });
  const file = process.env['HOST_RESULT'];
  if (file !== undefined) writeFileSync(file, JSON.stringify({ failures, res }, null, 1));
  if (failures > 0) throw new Error(`${failures} of the in-host tests failed.`);
}
