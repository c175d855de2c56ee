import { ReadError } from '../../../core/errors/readError';
import type { FileStat, FileSystem } from '../../../core/ports/fileSystem';
import type { SourceState } from '../partSource';
import { WAL_HEADER_BYTES, withWal } from './wal';

/** Database and log are held in memory; larger ones are refused. */
export const MAX_DATABASE_BYTES = 512 * 1024 * 1024;
const MAX_TRIES = 6;
const PAUSE_MS = 40;
const NOTHING = new Uint8Array();

/** Path of the write-ahead log of a database. */
export function walPath(path: string): string {
  return `${path}-wal`;
}

/** What tells that the database or its log was written to. Rejects with ReadError `notFound` when the database is gone. */
export async function databaseState(fs: FileSystem, path: string): Promise<SourceState> {
  const [database, wal] = [await fs.stat(path), await fs.stat(walPath(path))];
  if (database === undefined) throw new ReadError('notFound');
  return {
    stamp: `${stampOf(database)} ${stampOf(wal)}`,
    bytes: database.size + (wal?.size ?? 0),
    mtimeMs: Math.max(database.mtimeMs, wal?.mtimeMs ?? 0),
  };
}

/**
 * Copies a database with all that its log has committed into memory. Nothing is made beside the agent's file and no lock is taken. While the
 * agent moves pages from the log into the database, the same log still holds them, so the copy is whole as long as the log was not begun anew
 * in between; else it is taken again. Rejects with ReadError: `tooLarge`, `changedWhileReading`, or why a file cannot be read.
 */
export async function copyDatabase(
  fs: FileSystem,
  path: string,
  signal?: AbortSignal,
): Promise<{ readonly image: Uint8Array; readonly state: SourceState }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (tries > 0) await fs.pause(PAUSE_MS);
    signal?.throwIfAborted();
    const state = await databaseState(fs, path);
    if (state.bytes > MAX_DATABASE_BYTES) throw new ReadError('tooLarge');
    const round = await readWal(fs, path, WAL_HEADER_BYTES);
    const database = await fs.read(path, 0, MAX_DATABASE_BYTES);
    const wal = await readWal(fs, path, MAX_DATABASE_BYTES);
    const isSameRound = round.length > 0 && Buffer.compare(round, wal.subarray(0, WAL_HEADER_BYTES)) === 0;
    const isUnchanged = async (): Promise<boolean> => (await databaseState(fs, path)).stamp === state.stamp;
    if (isSameRound || (await isUnchanged())) return { image: withWal(database, wal), state };
  }
  throw new ReadError('changedWhileReading');
}

async function readWal(fs: FileSystem, path: string, bytes: number): Promise<Uint8Array> {
  try {
    return await fs.read(walPath(path), 0, bytes);
  } catch (error) {
    if (error instanceof ReadError && error.code === 'notFound') return NOTHING;
    throw error;
  }
}

function stampOf(stat: FileStat | undefined): string {
  return stat === undefined ? 'none' : `${stat.size} ${stat.mtimeMs} ${stat.inode}`;
}
