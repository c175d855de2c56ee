// Builds everything: the extension's entry (one CommonJS file), the Node side (engine worker and command line, split so that the
// tokenizer's tables and the openai package are separate files loaded on demand), the page, and the tests.
import { build, context } from 'esbuild';
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeCatalogue } from './scripts/build-catalogue.mjs';
import { buildRanks, RANKS } from './scripts/build-ranks.mjs';

const argv = new Set(process.argv.slice(2));
const production = argv.has('--production');
const watch = argv.has('--watch');
const KB = 1024;
/** Largest sizes that may ship, in bytes (docs/architecture.md, "Sizes"). */
const BUDGET = { 'dist/extension.js': 400 * KB, 'dist/webview/main.js': 350 * KB };

const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'warning',
  metafile: true,
  legalComments: 'none',
};

const problemMatcher = {
  name: 'problem-matcher',
  setup(b) {
    if (!watch) return;
    b.onStart(() => void console.log('[watch] build started'));
    b.onEnd(() => void console.log('[watch] build finished'));
  },
};

function testFiles(folder, wanted = /\.test\.tsx?$/) {
  const out = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) out.push(...testFiles(path, wanted));
    else if (wanted.test(entry.name)) out.push(path);
  }
  return out;
}

/** Keeps `require` and `__dirname` working in bundled CommonJS packages inside an ES module. */
const esmBanner = {
  js: [
    "import { createRequire as __cr } from 'node:module';",
    "import { fileURLToPath as __fp } from 'node:url';",
    "const require = __cr(import.meta.url), __dirname = __fp(new URL('.', import.meta.url));",
  ].join(' '),
};
const node = { ...common, platform: 'node', target: 'node20' };

const targets = [
  { ...node, entryPoints: ['src/extension/extension.ts'], outfile: 'dist/extension.js', format: 'cjs', external: ['vscode'] },
  {
    ...node,
    entryPoints: { cli: 'src/cli/main.ts', engine: 'src/node/engine/worker.ts' },
    outdir: 'dist/node',
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    splitting: true,
    // The package's other entry asks for its files in a way that no bundler can follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    banner: esmBanner,
  },
  { ...node, entryPoints: ['src/cli/bin.ts'], outfile: 'dist/cli.js', format: 'cjs', external: ['./node/*'] },
  {
    ...common,
    platform: 'browser',
    target: 'chrome128',
    entryPoints: { main: 'webview-ui/main.tsx' },
    outdir: 'dist/webview',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  },
];

const testTargets = [
  {
    ...node,
    minify: false,
    sourcemap: 'linked',
    entryPoints: [...testFiles('test').filter((f) => !f.startsWith('test/host/')), ...testFiles('test/support', /^run.*\.ts$/)],
    outdir: 'out/test',
    outbase: 'test',
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    splitting: true,
    packages: 'external',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  },
  {
    ...node,
    minify: false,
    entryPoints: ['test/host/index.ts'],
    outfile: 'out/host/index.js',
    format: 'cjs',
    external: ['vscode', 'mocha'],
  },
];

async function run() {
  writeCatalogue();
  await buildRanks();
  const wanted = argv.has('--tests') ? testTargets : argv.has('--all') || watch ? [...targets, ...testTargets] : targets;
  const configs = wanted.map((t) => ({ ...t, plugins: [problemMatcher] }));
  if (watch) {
    for (const c of configs) await (await context(c)).watch();
    cpSync(RANKS, 'dist/node/ranks', { recursive: true });
    return;
  }
  if (!argv.has('--tests')) {
    rmSync('dist/node', { recursive: true, force: true });
    rmSync('dist/webview', { recursive: true, force: true });
  }
  if (argv.has('--tests') || argv.has('--all')) rmSync('out/test', { recursive: true, force: true });
  await Promise.all(configs.map((c) => build(c)));
  if (!argv.has('--tests')) {
    cpSync('media/sample', 'dist/sample', { recursive: true });
    cpSync(RANKS, 'dist/node/ranks', { recursive: true });
    // SQLite itself, which src/node/sources/sqlite loads when the first database is opened.
    cpSync('node_modules/sql.js/dist/sql-wasm.wasm', 'dist/node/sql-wasm.wasm');
  }
  if (!production) return;
  for (const [file, limit] of Object.entries(BUDGET)) {
    const { size } = statSync(file);
    console.log(`${relative('.', file)} ${(size / KB).toFixed(1)} KB of ${limit / KB} KB`);
    if (size > limit) process.exitCode = 1;
  }
}

await run();
