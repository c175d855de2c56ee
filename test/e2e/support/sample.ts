// The bundled sample, whole or as it was when its context held less.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/vscode-host.mjs';

export const SAMPLE = join(ROOT, 'media/sample/fix-token-counter-drift.jsonl');
export const SAMPLE_TITLE = 'Fix token counter drift';
export const SAMPLE_ID = '7f3a2c9e-5b1d-4e60-9c84-2d6f0a1b8e57';

/** Writes the sample up to the last answer that ended a turn below `tokens`, after its last compaction. */
export function writeSampleBelow(tokens: number, path: string): void {
  const lines = readFileSync(SAMPLE, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const start = lines.findLastIndex((line) => line.includes('"compact_boundary"'));
  let end = start;
  for (let at = start; at < lines.length; at++) {
    const used = usedAt(lines[at] ?? '');
    if (used !== undefined && used < tokens) end = at;
  }
  writeFileSync(
    path,
    lines
      .slice(0, end + 1)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

/** Prompt and output of an answer that ended a turn. */
function usedAt(line: string): number | undefined {
  if (!line.includes('"stop_reason":"end_turn"')) return undefined;
  const numbers = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'];
  return numbers.reduce((sum, name) => sum + Number(new RegExp(`"${name}":(\\d+)`).exec(line)?.[1] ?? 0), 0);
}
