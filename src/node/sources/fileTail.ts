import { ReadError } from '../../core/errors/readError';
import type { Transcript } from '../../core/model/transcript';
import type { FileStat, FileSystem } from '../../core/ports/fileSystem';
import { TranscriptReader } from '../../core/transcript/incrementalReader';
import { looksBinary, isBlank } from './fileKind';
import { inSlices, Pace } from './slices';
import { readAppendedNow, StoredFile } from './storedFile';

const CHUNK_BYTES = 2 * 1024 * 1024;
/** Bytes that are taken in one piece; a few milliseconds of work. */
const PIECE_BYTES = 256 * 1024;
/** Of larger files the long texts are not kept in memory but read when they are asked for. */
export const STORED_BYTES = 8 * 1024 * 1024;
/** Bytes at the beginning and before the reading position that must still be the same for more bytes to count as appended. */
export const WITNESS_BYTES = 4096;
export const MAX_FILE_BYTES = 4 * 1024 * 1024 * 1024;
/** A file that shows no record of a known format within this much is not read on. */
const MAX_UNKNOWN_BYTES = 64 * 1024 * 1024;

/** What was read of a file, and the means to read on. A replaced or truncated file is read anew from its beginning. */
export interface FileTail {
  readonly transcript: Transcript;
  readonly stat: FileStat;
  readonly bytesRead: number;
  readonly reader: TranscriptReader;
  /** First bytes, and the last ones before `bytesRead`. */
  readonly head: Uint8Array;
  readonly last: Uint8Array;
  /** Undefined while all texts are in memory. */
  readonly stored: StoredFile | undefined;
}

/** A reading that is further than its transcript, which is still to be made. */
export type ReadAhead = Omit<FileTail, 'transcript'>;

/** The disk, and where its bytes may stay there: on a disk in memory they would gain nothing. */
export interface TailOptions {
  readonly signal?: AbortSignal | undefined;
  readonly canStore?: boolean;
}

/**
 * Reads a file, or what was appended to it since `before`. Answers `before` itself when nothing changed. Rejects with ReadError; `before`
 * must not be used after an abort.
 */
export async function readTail(
  fs: FileSystem,
  path: string,
  before: FileTail | ReadAhead | undefined,
  { signal, canStore = false }: TailOptions = {},
): Promise<FileTail> {
  const stat = await fs.stat(path);
  if (stat === undefined) throw new ReadError('notFound');
  if (!stat.isFile) throw new ReadError('notAFile');
  if (stat.size > MAX_FILE_BYTES) throw new ReadError('tooLarge');
  if (stat.size === 0) throw new ReadError('empty');
  if (before !== undefined && isSame(before.stat, stat)) {
    return 'transcript' in before ? before : { ...before, transcript: await snapshotOf(before.reader, before.head, signal) };
  }
  const appended = before !== undefined && (await isAppended(fs, path, before, stat)) ? before : undefined;
  const start = appended ?? fromStart(canStore && stat.size > STORED_BYTES ? new StoredFile(path) : undefined);
  const read = await readOn(fs, path, start, stat.size, signal);
  read.stored?.advance({ ...read, stat });
  return { ...read, stat, transcript: await snapshotOf(read.reader, read.head, signal) };
}

/** Bytes that may be read without letting others work in between. */
const MAX_NOW = 256 * 1024;

/**
 * Reads the few bytes that were appended since `before`, without waiting for anything; undefined when it takes `readTail` to see what happened.
 * Where the transcript of a large file has to be made anew, which takes long, it is left to `readTail`.
 */
export function readTailNow(path: string, before: FileTail): FileTail | ReadAhead | undefined {
  const appended = readAppendedNow(path, before, MAX_NOW);
  if (appended === undefined) return undefined;
  const { bytes, stat } = appended;
  if (bytes.length === 0) return before;
  const last = bytes.length >= WITNESS_BYTES ? bytes.slice(-WITNESS_BYTES) : joined(before.last, bytes).slice(-WITNESS_BYTES);
  const head =
    before.head.length < WITNESS_BYTES ? joined(before.head, bytes.subarray(0, WITNESS_BYTES - before.head.length)) : before.head;
  const read = { reader: before.reader, bytesRead: before.bytesRead + bytes.length, head, last, stored: before.stored };
  before.reader.push(bytes);
  before.stored?.advance({ ...read, stat });
  if (before.stored !== undefined && !before.reader.onlyGrows) return { ...read, stat };
  return { ...read, stat, transcript: before.reader.snapshot() };
}

type Progress = Pick<FileTail, 'reader' | 'bytesRead' | 'head' | 'last' | 'stored'>;

function fromStart(stored: StoredFile | undefined): Progress {
  const reader = new TranscriptReader(stored === undefined ? {} : { stored });
  return { reader, bytesRead: 0, head: new Uint8Array(), last: new Uint8Array(), stored };
}

async function readOn(fs: FileSystem, path: string, start: Progress, size: number, signal: AbortSignal | undefined): Promise<Progress> {
  let { bytesRead, head, last } = start;
  const pace = new Pace();
  const pieces = start.stored === undefined ? wholePieces(fs, path, bytesRead, size) : start.stored.pieces(bytesRead, size, CHUNK_BYTES);
  for await (const chunk of pieces) {
    signal?.throwIfAborted();
    if (head.length < WITNESS_BYTES) head = joined(head, chunk.subarray(0, WITNESS_BYTES - head.length));
    if (bytesRead === 0 && looksBinary(chunk)) throw new ReadError('binary');
    last = chunk.length >= WITNESS_BYTES ? chunk.slice(-WITNESS_BYTES) : joined(last, chunk).slice(-WITNESS_BYTES);
    bytesRead += chunk.length;
    await pushPieces(start.reader, chunk, pace);
    signal?.throwIfAborted();
    if (bytesRead > MAX_UNKNOWN_BYTES && !start.reader.isRecognised) throw new ReadError('unknownFormat');
  }
  return { reader: start.reader, bytesRead, head, last, stored: start.stored };
}

/** Gives bytes to a reader so that others get their turn in between. */
export async function pushPieces(reader: TranscriptReader, bytes: Uint8Array, pace: Pace): Promise<void> {
  // A buffer of Node's finds a byte twenty times faster than a plain array.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < buffer.length; at += PIECE_BYTES) {
    reader.push(buffer.subarray(at, at + PIECE_BYTES));
    await pace.rest();
  }
}

async function* wholePieces(fs: FileSystem, path: string, from: number, size: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < size;) {
    const piece = await fs.read(path, at, Math.min(size, at + CHUNK_BYTES));
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

async function snapshotOf(reader: TranscriptReader, head: Uint8Array, signal: AbortSignal | undefined): Promise<Transcript> {
  try {
    return await inSlices(reader.snapshotSteps(), signal);
  } catch (error) {
    if (error instanceof ReadError && error.code === 'unknownFormat' && isBlank(head))
      throw new ReadError('empty', 'empty', { cause: error });
    throw error;
  }
}

function isSame(a: FileStat, b: FileStat): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.inode === b.inode;
}

/** True when what was read still stands there and something stands behind it. A document that was written anew differs before its end. */
async function isAppended(fs: FileSystem, path: string, before: ReadAhead, stat: FileStat): Promise<boolean> {
  if (stat.inode !== before.stat.inode || stat.size <= before.bytesRead) return false;
  const head = await fs.read(path, 0, before.head.length);
  const last = await fs.read(path, before.bytesRead - before.last.length, before.bytesRead);
  return Buffer.compare(head, before.head) === 0 && Buffer.compare(last, before.last) === 0;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
