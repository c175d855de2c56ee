// A compaction from the source to the copy, for each kind of session that copies are written of, while the disk fails and the agent goes on.
import assert from 'node:assert/strict';
import { isCompactError } from '../../../src/core/errors/compactError';
import { messageFor } from '../../../src/core/errors/messages';
import { addedTo, assertOldOrNew, compactIn, openWritable, type Opened, type Outcome } from '../../support/compactInMemory';
import { Crash, type FaultKind } from '../../support/faultyFileSystem';
import type { MemoryDisk } from '../../support/memoryFileSystem';
import { WRITABLE_SESSIONS, type Growth, type WritableSession } from '../../support/writableSessions';

const KINDS: readonly FaultKind[] = ['crash', 'crashAfter', 'EIO', 'ENOSPC', 'EACCES', 'EPERM', 'short'];
const UNEXPECTED = messageFor(new Error('none of ours'));

describe('compaction of every kind of session under faults', function () {
  this.timeout(120_000);

  for (const session of WRITABLE_SESSIONS) {
    describe(session.name, () => {
      let opened: Opened;
      let total = 0;

      before(async () => {
        opened = await openWritable(session);
        const outcome = await compactIn(opened);
        assert.equal(outcome.error, undefined);
        assertOldOrNew(opened, outcome, { links: true, isCrash: false }, 'without a fault');
        assert.deepEqual(addedTo(outcome.disk, session).scratch, []);
        assertUntouched(outcome.disk, session);
        total = outcome.calls.length;
      });

      // How a file is published has nothing to do with what is in it.
      for (const links of session === WRITABLE_SESSIONS[0] ? [true, false] : [true]) {
        for (const kind of KINDS) {
          it(`old or new when the n-th call fails with ${kind}, for every n, ${links ? 'with' : 'without'} hard links (P70, P73)`, async () => {
            let failures = 0;
            const most = (await compactIn(opened, { links })).calls.length;
            for (let n = 1; n <= most + 1; n++) {
              const outcome = await compactIn(opened, { links, strike: (number) => (number === n ? kind : undefined) });
              checkFault(opened, outcome, { n, kind, links });
              if (outcome.error !== undefined) failures++;
            }
            if (kind === 'short') assert.equal(failures, 0);
            else assert.ok(failures > 10, `${failures} of ${most} faults were felt`);
          });
        }
      }

      for (const growth of session.growths) {
        it(`nothing lost when ${growth.name} before any of the calls (P71)`, async () => {
          let refused = 0;
          for (let n = 1; n <= total; n++) refused += await checkGrowth(opened, growth, n);
          // The files of a folder can only be looked at one after the other; of one file, or a database, the last call is the last look.
          if (session.name === 'opencode/storage') assert.ok(refused > total * 0.8, `${refused} of ${total} were refused`);
          else assert.equal(refused, total);
        });
      }
    });
  }
});

interface Fault {
  readonly n: number;
  readonly kind: FaultKind;
  readonly links: boolean;
}

function checkFault(opened: Opened, outcome: Outcome, { n, kind, links }: Fault): void {
  const { disk, calls, error } = outcome;
  const struck = calls[n - 1];
  const at = `call ${n} (${struck === undefined ? 'none' : `${struck.call} ${struck.path}`})`;
  const isCrash = kind === 'crash' || kind === 'crashAfter';
  assertUntouched(disk, opened.session);
  assertOldOrNew(opened, outcome, { links, isCrash }, at);
  if (!isCrash && struck?.call !== 'unlink') {
    const { scratch, notes } = addedTo(disk, opened.session);
    assert.deepEqual(scratch, [], `${at}: nothing of ours is left beside it`);
    assert.equal(notes.length, error === undefined ? 1 : 0, `${at}: a copy is noted, and nothing else`);
  }
  if (error === undefined) return;
  if (isCrash) assert.ok(hasCrash(error) || isCompactError(error), `${at}: ${told(error)}`);
  else assert.notEqual(messageFor(error), UNEXPECTED, `${at}: has a sentence, ${told(error)}`);
}

/**
 * Whatever the agent wrote is in its file, and a copy without it was made only where no look at that file came after it. Answers how many runs
 * were refused: 0 or 1.
 */
async function checkGrowth(opened: Opened, growth: Growth, n: number): Promise<number> {
  const { session } = opened;
  let grown: Uint8Array | undefined;
  const outcome = await compactIn(opened, {
    before: (target, number) => {
      if (number !== n) return;
      growth.apply(target);
      grown = target.bytes(growth.path);
    },
  });
  const { disk, calls, error } = outcome;
  const at = `${growth.name} before call ${n} of ${calls.length} (${calls[n - 1]?.call ?? ''} ${calls[n - 1]?.path ?? ''})`;
  assert.ok(grown);
  assert.deepEqual(disk.bytes(growth.path), grown, `${at}: it stays`);
  assertUntouched(disk, session, growth);
  const grownSession = { ...session, files: new Map(session.files).set(growth.path, grown) };
  assertOldOrNew({ ...opened, session: grownSession }, outcome, { links: true, isCrash: false }, at);
  const { scratch, notes } = addedTo(disk, grownSession);
  assert.deepEqual(scratch, [], `${at}: nothing is left beside it`);
  assert.equal(notes.length, error === undefined ? 1 : 0, `${at}: a copy is noted, and nothing else`);
  if (error === undefined) {
    const later = calls.slice(n - 1).filter(({ path }) => path === growth.path || growth.path.startsWith(`${path}/`));
    assert.deepEqual(later, [], `${at}: a look at it would have told`);
    return 0;
  }
  assert.ok(isCompactError(error, 'staleSource'), `${at}: ${told(error)}`);
  return 1;
}

function assertUntouched(disk: MemoryDisk, { files }: WritableSession, growth?: Growth): void {
  for (const [path, bytes] of files) {
    if (path !== growth?.path) assert.deepEqual(disk.bytes(path), bytes, `${path} is as it was`);
  }
}

function told(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
}

function hasCrash(error: unknown): boolean {
  return error instanceof Crash || (error instanceof Error && error.cause !== undefined && hasCrash(error.cause));
}
