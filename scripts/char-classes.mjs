// Makes src/core/tokens/bpe/classRuns.ts: node scripts/char-classes.mjs. `--check` only says whether the file is what this makes.
//
// The official tokenizer's pattern library has a Unicode version of its own (16.0 in tiktoken 1.0.22), and an encoding's counts hang on it. So
// it is asked itself, for each code point: which tokens come out tells letters, marks, numbers and white space apart. Case does not show in
// tokens; it comes from this Node's own tables, and CASE_LATER names what changed there since.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { get_encoding } from 'tiktoken';
import { ROOT } from './vscode-host.mjs';

const FILE = join(ROOT, 'src/core/tokens/bpe/classRuns.ts');
/** U+0295 was a lower-case letter until Unicode 17.0 made it one without case. */
const CASE_LATER = new Map([[0x295, 'L']]);
const LINE = 110;

const o200k = get_encoding('o200k_base');
const cl100k = get_encoding('cl100k_base');
const [short] = o200k.encode_ordinary("'s");
const [shortOld] = cl100k.encode_ordinary("'s");
const [thirtyFour] = cl100k.encode_ordinary('34');
const [space] = o200k.encode_ordinary(' ');

function classOf(codePoint) {
  if (codePoint === 10 || codePoint === 13) return 'R';
  if (codePoint === 32) return 'S';
  if (codePoint >= 0xd800 && codePoint < 0xe000) return 'O';
  const char = String.fromCodePoint(codePoint);
  // In cl100k_base "'s" is a piece of its own unless the apostrophe went to a run of punctuation, which marks belong to there.
  if (cl100k.encode_ordinary(`${char}'s`).at(-1) !== shortOld) {
    // In o200k_base "'s" ends a word, and marks belong to words.
    return o200k.encode_ordinary(`${char}'s`).at(-1) === short ? 'M' : 'O';
  }
  // Numbers are cut after three, so one more in front moves the cut.
  if (cl100k.encode_ordinary(`${char}1234`).at(-1) === thirtyFour) return 'N';
  // The last white space before anything else is a piece of its own.
  if (o200k.encode_ordinary(`  ${char}`)[0] !== space) return 'S';
  return CASE_LATER.get(codePoint) ?? caseOf(char);
}

function caseOf(char) {
  if (/[\p{Lu}\p{Lt}]/u.test(char)) return 'U';
  return /\p{Ll}/u.test(char) ? 'L' : 'X';
}

function runs() {
  let text = '';
  let current = classOf(0);
  let length = 1;
  const close = () => (text += length === 1 ? current : `${current}${length.toString(36)}`);
  for (let codePoint = 1; codePoint < 0x110000; codePoint++) {
    const next = classOf(codePoint);
    if (next === current) length += 1;
    else {
      close();
      current = next;
      length = 1;
    }
  }
  close();
  return text;
}

const lines = runs().match(new RegExp(`.{1,${LINE}}`, 'g'));
const source = `// Made by scripts/char-classes.mjs.

/**
 * Classes of all code points, in order: a letter for the class, then how many code points of it in base 36 (nothing for one). O other,
 * S white space, R carriage return and line feed, N number, U upper or title case, L lower case, X other letter, M mark. Unicode 16.0.
 */
export const CLASS_RUNS = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('');
`;
const text = await format(source, { ...(await resolveConfig(FILE)), filepath: FILE });
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('classRuns.ts is not what scripts/char-classes.mjs makes: run it and commit the result.');
  process.exitCode = 1;
}
