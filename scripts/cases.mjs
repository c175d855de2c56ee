// npm run cases -- DIR [--component a,b]: the cases of ../shared/cases or of any folder in their form; see test/support/runCases.ts.
import { runCheck } from './check-runner.mjs';

await runCheck('runCases');
