// The built command line, asked for the numbers of this moment.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/vscode-host.mjs';
import type { InspectReport } from '../../../src/core/view/inspectReport';

/** `inspect FILE --messages --json`. */
export function inspect(path: string): InspectReport {
  const output = execFileSync(process.execPath, [join(ROOT, 'dist/cli.js'), 'inspect', path, '--messages', '--json'], {
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 256 * 1024 * 1024,
  });
  const report: unknown = JSON.parse(output);
  if (typeof report !== 'object' || report === null || !('schema' in report) || report.schema !== 'context-inspector/inspect/v1') {
    throw new Error('The command line answered with something else than a report.');
  }
  return report as InspectReport;
}
