// npm run replay -- DIR [--json]: replays the sessions below DIR request by request; see test/support/runReplay.ts.
import { runCheck } from './check-runner.mjs';

await runCheck('runReplay');
