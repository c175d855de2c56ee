import { nestsDeeperThan, parseJson } from '../../../core/transcript/jsonText';
import { PartRecord } from '../../../core/transcript/partRecord';
import { field, isRecord } from '../../../core/util/json';
import type { SqliteDatabase } from './database';
import type { DatabaseLayout, DatabaseSession } from './layout';

const SESSION = ['id', 'parent_id', 'title', 'working_dir', 'created_at', 'input_tokens', 'output_tokens', 'cost'];
const ITEM = [
  'id',
  'session_id',
  'position',
  'item_type',
  'agent_name',
  'message_json',
  'implicit',
  'subsession_id',
  'summary_text',
  'first_kept_entry',
];
/** Sub-sessions of sub-sessions, and so on: a task hands over to a task. */
const MAX_SUBSESSIONS = 500;
const MAX_DEPTH = 200;

/** docker agent: a row a session, and a row an item since its 14th migration; before that a JSON list in the session's row. */
export const dockerAgentLayout: DatabaseLayout = {
  format: 'docker-agent',
  matches: (database) => database.has('sessions', 'id', 'created_at', 'input_tokens') && database.has('migrations', 'name'),
  matchesName: (fileName) => fileName.endsWith('session.db'),
  sessions,
  parts(database, id) {
    const parts: PartRecord[] = [];
    const waiting = [id];
    const seen = new Set(waiting);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const hasItems = database.has('session_items', 'session_id');
      const columns = hasItems ? SESSION : [...SESSION, 'messages'];
      for (const row of database.select({ table: 'sessions', columns, where: { column: 'id', is: next }, limit: 1 }))
        parts.push(new PartRecord('sessions', row));
      for (const row of database.select({
        table: 'session_items',
        columns: ITEM,
        where: { column: 'session_id', is: next },
        order: ['position', 'id'],
      })) {
        parts.push(new PartRecord('session_items', row));
        const child = row['subsession_id'];
        if (typeof child !== 'string' || seen.has(child) || seen.size > MAX_SUBSESSIONS) continue;
        seen.add(child);
        waiting.push(child);
      }
    }
    return parts;
  },
};

function sessions(database: SqliteDatabase): readonly DatabaseSession[] {
  const newest = new Map<string, number>();
  for (const { session_id: session, id } of database.select({ table: 'session_items', columns: ['session_id', 'id'], order: ['id'] })) {
    if (typeof session === 'string' && typeof id === 'number') newest.set(session, id);
  }
  return database.select({ table: 'sessions', columns: SESSION }).flatMap((row): DatabaseSession[] => {
    const { id, parent_id: parentId, title, working_dir: cwd, created_at: created } = row;
    if (typeof id !== 'string') return [];
    const order = newest.get(id) ?? 0;
    return [
      {
        id,
        parentId: typeof parentId === 'string' ? parentId : undefined,
        title: typeof title === 'string' && title !== '' ? title : undefined,
        cwd: typeof cwd === 'string' && cwd !== '' ? cwd : undefined,
        updatedMs: Math.max(timeOf(created), timeOfItem(database, order)),
        order,
      },
    ];
  });
}

/** Time that the message of an item states; 0 for other items. */
function timeOfItem(database: SqliteDatabase, id: number): number {
  if (id === 0) return 0;
  const [item] = database.select({ table: 'session_items', columns: ['message_json'], where: { column: 'id', is: String(id) }, limit: 1 });
  const json = item?.['message_json'];
  const message = typeof json === 'string' && !nestsDeeperThan(json, MAX_DEPTH) ? parseJson(json) : undefined;
  return isRecord(message) ? timeOf(field(message, 'created_at')) : 0;
}

function timeOf(text: unknown): number {
  return typeof text === 'string' ? Date.parse(text) || 0 : 0;
}
