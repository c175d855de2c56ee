import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Clock, IdSource } from '../../core/ports/clock';
import type { FileSystem } from '../../core/ports/fileSystem';
import { LARGEST_HISTORY, parseHistory } from '../../core/session/historyParse';
import { historyFileName, historyText, isHistoryFileName, type HistoryRecord } from '../../core/session/historyRecord';
import { writeSession } from '../../core/session/sessionWriter';
import { copyFolder } from './copySource';

/** More records than this in one folder are not looked at. */
const MAX_RECORDS = 2000;

/** A compaction of an earlier time, and where its files lie. */
export interface HistoryEntry {
  readonly record: HistoryRecord;
  /** Path of the record's own file. */
  readonly path: string;
  readonly copyPath: string;
  /** What is opened to see the original: a file, or `DATABASE#SESSION`. */
  readonly sourcePath: string;
}

export interface HistoryInput {
  readonly fs: FileSystem;
  readonly ids: IdSource;
  readonly clock: Clock;
  /** Where the copy will lie. */
  readonly directory: string;
  readonly record: HistoryRecord;
  readonly signal: AbortSignal;
}

/**
 * Notes a compaction, then writes its copy; where that fails the note is taken back. The note is whole or absent, and never written over
 * anything. Rejects with StoreError, or with what the writing rejects with.
 */
export async function withHistory<T>({ record, ...to }: HistoryInput, write: () => Promise<T>): Promise<T> {
  const path = await writeSession({ ...to, name: historyFileName(record.id), records: [historyText(record)] });
  try {
    return await write();
  } catch (error) {
    // A note that cannot be removed now tells of a copy that is missing, which is true.
    await to.fs.remove(path).catch(() => undefined);
    throw error;
  }
}

/** Compactions that a session is the copy or the original of, newest first. Folders that cannot be read hold none. */
export async function historyOf(fs: FileSystem, path: string): Promise<readonly HistoryEntry[]> {
  const folders = new Set([dirname(path), copyFolder(path)]);
  const entries = (await Promise.all([...folders].map((folder) => entriesIn(fs, folder)))).flat();
  const own = resolve(path);
  return entries
    .filter(({ copyPath, sourcePath }) => copyPath === own || sourcePath === own)
    .toSorted((a, b) => (a.record.createdAt < b.record.createdAt ? 1 : -1));
}

/** A path as a record states it: from its own folder, so that both may be moved together. */
export function pathFrom(directory: string, path: string): string {
  const way = relative(directory, path);
  return way === '' || isAbsolute(way) ? path : way.replaceAll('\\', '/');
}

async function entriesIn(fs: FileSystem, folder: string): Promise<readonly HistoryEntry[]> {
  const names = (await fs.list(folder).catch(() => [])).filter(isHistoryFileName).slice(0, MAX_RECORDS);
  const entries: HistoryEntry[] = [];
  for (const name of names) {
    const record = await readRecord(fs, join(folder, name)).catch(() => undefined);
    // A record speaks for the session whose id names its file, and for no other.
    if (record === undefined || historyFileName(record.id) !== name) continue;
    entries.push({
      record,
      path: join(folder, name),
      copyPath: resolve(folder, record.copy.name),
      sourcePath: resolve(folder, record.source.path),
    });
  }
  return entries;
}

async function readRecord(fs: FileSystem, path: string): Promise<HistoryRecord | undefined> {
  const stat = await fs.stat(path);
  if (!stat?.isFile || stat.isLink || stat.size > LARGEST_HISTORY) return undefined;
  const stamp = `${stat.inode} ${stat.size} ${stat.mtimeMs}`;
  const before = known.get(path);
  if (before?.stamp === stamp) return before.record;
  const record = parseHistory(new TextDecoder().decode(await fs.read(path, 0, stat.size)));
  if (known.size >= MAX_RECORDS) known.clear();
  known.set(path, { stamp, record });
  return record;
}

// Notes never change, and they are looked for at every preview.
const known = new Map<string, { readonly stamp: string; readonly record: HistoryRecord | undefined }>();
