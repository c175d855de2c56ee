import { constants } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreError } from '../../core/errors/storeError';
import { ReadError } from '../../core/errors/readError';
import type { FileStat, FileSystem } from '../../core/ports/fileSystem';
import type { FileIo, HandleIo, StatIo } from './fileIo';
import { NODE_FILE_IO } from './fileIo';
import { errnoOf, readErrorOf, storeErrorOf } from './fsErrors';

const MODE = 0o600;
// Windows knows neither flag; there the exclusive creation alone has to do.
const NO_FOLLOW = flag('O_NOFOLLOW');
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
const REOPEN = constants.O_RDWR | NO_FOLLOW;
/** Opening a pipe must not wait for somebody who writes to it. */
const READ = constants.O_RDONLY | flag('O_NONBLOCK');

/** Codes by which systems say that this disk has no hard links (EISDIR: exFAT on Windows). */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR', 'EMLINK', 'EXDEV']);
/** Codes by which systems say that a directory cannot be flushed. */
const NO_DIRECTORY_SYNC = new Set(['EISDIR', 'EINVAL', 'ENOTSUP', 'EBADF', 'ENOSYS']);

/** The file system port on Node's calls. New files have mode 0600; no write follows a link or replaces a file. */
export function createNodeFileSystem(io: FileIo = NODE_FILE_IO): FileSystem {
  return {
    stat: (path) => statOf(io, path),
    read: (path, from, to) => readRange(io, path, from, to),
    createExclusive: (path, chunks) => create(io, path, chunks),
    sync: (path) => syncFile(io, path),
    publish: (temporary, target) => publish(io, temporary, target),
    syncDirectory: (path) => syncDirectory(io, path),
    remove: (path) => remove(io, path),
    list: (directory) => io.readdir(directory).catch((error: unknown) => Promise.reject(readErrorOf(error))),
    join,
    pause: (ms) => wait(ms),
  };
}

async function statOf(io: FileIo, path: string): Promise<FileStat | undefined> {
  try {
    const own = await io.lstat(path, { bigint: true });
    return own.isSymbolicLink() ? fileStat(await behindLink(io, path, own), true) : fileStat(own, false);
  } catch (error) {
    const mapped = readErrorOf(error);
    if (mapped.code === 'notFound') return undefined;
    throw mapped;
  }
}

async function behindLink(io: FileIo, path: string, link: StatIo): Promise<StatIo> {
  try {
    return await io.stat(path, { bigint: true });
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENOTDIR'].includes(errnoOf(error))) return link;
    throw error;
  }
}

function fileStat(stat: StatIo, isLink: boolean): FileStat {
  return {
    size: Number(stat.size),
    mtimeMs: Number(stat.mtimeNs) / 1e6,
    inode: `${stat.dev}:${stat.ino}`,
    isFile: stat.isFile(),
    isLink,
  };
}

