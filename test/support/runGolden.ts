// npm run golden -- FILE… [--fn a,b]: runs the measured vectors of files and prints the ones that do not match, and where.
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { checkAsyncVector } from '../golden/checkAsyncVector';
import { GOLDEN_FUNCTIONS } from '../golden/functions';
import { readDifferences, readVectors } from '../golden/readGolden';

const DIFFERENCES = 'differences.json';

const { values, positionals } = parseArgs({ options: { fn: { type: 'string' } }, allowPositionals: true });
const files = positionals.filter((path) => basename(path) !== DIFFERENCES);
if (files.length === 0) {
  console.error('Usage: npm run golden -- FILE… [--fn a,b]');
  process.exit(2);
}

const vectors = files.flatMap((path) => readVectors(path));
const differences = readDifferences(`test/golden/${DIFFERENCES}`);
const wanted = values.fn === undefined ? undefined : namesOf(values.fn);
const present = new Set(vectors.map(({ fn }) => fn));
let failed = 0;
for (const name of wanted ?? []) {
  if (Object.hasOwn(GOLDEN_FUNCTIONS, name) && present.has(name)) continue;
  failed++;
  console.log(present.has(name) ? `There is no function ${name} yet.` : `No vector is for a function ${name}.`);
}

let passed = 0;
let skipped = 0;
let unknown = 0;
for (const vector of vectors) {
  if (wanted !== undefined && !wanted.has(vector.fn)) {
    skipped++;
    continue;
  }
  const run = Object.hasOwn(GOLDEN_FUNCTIONS, vector.fn) ? GOLDEN_FUNCTIONS[vector.fn] : undefined;
  if (run === undefined) {
    if (wanted === undefined) skipped++;
    unknown++;
    continue;
  }
  const failure = await checkAsyncVector(
    vector,
    run,
    differences.filter(({ name }) => name === vector.name),
  );
  if (failure === undefined) passed++;
  else {
    failed++;
    console.log(`${vector.name} (${vector.fn}): ${failure}`);
  }
}

if (unknown > 0) console.log(`${unknown} vectors have no function yet.`);
if (passed + failed === 0) console.log('No vector ran.');
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** Names are told apart by the known ones first, since some hold a comma themselves. */
function namesOf(list: string): ReadonlySet<string> {
  const names = new Set<string>();
  let rest = list;
  const known = [...new Set([...Object.keys(GOLDEN_FUNCTIONS), ...vectors.map(({ fn }) => fn)])].sort((a, b) => b.length - a.length);
  while (rest !== '') {
    const name = known.find((one) => rest === one || rest.startsWith(`${one},`)) ?? rest.split(',')[0] ?? rest;
    if (name !== '') names.add(name);
    rest = rest.slice(name.length + 1);
  }
  return names;
}
