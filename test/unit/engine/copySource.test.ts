import assert from 'node:assert/strict';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanInput } from '../../../src/core/compaction/planInput';
import { partitionFor } from '../../../src/core/compaction/strategies';
import { planOf } from '../../../src/core/compaction/strategies/partition';
import { checkCopy } from '../../../src/core/session/checkCopy';
import { buildCopy } from '../../../src/core/session/copy/copyWriter';
import { copySource } from '../../../src/node/engine/copySource';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import { openTranscript } from '../../../src/node/sources/transcriptFiles';
import { countingIds, NEW_ID, NOW, SUMMARY } from '../session/copy/roundTrip';
import { inFolder } from '../../support/folders';

const FIXTURES = join(process.cwd(), 'test/fixtures');
const AGENTS = join(process.cwd(), '..', 'shared', 'agents');
const fs = createNodeFileSystem();

/** Copies in both directions, read back; answers how many. */
async function copiesOf(path: string): Promise<number> {
  const file = await openTranscript(path, { watch: false, pollMs: 0 });
  try {
    const { transcript } = file;
    const source = await copySource(fs, file);
    const read = await source.read();
    const { messages, context } = transcript;
    const planned: PlanInput = { messages, context, tokens: messages.map(() => 10), unattributedTokens: 0, revision: 1 };
    let copies = 0;
    for (const pivot of context) {
      for (const kind of ['partialUpTo', 'partialFrom'] as const) {
        const partition = partitionFor({ kind, pivotId: messages[pivot]?.id ?? '' }, planned);
        if (partition.outcome === 'refusal') continue;
        const plan = planOf(planned, partition);
        const tokens = { before: 20, after: 10 };
        const input = { transcript, plan, ...read, summary: SUMMARY, newSessionId: NEW_ID, ids: countingIds(), now: NOW, tokens };
        assert.deepEqual(checkCopy(input, buildCopy(input).records).faults, []);
        copies++;
      }
    }
    return copies;
  } finally {
    file.dispose();
  }
}

describe('copies of sessions in databases and folders', () => {
  it('docker agent’s database, log included', async () => {
    assert.ok((await copiesOf(join(FIXTURES, 'docker-agent/ok.db'))) > 3);
  });

  it('opencode’s storage folder', async () => {
    assert.ok((await copiesOf(join(FIXTURES, 'opencode/storage/session/proj1/ses_1.json'))) > 0);
  });

  const database = join(AGENTS, 'opencode-1.18.33/opencode.db');
  it(`opencode’s database${existsSync(database) ? '' : ' (skipped: ../shared is not there)'}`, async function () {
    if (!existsSync(database)) this.skip();
    assert.ok((await copiesOf(database)) > 3);
  });

  it('lies beside a database, and not inside of a storage folder', () =>
    inFolder(async (folder) => {
      cpSync(join(FIXTURES, 'opencode/storage'), join(folder, 'storage'), { recursive: true });
      const path = join(folder, 'storage/session/proj1/ses_1.json');
      const file = await openTranscript(path, { watch: false, pollMs: 0 });
      const source = await copySource(fs, file);
      file.dispose();
      assert.equal(source.directory, folder);
    }));

  it('is refused when the source has changed since it was read, and says so when it changes later', () =>
    inFolder(async (folder) => {
      mkdirSync(folder, { recursive: true });
      for (const name of ['ok.db', 'ok.db-wal']) writeFileSync(join(folder, name), readFileSync(join(FIXTURES, 'docker-agent', name)));
      const file = await openTranscript(join(folder, 'ok.db'), { watch: false, pollMs: 0 });
      const source = await copySource(fs, file);
      const { guard } = source;
      assert.ok('isUnchanged' in guard);
      assert.equal(await guard.isUnchanged(), true);
      appendFileSync(join(folder, 'ok.db-wal'), 'more');
      assert.equal(await guard.isUnchanged(), false);
      await assert.rejects(source.read(), { code: 'staleSource' });
      await assert.rejects(copySource(fs, file), { code: 'staleSource' });
      file.dispose();
    }));
});
