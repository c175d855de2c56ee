import assert from 'node:assert/strict';
import { StoreError } from '../../../src/core/errors/storeError';
import type { ToolResultBlock } from '../../../src/core/model/message';
import { isSafeResultId, safePrefix } from '../../../src/core/toolResults/resultNames';
import { faultyIo, type FaultKind } from '../../support/faultyFileSystem';
import { errno } from '../../support/memoryFileSystem';
import { memoryResultStore, RESULT_FOLDER } from '../../support/resultStores';

const KINDS: readonly FaultKind[] = ['crash', 'crashAfter', 'short', 'EIO', 'ENOSPC', 'EACCES', 'EPERM'];

function result(content: ToolResultBlock['content'], more: Partial<ToolResultBlock> = {}): ToolResultBlock {
  return { type: 'toolResult', toolUseId: 't1', content, ...more };
}

describe('ResultStore', () => {
  it('writes a result once; the same again is the same file, another one is refused', async () => {
    const { store, disk } = memoryResultStore();
    const text = await store.saveReplacement('t1', 'first');
    assert.equal(await store.saveReplacement('t1', 'first'), text);
    await assert.rejects(store.saveReplacement('t1', 'other'), { code: 'exists' });
    assert.deepEqual(disk.paths, [`${RESULT_FOLDER}/t1.txt`]);
    assert.equal(disk.text(`${RESULT_FOLDER}/t1.txt`), 'first');
    assert.equal(disk.mode(`${RESULT_FOLDER}/t1.txt`), 0o600);
  });

  const races: readonly (readonly [name: string, held: string | undefined, isSaved: boolean])[] = [
    ['has made the very same file, that one is as good', 'content', true],
    ['has made another file, that one stays', 'other', false],
    ['had the name and is gone again, nothing is claimed', undefined, false],
  ];
  for (const [name, held, isSaved] of races) {
    it(`when somebody ${name}`, async () => {
      const path = `${RESULT_FOLDER}/t1.txt`;
      const { store, disk } = memoryResultStore({
        io: (io) => ({
          ...io,
          link: () => {
            if (held !== undefined) disk.write(path, held);
            return Promise.reject(errno('EEXIST'));
          },
        }),
      });
      const outcome = await store.saveReplacement('t1', 'content').catch((error: unknown) => error);
      if (isSaved) assert.equal(typeof outcome, 'string');
      else assert.ok(outcome instanceof StoreError && outcome.code === 'exists');
      assert.equal(disk.text(path), held);
      assert.deepEqual(disk.paths, held === undefined ? [] : [path]);
    });
  }

  it('follows no link and leaves nothing behind a refusal', async () => {
    const { store, disk } = memoryResultStore();
    disk.write('/victim', 'precious');
    disk.link(`${RESULT_FOLDER}/t1.txt`, '/victim');
    await assert.rejects(store.saveReplacement('t1', 'precious'), { code: 'link' });
    assert.equal(disk.text('/victim'), 'precious');
    assert.deepEqual(disk.paths, [`${RESULT_FOLDER}/t1.txt`, '/victim'].sort());
  });

  it('keeps the original and tells why, where the id may name no file or the folder cannot be made', async () => {
    const long = result('x'.repeat(60_000), { toolUseId: '../k' });
    const refused = await memoryResultStore().store.offload(long, 'Read');
    assert.equal(refused.result, long);
    assert.ok(refused.failure instanceof StoreError && refused.failure.code === 'unsafeName');
    const folderError = new StoreError('denied');
    const other = await memoryResultStore({ folderError }).store.offload(result('x'.repeat(60_000)), 'Read');
    assert.equal(other.failure, folderError);
  });

  it('moves what is longer than the threshold of its tool, and nothing that is no text or an error', async () => {
    const { store, disk } = memoryResultStore();
    const metadata = new Map([['maxResultSizeChars', '10']]);
    for (const stays of [
      result('x'.repeat(10), { metadata }),
      result('x'.repeat(90_000), { metadata: new Map([['maxResultSizeChars', 'none']]) }),
      result('x'.repeat(90_000), { isError: true }),
      result([
        { type: 'text', text: 'x'.repeat(90_000) },
        { type: 'toolReference', name: 'n' },
      ]),
    ]) {
      assert.equal((await store.offload(stays, 'Read')).result, stays);
    }
    assert.deepEqual(disk.paths, []);
    const moved = await store.offload(result('x'.repeat(11), { metadata }), 'Read');
    assert.equal(typeof moved.result.content === 'string' && moved.result.content.startsWith('<persisted-output>\n'), true);
    assert.equal(disk.text(`${RESULT_FOLDER}/t1.txt`), 'x'.repeat(11));
    await store.offload(result([{ type: 'text', text: 'y'.repeat(50_000) }], { toolUseId: 't2' }), 'Read');
    assert.deepEqual(JSON.parse(disk.text(`${RESULT_FOLDER}/t2.json`) ?? ''), [{ type: 'text', text: 'y'.repeat(50_000) }]);
  });

  it('stores raw output under a name of its content, cut to the limit, with its true size', async () => {
    const { store, disk } = memoryResultStore();
    const bytes = new TextEncoder().encode('0123456789');
    const whole = await store.saveRawOutput('../bash run', bytes);
    const part = await store.saveRawOutput('../bash run', bytes, 4);
    assert.match(whole.path, /^\/s\/tool-results\/___bash_run-[0-9a-f]{16}-10\.txt$/);
    assert.equal(part.size, 10);
    assert.equal(disk.text(part.path), '0123');
    assert.equal(disk.text(whole.path), '0123456789');
    assert.deepEqual(await store.saveRawOutput('../bash run', bytes), whole);
  });

  for (const kind of KINDS) {
    it(`leaves a whole file or none when the disk fails with ${kind}, at every call`, async () => {
      for (let number = 1; ; number++) {
        let calls = 0;
        const { store, disk } = memoryResultStore({
          io: (io) => faultyIo(io, (_, at) => ((calls = at) === number ? kind : undefined)).io,
        });
        const text = await store.saveReplacement('t1', 'content').catch((error: unknown) => error);
        const held = disk.text(`${RESULT_FOLDER}/t1.txt`);
        assert.ok(held === undefined || held === 'content', `call ${number}: half a file`);
        if (typeof text === 'string') assert.equal(held, 'content');
        if (calls < number) break;
      }
    });
  }
});

describe('names in the store', () => {
  it('refuses what is no harmless name on every system', () => {
    for (const id of ['', '.', '..', 'a/b', 'a\\b', 'a.b', 'a b', 'é', 'nul', 'CON', 'com1', 'LPT9', 'a\u0000', 'a\n', 'x'.repeat(201)]) {
      assert.equal(isSafeResultId(id), false, JSON.stringify(id));
    }
    for (const id of ['a', 'toolu_01AB-c', 'console', 'com', 'x'.repeat(200), '__proto__']) assert.equal(isSafeResultId(id), true, id);
  });

  it('makes any prefix harmless', () => {
    assert.equal(safePrefix(''), 'output');
    assert.equal(safePrefix('../'), 'output');
    assert.equal(safePrefix('a/b'), 'a_b');
    assert.equal(safePrefix('x'.repeat(500)).length, 80);
  });
});
