import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { ReadError } from '../../core/errors/readError';
import type { FileStat } from '../../core/ports/fileSystem';
import type { StoredBytes } from '../../core/ports/storedBytes';
import { readErrorOf } from '../fs/fsErrors';

/** What was read of a file when it was looked at last. */
export interface ReadPart {
  readonly stat: FileStat;
  readonly bytesRead: number;
  /** First bytes, and the last ones before `bytesRead`. */
  readonly head: Uint8Array;
  readonly last: Uint8Array;
}

/**
 * Parts of a file that is being read, read again. It is opened for each part: a handle that is kept would keep a deleted file alive. The file has
 * to be the one that was read: the same inode, no shorter, and, when its time has changed, with the same bytes at both ends of what was read.
 */
export class StoredFile implements StoredBytes {
  readonly #path: string;
  #part: ReadPart | undefined;
  #checkedAt: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Takes in that more was read. */
  advance(part: ReadPart): void {
    this.#part = part;
    this.#checkedAt = part.stat.mtimeMs;
  }

  /** The bytes [from, to) in pieces, each in the same memory and valid until the next one is asked for. Rejects with ReadError. */
  async *pieces(from: number, to: number, pieceBytes: number): AsyncGenerator<Uint8Array> {
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, Math.max(0, to - from)));
    try {
      const file = await open(this.#path, 'r');
      try {
        for (let at = from; at < to;) {
          const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, to - at), at);
          if (bytesRead === 0) return;
          yield piece.subarray(0, bytesRead);
          at += bytesRead;
        }
      } finally {
        await file.close();
      }
    } catch (error) {
      throw readErrorOf(error);
    }
  }

  read(from: number, to: number): Uint8Array {
    try {
      const file = openSync(this.#path, 'r');
      try {
        this.#check(file);
        return readRange(file, from, to);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw readErrorOf(error);
    }
  }

  isUtf8(bytes: Uint8Array): boolean {
    return isUtf8(bytes);
  }

  #check(file: number): void {
    const part = this.#part;
    if (part === undefined) return;
    const { dev, ino, size, mtimeNs } = fstatSync(file, { bigint: true });
    if (`${dev}:${ino}` !== part.stat.inode || Number(size) < part.bytesRead) throw new ReadError('changedWhileReading');
    const mtimeMs = Number(mtimeNs) / 1e6;
    if (mtimeMs === this.#checkedAt) return;
    if (!hasSameEnds(file, part)) throw new ReadError('changedWhileReading');
    this.#checkedAt = mtimeMs;
  }
}

/** What stands behind the part that was read. */
export interface AppendedBytes {
  readonly bytes: Uint8Array;
  readonly stat: FileStat;
}

/**
 * The few bytes that were appended to a file since it was read, at once: an agent writes a line at a time, and each step through the pool of
 * threads costs more than reading it. No bytes when nothing has happened. Undefined when anything else has, or much was written; then it takes the
 * long way.
 */
export function readAppendedNow(path: string, part: ReadPart, maxBytes: number): AppendedBytes | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const { dev, ino, size, mtimeNs } = fstatSync(file, { bigint: true });
      const more = Number(size) - part.bytesRead;
      const isSame = `${dev}:${ino}` === part.stat.inode;
      if (isSame && more === 0 && Number(mtimeNs) / 1e6 === part.stat.mtimeMs) return { bytes: new Uint8Array(), stat: part.stat };
      if (!isSame || more <= 0 || more > maxBytes || !hasSameHead(file, part)) return undefined;
      // What was read last and what stands behind it, in one go.
      const { last, bytesRead } = part;
      const end = readRange(file, bytesRead - last.length, Number(size));
      if (Buffer.compare(end.subarray(0, last.length), last) !== 0) return undefined;
      return { bytes: end.subarray(last.length), stat: { ...part.stat, size: Number(size), mtimeMs: Number(mtimeNs) / 1e6 } };
    } finally {
      closeSync(file);
    }
  } catch {
    // The long way tells what is wrong.
    return undefined;
  }
}

function hasSameEnds(file: number, part: ReadPart): boolean {
  const { last, bytesRead } = part;
  return hasSameHead(file, part) && Buffer.compare(readRange(file, bytesRead - last.length, bytesRead), last) === 0;
}

function hasSameHead(file: number, { head }: ReadPart): boolean {
  return Buffer.compare(readRange(file, 0, head.length), head) === 0;
}

function readRange(file: number, from: number, to: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(to - from);
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, from + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}