async function readRange(io: FileIo, path: string, from: number, to: number): Promise<Uint8Array> {
  try {
    return await withHandle(await io.open(path, READ), async (handle) => {
      const stat = await handle.stat({ bigint: true });
      if (!stat.isFile()) throw new ReadError('notAFile');
      const bytes = new Uint8Array(Math.max(0, Math.min(to, Number(stat.size)) - from));
      let length = 0;
      while (length < bytes.length) {
        const { bytesRead } = await handle.read(bytes, length, bytes.length - length, from + length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return bytes.subarray(0, length);
    });
  } catch (error) {
    throw readErrorOf(error);
  }
}

async function create(io: FileIo, path: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const handle = await openNew(io, path);
  try {
    // Errors of our own calls are mapped where they happen; what the source of the chunks throws passes as it is.
    for await (const chunk of chunks) await writeAll(handle, chunk).catch(rejectStore);
    await handle.close().catch(rejectStore);
  } catch (error) {
    // Closing twice is an error of the second time alone, and of no interest.
    await handle.close().catch(() => undefined);
    await io.unlink(path).catch(() => undefined);
    throw error;
  }
}

function rejectStore(error: unknown): never {
  throw storeErrorOf(error);
}

/** Writes all bytes; a write may take only a part of them. */
async function writeAll(handle: HandleIo, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
    if (bytesWritten <= 0) throw new StoreError('io', 'the file system takes no more bytes');
    done += bytesWritten;
  }
}

async function openNew(io: FileIo, path: string): Promise<HandleIo> {
  try {
    return await io.open(path, CREATE, MODE);
  } catch (error) {
    throw await refusalOf(io, path, error);
  }
}

/** Says of a name that is taken whether a link has it. */
async function refusalOf(io: FileIo, path: string, error: unknown): Promise<StoreError> {
  if (errnoOf(error) !== 'EEXIST') return storeErrorOf(error);
  const isLink = await io.lstat(path, { bigint: true }).then(
    (stat) => stat.isSymbolicLink(),
    () => false,
  );
  return new StoreError(isLink ? 'link' : 'exists', 'EEXIST', { cause: error });
}

async function syncFile(io: FileIo, path: string): Promise<void> {
  try {
    await withHandle(await io.open(path, REOPEN), (handle) => handle.sync());
  } catch (error) {
    throw storeErrorOf(error);
  }
}

async function publish(io: FileIo, temporary: string, target: string): Promise<void> {
  try {
    await io.link(temporary, target);
  } catch (error) {
    if (!NO_LINKS.has(errnoOf(error))) throw await refusalOf(io, target, error);
    await publishByRename(io, temporary, target);
    return;
  }
  // Published is published: a second name that cannot be removed now is a leftover, no failure.
  await io.unlink(temporary).catch(() => undefined);
}

/**
 * Without links the name is reserved by an empty file of our own and the finished file renamed over it. A copy would do too, but a power
 * cut during a copy leaves half a session under the final name; here nobody ever sees a part of one.
 */
async function publishByRename(io: FileIo, temporary: string, target: string): Promise<void> {
  const own = await reserve(io, target);
  try {
    if (!(await isReserved(io, target, own))) throw new StoreError('exists', 'somebody took the reserved name');
    await io.rename(temporary, target);
  } catch (error) {
    if (await isReserved(io, target, own).catch(() => false)) await io.unlink(target).catch(() => undefined);
    throw storeErrorOf(error);
  }
}

/** Creates the empty file that holds a name. */
async function reserve(io: FileIo, path: string): Promise<StatIo> {
  const handle = await openNew(io, path);
  try {
    return await withHandle(handle, () => handle.stat({ bigint: true }));
  } catch (error) {
    await io.unlink(path).catch(() => undefined);
    throw storeErrorOf(error);
  }
}

async function isReserved(io: FileIo, path: string, own: StatIo): Promise<boolean> {
  const there = await io.lstat(path, { bigint: true });
  return there.dev === own.dev && there.ino === own.ino && there.size === 0n;
}

async function syncDirectory(io: FileIo, path: string): Promise<void> {
  try {
    await withHandle(await io.open(path, constants.O_RDONLY), (handle) => handle.sync());
  } catch (error) {
    const errno = errnoOf(error);
    if (NO_DIRECTORY_SYNC.has(errno)) return;
    // Windows refuses to open a directory as a file at all; it keeps names in its journal.
    if (process.platform === 'win32' && (errno === 'EPERM' || errno === 'EACCES')) return;
    throw storeErrorOf(error);
  }
}

async function remove(io: FileIo, path: string): Promise<void> {
  try {
    await io.unlink(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw storeErrorOf(error);
  }
}

/** Closes the handle in every case; a failed close fails the whole only where nothing failed before. */
async function withHandle<T>(handle: HandleIo, use: (handle: HandleIo) => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await use(handle);
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
  await handle.close();
  return result;
}

function flag(name: 'O_NOFOLLOW' | 'O_NONBLOCK'): number {
  const value: unknown = Reflect.get(constants, name);
  return typeof value === 'number' ? value : 0;
}
