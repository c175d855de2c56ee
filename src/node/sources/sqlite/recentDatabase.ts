import type { FileSystem } from '../../../core/ports/fileSystem';
import type { SourceState } from '../partSource';
import { openDatabase, type SqliteDatabase } from './database';
import { copyDatabase, databaseState } from './databaseCopy';

/** The copy of a database is kept this long for the next who asks: a list measures many sessions of one database. */
const KEPT_MS = 2000;
/** Larger copies are not kept. */
const MAX_KEPT_BYTES = 128 * 1024 * 1024;

interface Recent {
  readonly file: string;
  readonly state: SourceState;
  readonly database: SqliteDatabase;
  timer: NodeJS.Timeout | undefined;
}

let recent: Recent | undefined;

/** Runs on a copy of a database as it is now. The copy is closed afterwards or a little later. Rejects with ReadError. */
export async function withDatabase<T>(
  fs: FileSystem,
  file: string,
  work: (database: SqliteDatabase, state: SourceState) => T,
  signal?: AbortSignal,
): Promise<T> {
  const state = await databaseState(fs, file);
  // From here to the end of `work` nothing else runs, so that nobody closes what is used.
  if (recent?.file === file && recent.state.stamp === state.stamp) {
    recent.database.renew();
    return work(recent.database, recent.state);
  }
  const copy = await copyDatabase(fs, file, signal);
  const database = await openDatabase(copy.image);
  keep({ file, state: copy.state, database, timer: undefined });
  try {
    return work(database, copy.state);
  } finally {
    if (copy.state.bytes > MAX_KEPT_BYTES) forget();
  }
}

function keep(next: Recent): void {
  forget();
  next.timer = setTimeout(() => {
    if (recent === next) forget();
  }, KEPT_MS);
  next.timer.unref();
  recent = next;
}

function forget(): void {
  clearTimeout(recent?.timer);
  recent?.database.close();
  recent = undefined;
}
