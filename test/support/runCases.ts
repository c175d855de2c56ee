// npm run cases -- DIR [--component a,b]: runs every case below DIR and prints the ones that fail, and why.
import { parseArgs } from 'node:util';
import { ADAPTERS } from '../cases/adapters';
import type { Case } from '../cases/caseTypes';
import { checkCase } from '../cases/checkCase';
import { caseFiles, readCase } from '../cases/readCases';

const { values, positionals } = parseArgs({ options: { component: { type: 'string' } }, allowPositionals: true });
const [folder, ...others] = positionals;
if (folder === undefined || others.length > 0) {
  console.error('Usage: npm run cases -- DIR [--component a,b]');
  process.exit(2);
}

const wanted = values.component === undefined ? undefined : new Set(values.component.split(',').filter((name) => name !== ''));
const cases: Case[] = [];
let failed = 0;
for (const path of caseFiles(folder)) {
  try {
    cases.push(readCase(path));
  } catch (error) {
    failed++;
    console.log(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
for (const component of wanted ?? []) {
  if (!cases.some((one) => one.component === component)) console.log(`There is no case of the component ${component} here.`);
}

let passed = 0;
let skipped = 0;
const counts = { checked: 0, unchecked: new Map<string, number>() };
for (const one of cases) {
  if (wanted !== undefined && !wanted.has(one.component)) {
    skipped++;
    continue;
  }
  const outcome = await checkCase(one, ADAPTERS);
  counts.checked += outcome.checked.length;
  for (const name of outcome.unchecked) counts.unchecked.set(name, (counts.unchecked.get(name) ?? 0) + 1);
  if (outcome.failure === undefined) passed++;
  else {
    failed++;
    console.log(`${one.id} (${one.component}, ${one.fn}): ${outcome.failure}`);
  }
}

if (passed + failed === 0) console.log('No case ran.');
const unchecked = [...counts.unchecked].map(([name, times]) => `${name} × ${times}`).sort();
console.log(
  `Properties checked on results: ${counts.checked}. Named, without a check here: ${unchecked.length === 0 ? 'none' : unchecked.join(', ')}.`,
);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
