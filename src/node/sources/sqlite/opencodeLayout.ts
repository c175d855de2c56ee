import { PartRecord } from '../../../core/transcript/partRecord';
import type { SqliteDatabase } from './database';
import type { DatabaseLayout } from './layout';

const SESSION = ['id', 'parent_id', 'title', 'directory', 'version', 'time_created', 'time_updated', 'time_compacting', 'revert'];

/** opencode since 1.2: rows of sessions, messages and parts, whose JSON lacks the ids that stand in the columns. */
export const opencodeLayout: DatabaseLayout = {
  format: 'opencode',
  matches: (database) =>
    database.has('session', 'id') && database.has('message', 'session_id', 'data') && database.has('part', 'message_id', 'data'),
  // Kilo's command line is made from opencode and keeps its tables.
  matchesName: (fileName) => /^(?:opencode|kilo)/u.test(fileName),
  sessions: (database) =>
    database.select({ table: 'session', columns: SESSION }).flatMap((row) => {
      const { id, parent_id: parentId, title, directory, time_updated: updated, time_created: created } = row;
      const updatedMs = typeof updated === 'number' ? updated : typeof created === 'number' ? created : 0;
      return typeof id !== 'string'
        ? []
        : [
            {
              id,
              parentId: typeof parentId === 'string' && parentId !== '' ? parentId : undefined,
              title: typeof title === 'string' && title !== '' ? title : undefined,
              cwd: typeof directory === 'string' && directory !== '' ? directory : undefined,
              updatedMs,
              order: 0,
            },
          ];
    }),
  parts: (database, id) => [
    ...rows(database, 'session', SESSION, 'id', id),
    ...rows(database, 'message', ['id', 'session_id', 'time_created', 'data'], 'session_id', id, ['time_created', 'id']),
    ...rowsOfParts(database, id),
  ],
};

function rows(
  database: SqliteDatabase,
  table: string,
  columns: readonly string[],
  column: string,
  is: string,
  order = ['id'],
): readonly PartRecord[] {
  return database.select({ table, columns, where: { column, is }, order }).map((row) => new PartRecord(table, row));
}

function rowsOfParts(database: SqliteDatabase, id: string): readonly PartRecord[] {
  const columns = ['id', 'message_id', 'session_id', 'data'];
  if (database.has('part', 'session_id')) return rows(database, 'part', columns, 'session_id', id);
  const messages = database.select({ table: 'message', columns: ['id'], where: { column: 'session_id', is: id }, order: ['id'] });
  return messages.flatMap(({ id: message }) => (typeof message === 'string' ? rows(database, 'part', columns, 'message_id', message) : []));
}
