// P44: the memory of reading is bounded by the limit of a line, whatever the lines are like. Each case is read in a process of its own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { DEFAULT_LINE_LIMITS } from '../../src/core/transcript/lineReader';

const BASE_MB = 64;
/** A line of the limit as bytes, as text of two bytes a character, and what the buffers grow by. */
const LINES_AT_ONCE = 8;
const LIMIT_MB = BASE_MB + (LINES_AT_ONCE * DEFAULT_LINE_LIMITS.maxLineBytes) / (1024 * 1024);

describe('reader memory', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'context-inspector-memory-'));
    const entryPoints = [join(process.cwd(), 'test', 'support', 'readBounded.ts')];
    buildSync({ entryPoints, outfile: join(folder, 'read.mjs'), bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const cases: readonly (readonly [string, number, string])[] = [
    ['endlessLine', 1, 'claude-code'],
    ['deepLine', 1, 'codex'],
    ['manyDeepLines', 1, 'claude-code'],
    ['zeroBytes', 1, 'codex'],
    ...['claude-code', 'codex', 'gemini', 'qwen', 'copilot-cli', 'pi', 'openhands'].map((format) => ['manyLongLines', 41, format] as const),
  ];
  for (const [name, messages, format] of cases) {
    it(`P44: ${name} of ${format} takes at most ${LIMIT_MB} MB`, function () {
      this.timeout(120_000);
      const output = execFileSync(process.execPath, [join(folder, 'read.mjs'), name, format], { encoding: 'utf8' });
      const result = JSON.parse(output) as { readonly messages: number; readonly peakMb: number };
      assert.equal(result.messages, messages);
      assert.ok(result.peakMb <= LIMIT_MB, `${result.peakMb} MB`);
      console.log(`      ${result.peakMb} MB`);
    });
  }
});
