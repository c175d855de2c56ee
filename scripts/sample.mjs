// Makes the bundled sample session (media/sample): node scripts/sample.mjs. The same file comes out on every machine; `--check` only says
// whether the one in the repository is what this makes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { get_encoding } from 'tiktoken';
import { createProject } from './sample/project.mjs';
import { createRandom } from './sample/random.mjs';
import { createSession } from './sample/session.mjs';
import { tellStory } from './sample/story.mjs';
import { createTools } from './sample/tools.mjs';
import { ROOT } from './vscode-host.mjs';

const FILE = join(ROOT, 'media/sample/fix-token-counter-drift.jsonl');

const random = createRandom(20_261_124);
const encoding = get_encoding('o200k_base');
const countTokens = (text) => encoding.encode_ordinary(text).length;
const session = createSession({ random, countTokens, startMs: Date.UTC(2026, 10, 24, 9, 12, 41) });
tellStory(session, createTools(createProject(random), random));
const text = session.lines.map((line) => `${line}\n`).join('');

if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text) {
    console.error('The sample is not what scripts/sample.mjs makes: run it and commit the result.');
    process.exit(1);
  }
} else {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, text);
  console.log(
    `${FILE}: ${session.lines.length} records, ${(text.length / 1024).toFixed(0)} KB, ${session.promptTokens()} tokens at the end`,
  );
}
