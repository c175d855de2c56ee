// npm run resume -- AGENT…: real agents go on from our copies, offline; see test/support/runResume.ts.
import { runCheck } from './check-runner.mjs';

await runCheck('runResume');
