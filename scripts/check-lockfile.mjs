// The lockfile and the tracked files must work on every machine: no registry is named, so that npm uses the one that is configured where it
// runs, and no path of the machine that wrote a file is in it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './vscode-host.mjs';

const problems = [];

const lockfile = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
for (const [index, line] of lockfile.split('\n').entries()) {
  if (/"resolved":\s*"(https?|git|ssh):/.test(line))
    problems.push(`package-lock.json:${index + 1}: names where a package was fetched from.`);
}
const { packages } = JSON.parse(lockfile);
for (const [path, entry] of Object.entries(packages)) {
  if (path === '' || entry.link || entry.integrity) continue;
  problems.push(`package-lock.json: ${path} has no integrity.`);
}
const settings = readFileSync(join(ROOT, '.npmrc'), 'utf8').split('\n');
if (!settings.includes('omit-lockfile-registry-resolved=true')) problems.push('.npmrc: omit-lockfile-registry-resolved=true is missing.');
if (settings.some((line) => /registry\s*=/.test(line) && !line.startsWith('omit-'))) problems.push('.npmrc: names a registry.');

// Put together from parts, so that this file does not find itself. A name before the slash makes it a path of something else. Made-up
// transcripts of tests may hold a made-up home.
const machinePath = (...folders) => new RegExp(`(?<![\\w.~-])/(?:${folders.join('|')})/`, 'i');
const ANYWHERE = machinePath('root', 'work');
const OUTSIDE_OF_TESTS = machinePath('root', 'work', 'home/[a-z]+', 'Users/[a-z]+');
for (const path of trackedFiles()) {
  if (path === 'package-lock.json' || /^test\/(fixtures|cases|golden)\//.test(path) || /\.(png|gif|ico)$/.test(path)) continue;
  const forbidden = path.startsWith('test/') ? ANYWHERE : OUTSIDE_OF_TESTS;
  for (const [index, line] of readFileSync(join(ROOT, path), 'utf8').split('\n').entries()) {
    if (forbidden.test(line)) problems.push(`${path}:${index + 1}: holds a path of one machine: ${line.trim().slice(0, 120)}`);
  }
}

for (const problem of problems) console.error(problem);
console.log(`${problems.length === 0 ? 1 : 0} passed, ${problems.length === 0 ? 0 : 1} failed`);
process.exitCode = problems.length === 0 ? 0 : 1;

function trackedFiles() {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  return listed.split('\0').filter((path) => path !== '');
}
