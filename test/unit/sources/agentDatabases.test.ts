// Databases that real agents wrote, read in place from the collection beside the checkout.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Transcript } from '../../../src/core/model/transcript';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { contextUsage } from '../../../src/core/window/contextUsage';
import { openTranscript } from '../../../src/node/sources/transcriptFiles';
import { sha256, TRANSCRIPTS, NO_TRANSCRIPTS } from '../../support/folders';

const OPENCODE = join(process.cwd(), '..', 'shared', 'agents', 'opencode-1.18.33');
const hasOpencode = existsSync(OPENCODE);

async function read(path: string): Promise<Transcript> {
  const file = await openTranscript(path, { watch: false, pollMs: 0 });
  file.dispose();
  return file.transcript;
}

function reported(transcript: Transcript): number | undefined {
  return contextUsage(
    transcript,
    transcript.messages.map(() => 0),
  ).reportedTokens;
}

describe(`an opencode database${hasOpencode ? '' : ' (skipped: ../shared/agents is missing)'}`, () => {
  if (!hasOpencode) return;

  it('gives the same session as the export of it', async function () {
    this.timeout(30_000);
    const exported = readTranscript(readFileSync(join(OPENCODE, 'export-after.json')));
    const stored = await read(`${join(OPENCODE, 'opencode.db')}#${exported.sessionId ?? ''}`);
    assert.deepEqual(stored.messages, exported.messages);
    assert.deepEqual([stored.context, stored.boundaries, stored.totals], [exported.context, exported.boundaries, exported.totals]);
    assert.equal(stored.boundaries.length > 0, true);
  });
});

describe(`docker agent's databases${NO_TRANSCRIPTS}`, () => {
  if (TRANSCRIPTS === undefined) return;
  const folder = join(TRANSCRIPTS, 'docker-agent');

  it('the context is what the session row states: the prompt of its latest request', async function () {
    this.timeout(30_000);
    const path = join(folder, 'session.db');
    const before = [sha256(path), ...readdirSync(folder)];
    const transcript = await read(path);
    assert.equal(reported(transcript), 72_007);
    assert.deepEqual([transcript.messages.length, transcript.totals.responses], [39, 18]);
    assert.deepEqual([sha256(path), ...readdirSync(folder)], before);
  });

  for (const name of ['desktop.db', 'one-session.db']) {
    it(`${name} holds no session and is no error`, async () => {
      const { format, messages, diagnostics } = await read(join(folder, name));
      assert.deepEqual([format, messages.length, diagnostics.map(({ code }) => code)], ['docker-agent', 0, ['no_messages']]);
    });
  }
});
