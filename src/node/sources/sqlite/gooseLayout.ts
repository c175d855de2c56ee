import { PartRecord } from '../../../core/transcript/partRecord';
import type { DatabaseLayout } from './layout';

const SESSION = [
  'id',
  'name',
  'description',
  'session_type',
  'working_dir',
  'created_at',
  'updated_at',
  'total_tokens',
  'input_tokens',
  'output_tokens',
  'accumulated_total_tokens',
  'accumulated_input_tokens',
  'accumulated_output_tokens',
  'provider_name',
  'model_config_json',
];
const MESSAGE = ['id', 'message_id', 'session_id', 'role', 'content_json', 'created_timestamp', 'tokens', 'metadata_json'];

/** Goose since 1.10. A compaction deletes and inserts all rows of a session. */
export const gooseLayout: DatabaseLayout = {
  format: 'goose',
  matches: (database) =>
    database.has('sessions', 'id', 'working_dir') && database.has('messages', 'session_id', 'role', 'content_json', 'created_timestamp'),
  matchesName: (fileName) => fileName === 'sessions.db',
  sessions: (database) =>
    database.select({ table: 'sessions', columns: SESSION }).flatMap((row) => {
      const { id, name, description, working_dir: cwd, updated_at: updated, created_at: created } = row;
      const title = [name, description].find((text) => typeof text === 'string' && text !== '');
      return typeof id !== 'string'
        ? []
        : [
            {
              id,
              parentId: undefined,
              title: typeof title === 'string' ? title : undefined,
              cwd: typeof cwd === 'string' && cwd !== '' ? cwd : undefined,
              updatedMs: timeOf(updated) || timeOf(created),
              order: 0,
            },
          ];
    }),
  parts: (database, id) => [
    ...database
      .select({ table: 'sessions', columns: SESSION, where: { column: 'id', is: id }, limit: 1 })
      .map((row) => new PartRecord('sessions', row)),
    ...database
      .select({ table: 'messages', columns: MESSAGE, where: { column: 'session_id', is: id }, order: ['created_timestamp', 'id'] })
      .map((row) => new PartRecord('messages', row)),
  ],
};

/** SQLite's own form `YYYY-MM-DD hh:mm:ss` is UTC without saying so. */
function timeOf(text: unknown): number {
  if (typeof text !== 'string') return 0;
  return Date.parse(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/u.test(text) ? `${text.replace(' ', 'T')}Z` : text) || 0;
}
