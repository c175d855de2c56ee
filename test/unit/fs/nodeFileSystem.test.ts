import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { ReadError } from '../../../src/core/errors/readError';
import { StoreError } from '../../../src/core/errors/storeError';
import type { FileSystem } from '../../../src/core/ports/fileSystem';
import { writeSession } from '../../../src/core/session/sessionWriter';
import { sourceFingerprint } from '../../../src/core/session/sourceFingerprint';
import type { FileIo } from '../../../src/node/fs/fileIo';
import { NODE_FILE_IO } from '../../../src/node/fs/fileIo';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import type { FaultKind } from '../../support/faultyFileSystem';
import { faultyIo } from '../../support/faultyFileSystem';
import { errno } from '../../support/memoryFileSystem';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const fs = createNodeFileSystem();
/** A disk without hard links. */
const LINKLESS: FileIo = { ...NODE_FILE_IO, link: () => Promise.reject(errno('ENOTSUP')) };

describe('nodeFileSystem', () => {
  let directory = '';
  const at = (name: string): string => join(directory, name);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'context-inspector-fs-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('creates files with mode 0600, all chunks in order, whatever the umask', async () => {
    const old = process.umask(0);
    try {
      await fs.createExclusive(at('new'), [bytes('one\n'), bytes(''), bytes('two\n')]);
    } finally {
      process.umask(old);
    }
    assert.equal(readFileSync(at('new'), 'utf8'), 'one\ntwo\n');
    assert.equal(statSync(at('new')).mode & 0o777, 0o600);
  });

  it('creates over nothing that is there: file, directory, link, dangling link', async () => {
    writeFileSync(at('file'), 'mine');
    mkdirSync(at('directory'));
    symlinkSync(at('file'), at('link'));
    symlinkSync(at('nowhere'), at('dangling'));
    for (const [name, code] of [
      ['file', 'exists'],
      ['directory', 'exists'],
      ['link', 'link'],
      ['dangling', 'link'],
    ] as const) {
      await assert.rejects(
        fs.createExclusive(at(name), [bytes('x')]),
        (error: unknown) => error instanceof StoreError && error.code === code,
      );
    }
    assert.equal(readFileSync(at('file'), 'utf8'), 'mine');
    assert.equal(existsSync(at('nowhere')), false);
  });

  it('removes what it began when the source of the chunks fails, and passes that error on', async () => {
    function* broken(): Generator<Uint8Array> {
      yield bytes('half');
      throw new RangeError('no more');
    }
    await assert.rejects(fs.createExclusive(at('new'), broken()), RangeError);
    assert.deepEqual(readdirSync(directory), []);
  });

  for (const [name, io] of [
    ['hard links', NODE_FILE_IO],
    ['renaming, where links are missing', LINKLESS],
  ] as const) {
    it(`publishes by ${name}, never over a file that is there`, async () => {
      const port = createNodeFileSystem(io);
      await port.createExclusive(at('t1'), [bytes('whole')]);
      await port.publish(at('t1'), at('target'));
      assert.equal(readFileSync(at('target'), 'utf8'), 'whole');
      assert.deepEqual(readdirSync(directory), ['target']);
      writeFileSync(at('victim'), 'v');
      symlinkSync(at('victim'), at('link'));
      await port.createExclusive(at('t2'), [bytes('other')]);
      for (const [taken, code] of [
        ['target', 'exists'],
        ['link', 'link'],
      ] as const) {
        await assert.rejects(port.publish(at('t2'), at(taken)), (error: unknown) => error instanceof StoreError && error.code === code);
      }
      assert.equal(readFileSync(at('target'), 'utf8'), 'whole');
      assert.equal(readFileSync(at('victim'), 'utf8'), 'v');
      assert.equal(readFileSync(at('t2'), 'utf8'), 'other');
    });
  }

  it('flushes files and directories', async () => {
    await fs.createExclusive(at('new'), [bytes('x')]);
    await fs.sync(at('new'));
    await fs.syncDirectory(directory);
    symlinkSync(at('new'), at('link'));
    await assert.rejects(fs.sync(at('link')), (error: unknown) => error instanceof StoreError && error.code === 'link');
  });

  it('tells files, links and what is missing apart, and follows hard links by inode', async () => {
    writeFileSync(at('file'), 'abc');
    linkSync(at('file'), at('second'));
    symlinkSync(at('file'), at('link'));
    symlinkSync(at('nowhere'), at('dangling'));
    const file = await fs.stat(at('file'));
    assert.deepEqual([file?.isFile, file?.isLink, file?.size], [true, false, 3]);
    assert.equal((await fs.stat(at('second')))?.inode, file?.inode);
    const link = await fs.stat(at('link'));
    assert.deepEqual([link?.isFile, link?.isLink, link?.size, link?.inode], [true, true, 3, file?.inode]);
    const dangling = await fs.stat(at('dangling'));
    assert.deepEqual([dangling?.isFile, dangling?.isLink], [false, true]);
    assert.equal(await fs.stat(at('missing')), undefined);
    assert.equal((await fs.stat(directory))?.isFile, false);
  });

  it('reads ranges, up to the end of the file', async () => {
    writeFileSync(at('file'), '0123456789');
    const read = async (from: number, to: number): Promise<string> => new TextDecoder().decode(await fs.read(at('file'), from, to));
    assert.equal(await read(2, 5), '234');
    assert.equal(await read(8, 1e9), '89');
    assert.equal(await read(20, 30), '');
    assert.equal(await read(5, 2), '');
  });

  it('names why a file cannot be read, and does not wait at a pipe', async () => {
    const refused = (path: string, code: string): Promise<void> =>
      assert.rejects(fs.read(path, 0, 1), (error: unknown) => error instanceof ReadError && error.code === code);
    await refused(at('missing'), 'notFound');
    await refused(directory, 'notAFile');
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', [at('pipe')]);
      await refused(at('pipe'), 'notAFile');
    }
  });

  it('maps what the system refuses', async () => {
    for (const [code, expected] of [
      ['ENOSPC', 'noSpace'],
      ['EDQUOT', 'noSpace'],
      ['EACCES', 'denied'],
      ['EROFS', 'denied'],
      ['ENAMETOOLONG', 'unsafeName'],
      ['EIO', 'io'],
    ] as const) {
      const port = createNodeFileSystem({ ...NODE_FILE_IO, open: () => Promise.reject(errno(code)) });
      await assert.rejects(port.createExclusive(at('new'), []), (error: unknown) => error instanceof StoreError && error.code === expected);
    }
  });

  it('removes links themselves and takes a missing file for removed', async () => {
    writeFileSync(at('file'), 'x');
    symlinkSync(at('file'), at('link'));
    await fs.remove(at('link'));
    await fs.remove(at('missing'));
    assert.deepEqual(await fs.list(directory), ['file']);
  });

  describe('with the session writer', () => {
    const write = async (port: FileSystem): Promise<string> => {
      const source = at('source.jsonl');
      const fingerprint = await sourceFingerprint(fs, source);
      assert.ok(fingerprint);
      return writeSession({
        fs: port,
        ids: { uuid: randomUUID },
        clock: { now: () => Date.now() },
        source: { path: source, fingerprint },
        directory,
        name: 'copy.jsonl',
        records: ['{"a":1}', '{"b":"é"}'],
        signal: new AbortController().signal,
      });
    };

    it('writes a private file beside the source and leaves the source alone (P73)', async () => {
      writeFileSync(at('source.jsonl'), 'source\n');
      chmodSync(at('source.jsonl'), 0o444);
      const before = statSync(at('source.jsonl'), { bigint: true });
      const path = await write(fs);
      assert.equal(readFileSync(path, 'utf8'), '{"a":1}\n{"b":"é"}\n');
      assert.equal(statSync(path).mode & 0o777, 0o600);
      assert.equal(statSync(path).nlink, 1);
      const after = statSync(at('source.jsonl'), { bigint: true });
      assert.deepEqual([after.ino, after.mtimeNs, after.ctimeNs, after.size], [before.ino, before.mtimeNs, before.ctimeNs, before.size]);
      assert.deepEqual(readdirSync(directory), ['copy.jsonl', 'source.jsonl']);
      await assert.rejects(write(fs), (error: unknown) => error instanceof StoreError && error.code === 'exists');
    });

    for (const kind of ['EIO', 'ENOSPC', 'EACCES', 'EPERM', 'short', 'crash'] as const satisfies readonly FaultKind[]) {
      it(`keeps old or new on a real disk when the n-th call fails: ${kind} (P70)`, async () => {
        let felt = 0;
        for (let n = 1; ; n++) {
          rmSync(directory, { recursive: true });
          mkdirSync(directory);
          writeFileSync(at('source.jsonl'), 'source\n');
          const { io, calls } = faultyIo(NODE_FILE_IO, (_call, number) => (number === n ? kind : undefined));
          const error: unknown = await write({ ...createNodeFileSystem(io), pause: () => Promise.resolve() }).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          const call = `call ${n} (${calls[n - 1] ?? 'none'})`;
          assert.equal(readFileSync(at('source.jsonl'), 'utf8'), 'source\n', call);
          const target = existsSync(at('copy.jsonl')) ? readFileSync(at('copy.jsonl'), 'utf8') : undefined;
          assert.ok(target === undefined || target === '{"a":1}\n{"b":"é"}\n', `${call}: absent or complete`);
          if (error === undefined) assert.ok(target !== undefined, `${call}: success means a target`);
          else felt++;
          const scratch = readdirSync(directory).filter((entry) => entry.startsWith('.context-inspector-'));
          if (kind !== 'crash') assert.deepEqual(scratch, [], `${call}: no temporary file`);
          if (calls.length < n) break;
        }
        assert.equal(felt > 0, kind !== 'short');
      });
    }
  });
});
