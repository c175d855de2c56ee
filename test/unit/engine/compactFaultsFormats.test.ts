// A compaction from the source to the copy, for each kind of session that copies are written of, while the disk fails and the agent goes on.
import assert from 'node:assert/strict';
import { isCompactError } from '../../../src/core/errors/compactError';
import { messageFor } from '../../../src/core/errors/messages';
import { compactOn, faultsOf, freshDisk, memoryPort, openWritable, type Opened } from '../../support/compactInMemory';
import { Crash, faultyIo, type Call, type FaultKind } from '../../support/faultyFileSystem';
import type { MemoryDisk } from '../../support/memoryFileSystem';
import { WRITABLE_SESSIONS, type Growth, type WritableSession } from '../../support/writableSessions';

const KINDS: readonly FaultKind[] = ['crash', 'crashAfter', 'EIO', 'ENOSPC', 'EACCES', 'EPERM', 'short'];
const SCRATCH = /\/\.context-inspector-[^/]*\.(?:tmp|claim)$/;
const UNEXPECTED = messageFor(new Error('none of ours'));

interface Outcome {
  readonly disk: MemoryDisk;
  readonly calls: readonly { readonly call: Call; readonly path: string }[];
  readonly error: unknown;
}

interface Scene {
  readonly links?: boolean;
  readonly before?: (disk: MemoryDisk, number: number) => void;
  readonly strike?: (number: number) => FaultKind | undefined;
}

async function compact(opened: Opened, scene: Scene = {}): Promise<Outcome> {
  const disk = freshDisk(opened.session);
  disk.links = scene.links ?? true;
  const calls: { call: Call; path: string }[] = [];
  const { io } = faultyIo(disk.io, (call, number, path) => {
    calls.push({ call, path });
    scene.before?.(disk, number);
    return scene.strike?.(number);
  });
  const error = await compactOn(opened, memoryPort(io)).then(
    () => undefined,
    (reason: unknown) => reason ?? new Error('rejected with nothing'),
  );
  return { disk, calls, error };
}

/** The files beside those of the session. */
function added(disk: MemoryDisk, { files }: WritableSession): readonly string[] {
  return disk.paths.filter((path) => !files.has(path));
}

function assertUntouched(disk: MemoryDisk, { files }: WritableSession, growth?: Growth): void {
  for (const [path, bytes] of files) {
    if (path !== growth?.path) assert.deepEqual(disk.bytes(path), bytes, `${path} is as it was`);
  }
}

function assertWhole(opened: Opened, disk: MemoryDisk, path: string): void {
  assert.deepEqual(faultsOf(opened, disk.bytes(path) ?? new Uint8Array()), [], `${path} is a whole copy`);
  assert.equal(disk.mode(path), 0o600);
}

describe('compaction of every kind of session under faults', function () {
  this.timeout(120_000);

  for (const session of WRITABLE_SESSIONS) {
    describe(session.name, () => {
      let opened: Opened;
      let total = 0;

      before(async () => {
        opened = await openWritable(session);
        const { disk, calls, error } = await compact(opened);
        assert.equal(error, undefined);
        const [copy = '', ...more] = added(disk, session);
        assert.deepEqual(more, []);
        assertWhole(opened, disk, copy);
        assertUntouched(disk, session);
        total = calls.length;
      });

      // How a file is published has nothing to do with what is in it.
      for (const links of session === WRITABLE_SESSIONS[0] ? [true, false] : [true]) {
        for (const kind of KINDS) {
          it(`old or new when the n-th call fails with ${kind}, for every n, ${links ? 'with' : 'without'} hard links (P70, P73)`, async () => {
            let failures = 0;
            const most = (await compact(opened, { links })).calls.length;
            for (let n = 1; n <= most + 1; n++) {
              const { disk, calls, error } = await compact(opened, { links, strike: (number) => (number === n ? kind : undefined) });
              checkFault(opened, { disk, calls, error }, { n, kind, links });
              if (error !== undefined) failures++;
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

function checkFault(opened: Opened, { disk, calls, error }: Outcome, { n, kind, links }: Fault): void {
  const struck = calls[n - 1];
  const at = `call ${n} (${struck === undefined ? 'none' : `${struck.call} ${struck.path}`})`;
  const isCrash = kind === 'crash' || kind === 'crashAfter';
  assertUntouched(disk, opened.session);
  const copies = added(disk, opened.session).filter((path) => !SCRATCH.test(path));
  const scratch = added(disk, opened.session).filter((path) => SCRATCH.test(path));
  if (error === undefined) assert.equal(copies.length, 1, `${at}: a run that succeeds has its copy`);
  else if (!isCrash) assert.deepEqual(copies, [], `${at}: a run that fails leaves none`);
  for (const path of copies) {
    // A disk without hard links reserves the name by an empty file, which a crash may leave: never a part of a session.
    if (isCrash && !links && disk.bytes(path)?.length === 0) continue;
    assertWhole(opened, disk, path);
  }
  if (!isCrash && struck?.call !== 'unlink') assert.deepEqual(scratch, [], `${at}: nothing of ours is left beside it`);
  if (error === undefined) return;
  if (isCrash) assert.ok(hasCrash(error) || isCompactError(error), `${at}: ${told(error)}`);
  else assert.notEqual(messageFor(error), UNEXPECTED, `${at}: has a sentence, ${told(error)}`);
}

function told(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
}

function hasCrash(error: unknown): boolean {
  return error instanceof Crash || (error instanceof Error && error.cause !== undefined && hasCrash(error.cause));
}

/**
 * Whatever the agent wrote is in its file, and a copy without it was made only where no look at that file came after it. Answers how many runs
 * were refused: 0 or 1.
 */
async function checkGrowth(opened: Opened, growth: Growth, n: number): Promise<number> {
  const { session } = opened;
  let grown: Uint8Array | undefined;
  const { disk, calls, error } = await compact(opened, {
    before: (target, number) => {
      if (number !== n) return;
      growth.apply(target);
      grown = target.bytes(growth.path);
    },
  });
  const at = `${growth.name} before call ${n} of ${calls.length} (${calls[n - 1]?.call ?? ''} ${calls[n - 1]?.path ?? ''})`;
  assert.ok(grown);
  assert.deepEqual(disk.bytes(growth.path), grown, `${at}: it stays`);
  assertUntouched(disk, session, growth);
  const left = added(disk, session).filter((path) => path !== growth.path);
  if (error === undefined) {
    const later = calls.slice(n - 1).filter(({ path }) => path === growth.path || growth.path.startsWith(`${path}/`));
    assert.deepEqual(later, [], `${at}: a look at it would have told`);
    assert.equal(left.length, 1);
    assertWhole(opened, disk, left[0] ?? '');
  } else {
    assert.ok(isCompactError(error, 'staleSource'), `${at}: ${told(error)}`);
    assert.deepEqual(left, [], `${at}: nothing was written`);
  }
  return error === undefined ? 0 : 1;
}
