// Makes single calls of the operating system fail, on any disk: one in memory or a real one.
import type { FileIo, HandleIo } from '../../src/node/fs/fileIo';
import { errno } from './memoryFileSystem';

/** A kind of call. `rename` is whatever publishes a file, a hard link too. */
export type Call = 'stat' | 'read' | 'open' | 'write' | 'fsync' | 'close' | 'rename' | 'unlink' | 'list';

/**
 * `crash` ends the program before the call does anything, `crashAfter` when it is done: from then on every call fails. `short` lets a write
 * take one byte only. A failing write takes half of its bytes first.
 */
export type FaultKind = 'crash' | 'crashAfter' | 'short' | 'EIO' | 'ENOSPC' | 'EACCES' | 'EPERM';

export class Crash extends Error {}

export interface FaultyIo {
  readonly io: FileIo;
  /** Calls made so far. */
  readonly calls: readonly Call[];
}

/** Wraps the calls of a disk; `strike` decides for the call with this 1-based number, on this path, whether and how it fails. */
export function faultyIo(disk: FileIo, strike: (call: Call, number: number, path: string) => FaultKind | undefined): FaultyIo {
  const calls: Call[] = [];
  let dead = false;
  const through = async <T>(
    call: Call,
    path: string,
    action: (short: boolean) => Promise<T>,
    half?: () => Promise<unknown>,
  ): Promise<T> => {
    if (dead) throw new Crash('the program is gone');
    calls.push(call);
    const kind = strike(call, calls.length, path);
    if (kind === undefined) return action(false);
    if (kind === 'short') return action(true);
    if (kind === 'crashAfter') await action(false);
    else await half?.();
    dead = kind === 'crash' || kind === 'crashAfter';
    throw dead ? new Crash('the program dies here') : errno(kind);
  };
  const handle = (inner: HandleIo, path: string): HandleIo => ({
    stat: (options) => through('stat', path, () => inner.stat(options)),
    read: (buffer, offset, length, position) => through('read', path, () => inner.read(buffer, offset, length, position)),
    write: (buffer, offset, length) =>
      through(
        'write',
        path,
        (short) => inner.write(buffer, offset, short ? Math.min(1, length) : length),
        () => inner.write(buffer, offset, Math.floor(length / 2)),
      ),
    sync: () => through('fsync', path, () => inner.sync()),
    // A real handle is given back in every case: the end of a program does that too.
    close: async () => {
      if (dead) await inner.close().catch(() => undefined);
      await through(
        'close',
        path,
        () => inner.close(),
        () => inner.close(),
      );
    },
  });
  return {
    calls,
    io: {
      open: (path, flags, mode) => through('open', path, async () => handle(await disk.open(path, flags, mode), path)),
      stat: (path, options) => through('stat', path, () => disk.stat(path, options)),
      lstat: (path, options) => through('stat', path, () => disk.lstat(path, options)),
      link: (existing, path) => through('rename', path, () => disk.link(existing, path)),
      rename: (from, to) => through('rename', to, () => disk.rename(from, to)),
      unlink: (path) => through('unlink', path, () => disk.unlink(path)),
      readdir: (path) => through('list', path, () => disk.readdir(path)),
    },
  };
}
