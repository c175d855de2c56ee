import { basename, dirname } from 'node:path';
import { ReadError } from '../../../core/errors/readError';
import type { Diagnostic } from '../../../core/model/transcript';
import type { FileSystem } from '../../../core/ports/fileSystem';
import { ORIGIN_PART } from '../../../core/transcript/formats/origin';
import { PartRecord } from '../../../core/transcript/partRecord';
import type { SourceRecord } from '../../../core/transcript/lineReader';
import type { PartSource, PartSourceKind, SourceParts, SourceState } from '../partSource';
import type { SqliteDatabase } from './database';
import { databaseState, walPath } from './databaseCopy';
import { dockerAgentLayout } from './dockerAgentLayout';
import { gooseLayout } from './gooseLayout';
import type { DatabaseLayout, DatabaseSession } from './layout';
import { opencodeLayout } from './opencodeLayout';
import { withDatabase } from './recentDatabase';
import { isDatabase, isWal } from './wal';

const LAYOUTS: readonly DatabaseLayout[] = [dockerAgentLayout, opencodeLayout, gooseLayout];

/** A database of several sessions, and the one that a path names; undefined stands for the one that was written to last. */
export interface DatabasePath {
  readonly file: string;
  readonly session: string | undefined;
}

/** Path of one session of a database. */
export function sessionPath(file: string, session: string): string {
  return `${file}#${session}`;
}

/** Parts of `FILE.db#SESSION`; a whole path without `#`. Nothing is looked up. */
export function databasePath(path: string): DatabasePath {
  const at = path.lastIndexOf('#');
  return at <= 0 ? { file: path, session: undefined } : { file: path.slice(0, at), session: path.slice(at + 1) };
}

/** A session of an agent's SQLite database. */
export const sqliteSource: PartSourceKind = async (fs, path) => {
  if (await isDatabaseFile(fs, path)) return new SqliteSource(fs, { file: path, session: undefined });
  const named = databasePath(path);
  return named.session !== undefined && (await isDatabaseFile(fs, named.file)) ? new SqliteSource(fs, named) : undefined;
};

export interface DatabaseListing {
  readonly layout: DatabaseLayout;
  readonly sessions: readonly DatabaseSession[];
}

/** The sessions of a database; undefined when it is no known agent's. Rejects with ReadError. */
export function listDatabase(fs: FileSystem, file: string, signal?: AbortSignal): Promise<DatabaseListing | undefined> {
  const list = (database: SqliteDatabase): DatabaseListing | undefined => {
    const layout = LAYOUTS.find((one) => one.matches(database));
    return layout === undefined ? undefined : { layout, sessions: layout.sessions(database) };
  };
  return withDatabase(fs, file, list, signal);
}

class SqliteSource implements PartSource {
  readonly watched: readonly string[];
  readonly #fs: FileSystem;
  readonly #path: DatabasePath;

  constructor(fs: FileSystem, path: DatabasePath) {
    this.#fs = fs;
    this.#path = path;
    this.watched = [dirname(path.file)];
  }

  state(): ReturnType<PartSource['state']> {
    return databaseState(this.#fs, this.#path.file);
  }

  read(signal?: AbortSignal): Promise<SourceParts> {
    const read = (database: SqliteDatabase, state: SourceState): SourceParts => {
      const layout = layoutOf(database, this.#path.file);
      const parts = [new PartRecord(ORIGIN_PART, { agent: layout.format }), ...this.#parts(database, layout)];
      return {
        state,
        records: parts.map((value, at): SourceRecord => ({ value, line: at, part: 0, bytes: 0 })),
        diagnostics: damageOf(database),
      };
    };
    return withDatabase(this.#fs, this.#path.file, read, signal);
  }

  #parts(database: SqliteDatabase, layout: DatabaseLayout): readonly PartRecord[] {
    if (!layout.matches(database)) return [];
    const sessions = layout.sessions(database);
    const wanted = this.#path.session;
    const session = wanted === undefined ? newest(sessions) : sessions.find(({ id }) => id === wanted);
    if (session !== undefined) return layout.parts(database, session.id);
    if (wanted !== undefined) throw new ReadError('notFound');
    return [];
  }
}

/** Of the sessions that stand on their own, the one that was written to last. */
function newest(sessions: readonly DatabaseSession[]): DatabaseSession | undefined {
  const own = sessions.filter(({ parentId }) => parentId === undefined);
  return (own.length === 0 ? sessions : own).reduce<DatabaseSession | undefined>((best, one) => {
    if (best === undefined) return one;
    const later = one.updatedMs - best.updatedMs || one.order - best.order;
    return later >= 0 ? one : best;
  }, undefined);
}

/** By the tables; a database in which nothing was made yet goes by the names that agents give theirs. */
function layoutOf(database: SqliteDatabase, file: string): DatabaseLayout {
  const known = LAYOUTS.find((layout) => layout.matches(database));
  if (known !== undefined) return known;
  const named = database.tables.size === 0 ? LAYOUTS.find((layout) => layout.matchesName(basename(file))) : undefined;
  if (named === undefined) throw new ReadError(database.tables.size === 0 ? 'empty' : 'unknownFormat');
  return named;
}

function damageOf(database: SqliteDatabase): readonly Diagnostic[] {
  return [
    ...(database.isDamaged
      ? ([{ line: 0, code: 'truncated_tail', severity: 'error', detail: 'a page of the database is damaged' }] as const)
      : []),
    ...(database.isCut ? ([{ line: 0, code: 'truncated_tail', severity: 'warning', detail: 'too many rows' }] as const) : []),
  ];
}

/** True for a database, and for a new one of which all still lies in its log. */
async function isDatabaseFile(fs: FileSystem, file: string): Promise<boolean> {
  const stat = await fs.stat(file);
  if (stat?.isFile !== true) return false;
  if (stat.size > 0) return isDatabase(await fs.read(file, 0, 16));
  return (await fs.stat(walPath(file))) !== undefined && isWal(await fs.read(walPath(file), 0, 32));
}
