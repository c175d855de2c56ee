import type { Database, SqlValue, Statement } from './sqlite';
import { ReadError } from '../../../core/errors/readError';
import { forgetAfter, loadSqlJs } from './loadSqlJs';

export type Row = Readonly<Record<string, SqlValue>>;

export interface Selection {
  readonly table: string;
  /** Names of the program's own, never of the file. Those that the table lacks are null in each row. */
  readonly columns: readonly string[];
  readonly where?: { readonly column: string; readonly is: string };
  /** Columns to order by, ascending; `-name` for descending. */
  readonly order?: readonly string[];
  readonly limit?: number;
}

/** Limits on what one database may give; a hostile one can hold far more than its size, by pages that are named many times. */
const MAX_ROWS = 200_000;
const MAX_VALUE_BYTES = 32 * 1024 * 1024;
const MAX_TOTAL_CHARS = 512 * 1024 * 1024;

/** Opens a copy of a database for reading. Rejects with ReadError `damaged` when SQLite does not take it. */
export async function openDatabase(image: Uint8Array): Promise<SqliteDatabase> {
  const { Database } = await loadSqlJs();
  return new SqliteDatabase(guarded(() => new Database(image)));
}

/** A database in memory, of which nothing is asked but SELECTs on its ordinary tables: no view and no generated column of the file is run. */
export class SqliteDatabase {
  readonly #database: Database;
  /** Ordinary tables and their stored columns. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  #chars = 0;
  #isDamaged = false;
  #isCut = false;

  constructor(database: Database) {
    this.#database = database;
    try {
      guarded(() => database.run('PRAGMA trusted_schema = OFF').run('PRAGMA query_only = ON'));
      this.tables = this.#readTables();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** A page could not be read: later rows of some table are missing. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** A limit was reached: rows or values are missing. */
  get isCut(): boolean {
    return this.#isCut;
  }

  has(table: string, ...columns: readonly string[]): boolean {
    const stored = this.tables.get(table);
    return stored !== undefined && columns.every((column) => stored.has(column));
  }

  /** Rows of a table; none when it or the column to search by is missing. Values above 32 MiB are null. Rows behind a damaged page are left out. */
  select(selection: Selection): readonly Row[] {
    const sql = this.#sqlOf(selection);
    if (sql === undefined) return [];
    const limit = Math.min(selection.limit ?? MAX_ROWS, MAX_ROWS);
    const rows: Row[] = [];
    let statement: Statement | undefined;
    try {
      statement = this.#database.prepare(sql);
      if (selection.where !== undefined) statement.bind([selection.where.is]);
      while (this.#chars <= MAX_TOTAL_CHARS && rows.length < limit && statement.step()) rows.push(this.#row(selection, statement.get()));
    } catch (error) {
      forgetAfter(error);
      this.#isDamaged = true;
    } finally {
      attempt(() => statement?.free());
    }
    if (this.#chars > MAX_TOTAL_CHARS || rows.length === MAX_ROWS) this.#isCut = true;
    return rows;
  }

  /** Begins another reading: what the one before used up or met does not count. */
  renew(): void {
    this.#chars = 0;
    this.#isDamaged = false;
    this.#isCut = false;
  }

  close(): void {
    attempt(() => this.#database.close());
  }

  #row({ columns }: Selection, values: readonly SqlValue[]): Row {
    const row: Record<string, SqlValue> = {};
    for (const [at, column] of columns.entries()) {
      const value = values[at] ?? null;
      if (typeof value === 'string' || value instanceof Uint8Array) this.#chars += value.length;
      row[column] = value;
    }
    return row;
  }

  #sqlOf({ table, columns, where, order = [] }: Selection): string | undefined {
    const stored = this.tables.get(table);
    if (stored === undefined || (where !== undefined && !stored.has(where.column))) return undefined;
    const wanted = columns.map((column) =>
      stored.has(column) ? `CASE WHEN octet_length(${quoted(column)}) > ${MAX_VALUE_BYTES} THEN NULL ELSE ${quoted(column)} END` : 'NULL',
    );
    const by = order.filter((name) => stored.has(name.replace('-', '')));
    const sorted = by.map((name) => (name.startsWith('-') ? `${quoted(name.slice(1))} DESC` : quoted(name)));
    return [
      `SELECT ${wanted.join(', ')} FROM ${quoted(table)}`,
      ...(where === undefined ? [] : [`WHERE ${quoted(where.column)} = ?`]),
      ...(sorted.length === 0 ? [] : [`ORDER BY ${sorted.join(', ')}`]),
    ].join(' ');
  }

  #readTables(): ReadonlyMap<string, ReadonlySet<string>> {
    const names = this.#texts("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 LIMIT 1000");
    // Hidden columns are those of virtual tables (1) and generated ones (2, 3), which would run expressions of the file.
    return new Map(names.map((name) => [name, new Set(this.#texts('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0', name))]));
  }

  #texts(sql: string, ...values: readonly string[]): readonly string[] {
    return guarded(() => {
      const statement = this.#database.prepare(sql);
      try {
        if (values.length > 0) statement.bind(values);
        const texts: string[] = [];
        while (statement.step()) {
          const [value] = statement.get();
          if (typeof value === 'string') texts.push(value);
        }
        return texts;
      } finally {
        statement.free();
      }
    });
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Tidying up; after a failure it may fail as well, and the memory goes with the database. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    forgetAfter(error);
  }
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    forgetAfter(error);
    throw new ReadError('damaged', 'damaged', { cause: error });
  }
}
