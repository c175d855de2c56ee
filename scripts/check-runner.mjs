// Builds one runner of test/support into out/checks and runs it in this process, always from the present sources.
import { build } from 'esbuild';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildRanks } from './build-ranks.mjs';
import { ROOT } from './vscode-host.mjs';

/** @param {string} name file of test/support without its ending; it reads process.argv and sets process.exitCode */
export async function runCheck(name) {
  const outfile = join(ROOT, 'out/checks', `${name}.mjs`);
  await buildRanks();
  await build({
    absWorkingDir: ROOT,
    entryPoints: [`test/support/${name}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(outfile).href);
}
