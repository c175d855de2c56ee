// Which format reads which file of the shared collections. A format that is still to come may be missing, but none may take another's files.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { FormatId } from '../../../src/core/model/transcript';
import { FORMATS } from '../../../src/core/transcript/formats';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { headFacts } from '../../../src/core/transcript/recognise';
import { filesBelow, NO_TRANSCRIPTS, TRANSCRIPTS } from '../../support/folders';

/** Folders of the collections whose name is not the format's id. */
const FOLDERS = new Map<string, FormatId>([
  ['claude', 'claude-code'],
  ['claude-code-2.1.197', 'claude-code'],
  ['claude-code-2.1.332', 'claude-code'],
  ['codex-0.171.0', 'codex'],
  ['gemini-cli-0.61.0', 'gemini'],
  ['opencode-1.18.33', 'opencode'],
  ['pi-0.73.1', 'pi'],
  ['qwen-code-0.15.10', 'qwen'],
]);
/** Sessions of these are read from the host's readers of folders, databases and text, not from bytes alone. */
const BY_THE_HOST = new Set(['docker-agent', 'opencode', 'cline', 'aider']);
/** Longest piece of a file that tells its format. */
const HEAD_BYTES = 64 * 1024;

const AGENTS = join(process.cwd(), '..', 'shared', 'agents');
const known = new Map<string, FormatId>(FORMATS.map(({ id }) => [id, id]));

describe(`formats of the collections${NO_TRANSCRIPTS}`, () => {
  for (const root of [TRANSCRIPTS, AGENTS]) {
    if (root === undefined || !existsSync(root)) continue;
    for (const path of filesBelow(root, '')) {
      const file = relative(root, path);
      const folder = file.split(/[\\/]/u)[0] ?? '';
      if (folder === file) continue;
      const expected = FOLDERS.get(folder) ?? folder;
      it(`${file}: ${expected}`, () => {
        const bytes = new Uint8Array(readFileSync(path));
        const found = formatOf(bytes);
        if (BY_THE_HOST.has(expected) || !known.has(expected)) {
          const isTaken = found !== undefined && found !== expected && found !== 'anthropic-messages';
          assert.equal(isTaken, false, `it is taken for ${String(found)}`);
        } else {
          assert.equal(found, expected);
          const head = headFacts(bytes.subarray(0, HEAD_BYTES)).format;
          assert.ok(head === undefined || head === expected, `its head is taken for ${String(head)}`);
        }
      });
    }
  }
});

function formatOf(bytes: Uint8Array): FormatId | undefined {
  try {
    return readTranscript(bytes).format;
  } catch {
    return undefined;
  }
}
