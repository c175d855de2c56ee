// npm run package: dist/context-inspector.vsix. Fails on every warning of vsce but the missing repository (none is invented), on files that
// do not belong in it and at 4 MB. `--no-build` packs what is built.
import { statSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bin, runNode } from './run.mjs';
import { ROOT, endOnSignals } from './vscode-host.mjs';

const FILE = 'dist/context-inspector.vsix';
const MB = 1024 * 1024;
const LIMIT = 4 * MB;
const BELONGS =
  /^(package(\.nls(\.[\w-]+)?)?\.json|README\.md|CHANGELOG\.md|LICENSE(\.txt)?|dist\/(extension|cli)\.js|dist\/(node|webview|sample)\/[\w./-]+|media\/[\w./-]+|docs\/images\/[\w.-]+\.png)$/i;
const vsce = bin('@vscode/vsce/vsce');

endOnSignals();
mkdirSync(join(ROOT, 'dist'), { recursive: true });
if (!process.argv.includes('--no-build')) await step(['esbuild.mjs', '--production']);

const listed = await step([vsce, 'ls', '--no-dependencies']);
const strangers = listed.split('\n').filter((path) => path !== '' && (!BELONGS.test(path) || path.endsWith('.map')));
if (strangers.length > 0) stop(`These files do not belong in the package (.vscodeignore):\n${strangers.join('\n')}`);

const packed = await step([vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '-o', FILE]);
const warnings = packed.split('\n').filter((line) => /\bWARN(ING)?\b/i.test(line) && !/'?repository'? field is missing/.test(line));
if (warnings.length > 0) stop(`vsce warns:\n${packed}`);

const { size } = statSync(join(ROOT, FILE));
console.log(`${FILE}: ${(size / MB).toFixed(2)} MB of ${LIMIT / MB} MB`);
if (size >= LIMIT) stop('The package is too large.');

async function step(args) {
  const done = await runNode(args, { timeoutMs: 180_000 });
  if (done.status !== 0) stop(done.output);
  return done.output;
}

function stop(message) {
  console.error(message.trimEnd());
  process.exit(1);
}
