// npm run fidelity -- DIR: what offline summaries of the sessions below DIR still state; see test/support/runFidelity.ts.
import { runCheck } from './check-runner.mjs';

await runCheck('runFidelity');
