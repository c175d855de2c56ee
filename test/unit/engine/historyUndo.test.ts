// Undo removes a copy and its note, and nothing else, whatever the disk and other programs do.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOfflineSummarizer } from '../../../src/core/compaction/offline/offlineSummarizer';
import { ReadError } from '../../../src/core/errors/readError';
import type { FileSystem } from '../../../src/core/ports/fileSystem';
import { historyOf, type HistoryEntry } from '../../../src/node/engine/historyFiles';
import { copyState } from '../../../src/node/engine/historyStates';
import { undoCompaction } from '../../../src/node/engine/historyUndo';
import { OpenSession } from '../../../src/node/engine/openSession';
import type { FileIo } from '../../../src/node/fs/fileIo';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import { addedTo, compactIn, openWritable, type Opened } from '../../support/compactInMemory';
import { faultyIo, type FaultKind } from '../../support/faultyFileSystem';
import { inFolder, sha256 } from '../../support/folders';
import { writeLongSession } from '../../support/longSession';
import type { MemoryDisk } from '../../support/memoryFileSystem';
import { WRITABLE_SESSIONS } from '../../support/writableSessions';

const KINDS: readonly FaultKind[] = ['crash', 'crashAfter', 'EIO', 'EACCES', 'EPERM'];

function portOn(io: FileIo): FileSystem {
  return { ...createNodeFileSystem(io), join: (directory, name) => `${directory}/${name}`, pause: () => Promise.resolve() };
}

describe('undo under faults', function () {
  this.timeout(120_000);
  const [session] = WRITABLE_SESSIONS;
  assert.ok(session);
  let opened: Opened;

  before(async () => {
    opened = await openWritable(session);
  });

  async function compacted(): Promise<{ readonly disk: MemoryDisk; readonly entry: HistoryEntry }> {
    const { disk, error } = await compactIn(opened);
    assert.equal(error, undefined);
    const [entry] = await historyOf(portOn(disk.io), session?.path ?? '');
    assert.ok(entry);
    return { disk, entry };
  }

  for (const kind of KINDS) {
    it(`the copy is whole or gone and never without its note when the n-th call fails with ${kind}, for every n`, async () => {
      let failures = 0;
      let isDone = false;
      for (let n = 1; !isDone; n++) {
        const { disk, entry } = await compacted();
        const whole = disk.bytes(entry.copyPath);
        let struck = false;
        const { io } = faultyIo(disk.io, (_call, number) => {
          struck ||= number === n;
          return number === n ? kind : undefined;
        });
        const failed = await undoCompaction(portOn(io), entry).then(
          () => false,
          () => true,
        );
        if (failed) failures++;
        for (const [path, bytes] of session.files) assert.deepEqual(disk.bytes(path), bytes, `${path} is as it was`);
        const { copies, notes, scratch } = addedTo(disk, session);
        assert.deepEqual(scratch, []);
        if (copies.length > 0) {
          assert.deepEqual(disk.bytes(entry.copyPath), whole);
          assert.equal(notes.length, 1, `call ${n}: a copy that stays has its note`);
        }
        // What is left can be undone once the disk works again.
        if (notes.length > 0) await undoCompaction(portOn(disk.io), entry);
        assert.deepEqual(addedTo(disk, session), { copies: [], notes: [], scratch: [] });
        isDone = !struck;
        assert.ok(n < 200, 'ends');
      }
      assert.ok(failures > 3, `${failures} faults were felt`);
    });
  }
});

describe('undo', function () {
  this.timeout(60_000);
  const fs = createNodeFileSystem();

  async function compactedIn(folder: string): Promise<{ readonly source: string; readonly entry: HistoryEntry }> {
    const source = join(folder, 'session.jsonl');
    writeLongSession(source);
    const open = await OpenSession.open(source, { options: { tokenizer: 'chars' }, watch: false, pollMs: 0 });
    try {
      const plan = open.plans.plan({ kind: 'full', keepMessages: 4 });
      assert.equal(plan.outcome, 'plan');
      await open.plans.run(plan, createOfflineSummarizer(), { instructions: '', onProgress: () => undefined });
    } finally {
      open.dispose();
    }
    const [entry] = await historyOf(fs, source);
    assert.ok(entry);
    return { source, entry };
  }

  it('follows no link in the place of the copy', () =>
    inFolder(async (folder) => {
      const { source, entry } = await compactedIn(folder);
      renameSync(entry.copyPath, join(folder, 'moved.jsonl'));
      symlinkSync(source, entry.copyPath);
      await assert.rejects(undoCompaction(fs, entry), (error) => error instanceof ReadError);
      assert.ok(existsSync(source) && existsSync(entry.copyPath) && existsSync(entry.path));
    }));

  it('removes a changed copy only in the state that was named', () =>
    inFolder(async (folder) => {
      const { source, entry } = await compactedIn(folder);
      const original = sha256(source);
      appendFileSync(entry.copyPath, 'first\n');
      const seen = await undoCompaction(fs, entry);
      assert.equal(seen.outcome, 'changed');
      // The agent writes once more while the user thinks.
      appendFileSync(entry.copyPath, 'second\n');
      const again = await undoCompaction(fs, entry, seen.sha256);
      assert.equal(again.outcome, 'changed');
      assert.match(readFileSync(entry.copyPath, 'utf8'), /second\n$/);
      assert.deepEqual(await undoCompaction(fs, entry, again.sha256), { outcome: 'removed' });
      assert.ok(!existsSync(entry.copyPath) && !existsSync(entry.path));
      assert.equal(sha256(source), original);
    }));

  it('knows a copy by its bytes and not by its size and time', () =>
    inFolder(async (folder) => {
      const { entry } = await compactedIn(folder);
      const text = readFileSync(entry.copyPath, 'utf8');
      assert.equal((await copyState(fs, entry)).state, 'present');
      writeFileSync(entry.copyPath, text.replace('"type":"user"', '"type":"USER"'));
      assert.equal((await copyState(fs, entry)).state, 'changed');
    }));
});
