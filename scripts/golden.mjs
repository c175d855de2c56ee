// npm run golden -- FILE… [--fn a,b]: the measured vectors of ../shared/spec or of any file in their form; see test/support/runGolden.ts.
import { runCheck } from './check-runner.mjs';

await runCheck('runGolden');
