// npm run fuzz -- --runs N --seed S: damaged transcripts through the reader and the planner; see test/support/runFuzz.ts.
import { runCheck } from './check-runner.mjs';

await runCheck('runFuzz');
