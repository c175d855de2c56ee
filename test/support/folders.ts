import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The collection of real transcripts beside the checkout; undefined where it is missing. Nothing of it is copied into the project. */
export const TRANSCRIPTS = existing(join(process.cwd(), '..', 'shared', 'transcripts'));

/** Sessions that real agents made on our own text. */
export const AGENT_FIXTURES = join(process.cwd(), 'test', 'fixtures', 'agents');

/** Ending of a suite's title that says why it has nothing to run on. */
export const NO_TRANSCRIPTS = TRANSCRIPTS === undefined ? ' (skipped: the folder ../shared/transcripts is missing)' : '';

function existing(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}

/** All files below a folder whose name ends as given, sorted. */
export function filesBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && statSync(join(folder, name)).isFile())
    .map((name) => join(folder, name))
    .sort();
}

export function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** Runs with a new folder that is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'context-inspector-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
