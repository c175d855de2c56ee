import type { FormatId } from '../../../core/model/transcript';
import type { PartRecord } from '../../../core/transcript/partRecord';
import type { SqliteDatabase } from './database';

/** A session as an agent's database lists it. */
export interface DatabaseSession {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly title: string | undefined;
  /** Working folder. It is text of the file: compare it, never open it. */
  readonly cwd: string | undefined;
  /** Milliseconds since 1970; 0 where the agent states none. */
  readonly updatedMs: number;
  /** Decides between sessions of the same time: the higher one was written to later. */
  readonly order: number;
}

/** How one agent keeps its sessions in a database. */
export interface DatabaseLayout {
  readonly format: FormatId;
  /** True when the tables are this agent's. */
  matches(database: SqliteDatabase): boolean;
  /** True for names that the agent gives its database; decides only where a database holds no table yet. */
  matchesName(fileName: string): boolean;
  /** All sessions, in no particular order. */
  sessions(database: SqliteDatabase): readonly DatabaseSession[];
  /** Rows of one session, its own first, then in conversation order; rows of its sub-sessions may follow. */
  parts(database: SqliteDatabase, id: string): readonly PartRecord[];
}
