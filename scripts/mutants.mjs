// npm run mutants [-- --only 3,17]: tries every plausible wrong version of test/mutants on a scratch copy of the checkout, against the tests of
// its component, and prints the ones that no test notices. Type errors, patches that do not apply and tests that do not run are failures of
// their own. Closes with `N passed, N failed`, a line of the list each; passed means that every patch of it was noticed.
import { parseArgs } from 'node:util';
import { componentOf, listProblems, patchedFiles, readComponents, readMutants, sharedNames } from './mutant-list.mjs';
import { createScratch } from './mutant-scratch.mjs';
import { createTypeCheck } from './mutant-types.mjs';
import { totalLine } from './totals.mjs';
import { endOnSignals, ROOT } from './vscode-host.mjs';

const FIRST_LIMIT_MS = 600_000;
/** Time for a run that takes no time without a change, and how much longer than without one it may take. */
const LEAST_LIMIT_MS = 60_000;
const SLOWER = 10;

endOnSignals();
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const only = values.only === undefined ? undefined : new Set(values.only.split(',').map(Number));

const all = readMutants(ROOT);
const components = readComponents(ROOT);
const names = sharedNames(ROOT);
if (names === undefined)
  console.log('The list of wrong versions is not in ../shared, so nothing tells whether a line of it lacks a patch.');
const problems = listProblems(all, components, names);
const mutants = all.filter((mutant) => (only === undefined || only.has(mutant.line)) && Object.hasOwn(components, componentOf(mutant)));

const scratch = createScratch();
const typeError = createTypeCheck(scratch.folder);
const stepsOf = new Map(mutants.map(componentOf).map((name) => [name, scratch.stepsOf(components[name])]));
const limits = new Map();
problems.push(...(await withoutChange()));
if (limits.size > 0) await tryAll();
else finish(0);

/** Runs each group of tests once as the code is: one that is not green then would notice nothing. */
async function withoutChange() {
  const steps = new Map([...stepsOf.values()].flat().map((step) => [step.key, step]));
  try {
    await scratch.build([...steps.values()]);
  } catch (error) {
    return [`Without any change, the tests cannot be built: ${error.message}`];
  }
  const found = [];
  for (const step of steps.values()) {
    const { state, detail, ms } = await scratch.run(step, FIRST_LIMIT_MS);
    if (state !== 'green') found.push(`Without any change, these tests are ${state}: ${step.key} (${detail})`);
    limits.set(step.key, Math.max(LEAST_LIMIT_MS, ms * SLOWER));
  }
  console.log(`Without any change: ${steps.size - found.length} of ${steps.size} groups of tests are green.`);
  if (found.length > 0) limits.clear();
  return found;
}

async function tryAll() {
  let passed = 0;
  for (const mutant of mutants) {
    console.log(`${mutant.line}. ${mutant.name}`);
    let isNoticed = mutant.patches.length > 0;
    for (const patch of mutant.patches) {
      const { verdict, detail } = await tryPatch(patch, stepsOf.get(componentOf(mutant)));
      console.log(`    ${verdict}: ${patch.does} (${detail})`);
      if (verdict === 'noticed') continue;
      isNoticed = false;
      problems.push(`${mutant.line}. ${mutant.name}: ${verdict}: ${patch.does} (${detail})`);
    }
    if (isNoticed) passed += 1;
  }
  finish(passed);
}

/** @returns {Promise<{ verdict: 'noticed' | 'MISSED' | 'BROKEN', detail: string }>} */
async function tryPatch(patch, steps) {
  let files;
  try {
    files = patchedFiles(patch, (file) => scratch.read(file));
  } catch (error) {
    return { verdict: 'BROKEN', detail: error.message };
  }
  const wrong = typeError(files);
  if (wrong !== undefined) return { verdict: 'BROKEN', detail: `it does not compile: ${wrong}` };
  const restore = scratch.replace(files);
  try {
    await scratch.build(steps);
  } catch (error) {
    restore();
    return { verdict: 'BROKEN', detail: `it cannot be built: ${error.message}` };
  }
  try {
    for (const step of steps) {
      const { state, detail } = await scratch.run(step, limits.get(step.key));
      if (state === 'broken') return { verdict: 'BROKEN', detail: `${step.kind} did not run to its end: ${detail}` };
      if (state !== 'green') return { verdict: 'noticed', detail: `${step.kind}: ${detail}` };
    }
  } finally {
    restore();
  }
  return { verdict: 'MISSED', detail: 'all tests of the component are green' };
}

function finish(passed) {
  console.log(
    problems.length === 0 ? 'Every wrong version is noticed.' : `\nWhat is wrong:\n${problems.map((one) => `  ${one}`).join('\n')}`,
  );
  const failed = mutants.length - passed;
  console.log(totalLine({ passed, failed: problems.length > 0 ? Math.max(failed, 1) : failed, skipped: 0 }));
  process.exitCode = problems.length > 0 || passed === 0 ? 1 : 0;
}
