// Makes the tokenizer's tables, ENCODING.ranks, out of js-tiktoken's ranks: node scripts/build-ranks.mjs [FOLDER]. The build and the tests call
// it. A table that is newer than all that it is made of stays as it is.
import { build } from 'esbuild';
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENCODINGS = ['o200k_base', 'cl100k_base'];
const PACKING = ['packRanks', 'rankTable', 'textBytes'].map((name) => join(ROOT, `src/core/tokens/bpe/${name}.ts`));

/** Where the tables stand during development; the code finds them in the folder `ranks` above the compiled tests. */
export const RANKS = join(ROOT, 'out/ranks');

/** Makes the tables that are missing or out of date. */
export async function buildRanks(folder = RANKS) {
  mkdirSync(folder, { recursive: true });
  const require = createRequire(import.meta.url);
  for (const encoding of ENCODINGS) {
    const file = join(folder, `${encoding}.ranks`);
    const source = require.resolve(`js-tiktoken/ranks/${encoding}`);
    const made = changed(file);
    if ([source, fileURLToPath(import.meta.url), ...PACKING].every((input) => changed(input) < made)) continue;
    const { packRanks } = await packing();
    const whole = `${file}.${process.pid}`;
    writeFileSync(whole, packRanks(tokensOf(require(source))));
    renameSync(whole, file);
  }
}

/** When a file was changed last; never, if it is missing. */
function changed(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
}

async function packing() {
  const { outputFiles } = await build({ entryPoints: [PACKING[0]], bundle: true, format: 'esm', write: false, logLevel: 'warning' });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** Tokens in the order of their ranks. A line of js-tiktoken's ranks is a mark, the rank of its first token, and tokens in base64. */
function tokensOf({ bpe_ranks: text }) {
  const tokens = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, first, ...encoded] = line.split(' ');
    if (Number(first) !== tokens.length) throw new Error(`The ranks have a gap: ${first} follows on ${tokens.length - 1}.`);
    for (const token of encoded) tokens.push(Buffer.from(token, 'base64'));
  }
  return tokens;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildRanks(process.argv[2]);
