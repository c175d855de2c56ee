import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOfflineSummarizer } from '../../../src/core/compaction/offline/offlineSummarizer';
import { CompactError } from '../../../src/core/errors/compactError';
import { StoreError } from '../../../src/core/errors/storeError';
import type { Summarizer } from '../../../src/core/ports/summarizer';
import { parseHistory } from '../../../src/core/session/historyParse';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { NODE_FILE_IO } from '../../../src/node/fs/fileIo';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import { OpenSession } from '../../../src/node/engine/openSession';
import { faultyIo, type FaultKind } from '../../support/faultyFileSystem';
import { inFolder, sha256 } from '../../support/folders';
import { writeLongSession } from '../../support/longSession';

const KINDS: readonly FaultKind[] = ['EIO', 'ENOSPC', 'EACCES', 'EPERM', 'short'];

/** What may stand in the folder besides the source after a failure: nothing, or the whole copy. */
function leftovers(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name !== 'session.jsonl');
}

function isScratch(name: string): boolean {
  return name.endsWith('.tmp') || name.endsWith('.claim');
}

describe('compaction end to end under faults: the original unchanged, the copy whole or absent', function () {
  this.timeout(300_000);

  for (const kind of KINDS) {
    it(`every file operation failing once with ${kind}`, () =>
      inFolder(async (folder) => {
        const source = join(folder, 'session.jsonl');
        writeLongSession(source);
        const hash = sha256(source);
        let struck = true;
        let runs = 0;
        for (let n = 1; struck; n++) {
          struck = false;
          let struckCall = '';
          const { io } = faultyIo(NODE_FILE_IO, (call, number) => {
            if (number !== n) return undefined;
            struck = true;
            struckCall = call;
            return kind;
          });
          const failure = await run(source, { fs: createNodeFileSystem(io) });
          runs += 1;
          assert.equal(sha256(source), hash);
          for (const name of leftovers(folder)) {
            // Only a removal that itself fails may leave a scratch file, which the next run clears away.
            if (isScratch(name)) {
              assert.equal(struckCall, 'unlink', `${name} after operation ${n}`);
              continue;
            }
            const note = parseHistory(readFileSync(join(folder, name), 'utf8'));
            if (name.endsWith('.history')) {
              assert.ok(note, `${name} is a whole note (operation ${n})`);
              // Only a removal that itself fails may leave a note of a copy that is missing.
              assert.ok(struckCall === 'unlink' || readdirSync(folder).includes(note.copy.name), `${name} after operation ${n}`);
              continue;
            }
            const copy = readTranscript(readFileSync(join(folder, name)));
            assert.equal(copy.boundaries.length, 1, `${name} is a whole copy (operation ${n})`);
            assert.deepEqual(copy.diagnostics, []);
          }
          if (failure !== undefined) {
            assert.ok(failure instanceof StoreError || failure instanceof CompactError || 'code' in failure, String(failure));
          }
          for (const name of leftovers(folder)) await createNodeFileSystem().remove(join(folder, name));
          assert.ok(n < 500, 'ends');
        }
        assert.ok(runs > 8, `${runs} operations were tried`);
      }));
  }

  it('a disk that is full from the first written byte says so', () =>
    inFolder(async (folder) => {
      const source = join(folder, 'session.jsonl');
      writeLongSession(source);
      const { io } = faultyIo(NODE_FILE_IO, (call) => (call === 'write' ? 'ENOSPC' : undefined));
      const failure = await run(source, { fs: createNodeFileSystem(io) });
      assert.ok(failure instanceof StoreError);
      assert.equal(failure.code, 'noSpace');
      assert.deepEqual(leftovers(folder), []);
    }));

  it('a source that grows while the summary is written is not compacted behind the agent’s back', () =>
    inFolder(async (folder) => {
      const source = join(folder, 'session.jsonl');
      writeLongSession(source);
      const offline = createOfflineSummarizer();
      const growing: Summarizer = {
        capabilities: offline.capabilities,
        summarize: (request, signal, onReceived) => {
          appendFileSync(source, '{"type":"user","uuid":"late","parentUuid":null,"message":{"role":"user","content":"late"}}\n');
          return offline.summarize(request, signal, onReceived);
        },
      };
      const failure = await run(source, { summarizer: growing });
      assert.ok(failure instanceof CompactError);
      assert.equal(failure.code, 'staleSource');
      assert.match(readFileSync(source, 'utf8'), /"late"\}\}\n$/, 'what was appended is still there');
      assert.deepEqual(leftovers(folder), []);
    }));

  it('a cancel while the summary is written leaves nothing', () =>
    inFolder(async (folder) => {
      const source = join(folder, 'session.jsonl');
      writeLongSession(source);
      const controller = new AbortController();
      const never: Summarizer = {
        capabilities: { label: 'never', host: undefined },
        summarize: () => {
          controller.abort();
          return new Promise(() => undefined);
        },
      };
      const failure = await run(source, { summarizer: never, signal: controller.signal });
      assert.ok(failure instanceof CompactError);
      assert.equal(failure.code, 'aborted');
      assert.deepEqual(leftovers(folder), []);
    }));

  it('never writes over a file, and keeps the copy private', () =>
    inFolder(async (folder) => {
      const source = join(folder, 'session.jsonl');
      writeLongSession(source);
      const target = join(folder, 'mine.jsonl');
      copyFileSync(source, target);
      const hash = sha256(target);
      const failure = await run(source, { target });
      assert.ok(failure instanceof StoreError);
      assert.equal(failure.code, 'exists');
      assert.equal(sha256(target), hash);
    }));
});

interface RunOptions {
  readonly fs?: ReturnType<typeof createNodeFileSystem>;
  readonly summarizer?: Summarizer;
  readonly signal?: AbortSignal;
  readonly target?: string;
}

/** Runs a full compaction; answers what it failed with. */
async function run(source: string, options: RunOptions): Promise<Error | undefined> {
  const session = await OpenSession.open(source, { options: { tokenizer: 'chars' }, watch: false, pollMs: 0 });
  try {
    const plan = session.plans.plan({ kind: 'full', keepMessages: 4 });
    assert.equal(plan.outcome, 'plan');
    await session.plans.run(
      plan,
      options.summarizer ?? createOfflineSummarizer(),
      {
        instructions: '',
        onProgress: () => undefined,
        ...(options.fs === undefined ? {} : { fs: options.fs }),
        ...(options.target === undefined ? {} : { target: options.target }),
      },
      options.signal,
    );
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Error);
    return error;
  } finally {
    session.dispose();
  }
}
