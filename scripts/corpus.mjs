// npm run corpus -- DIR [--seconds N]: inspects every file below a folder; see test/support/runCorpus.ts.
import { runCheck } from './check-runner.mjs';

await runCheck('runCorpus');
