// npm run bench -- [NAME…] [--json] [OPTIONS]: the benchmarks of test/bench, each in a process of its own, side by side with its peers.
// Options behind the names go to the benchmarks. Exit status 1 when a limit does not hold.
import { build } from 'esbuild';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildRanks } from './build-ranks.mjs';
import { run } from './run.mjs';
import { ROOT } from './vscode-host.mjs';

const all = readdirSync(join(ROOT, 'test/bench')).flatMap((file) => /^(.*)\.bench\.ts$/.exec(file)?.[1] ?? []);
const argv = process.argv.slice(2);
const firstOption = argv.findIndex((argument) => argument.startsWith('--'));
const names = firstOption < 0 ? argv : argv.slice(0, firstOption);
const options = firstOption < 0 ? [] : argv.slice(firstOption);
for (const name of names) {
  if (all.includes(name)) continue;
  console.error(`There is no benchmark "${name}". Benchmarks: ${all.join(', ')}.`);
  process.exit(2);
}
const wanted = names.length === 0 ? all : names;
await buildRanks();
await build({
  absWorkingDir: ROOT,
  entryPoints: [...wanted.map((name) => `test/bench/${name}.bench.ts`), 'test/support/runBench.ts'],
  outdir: 'out/bench',
  outbase: 'test',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
});
for (const name of wanted) {
  const file = join(ROOT, 'out/bench/bench', `${name}.bench.mjs`);
  const args = ['--expose-gc', join(ROOT, 'out/bench/support/runBench.mjs'), name, file, ...options];
  const { status } = await run(process.execPath, args, { timeoutMs: 20 * 60_000, live: true });
  if (status !== 0) process.exitCode = 1;
}
