// Agents that keep all sessions in one database, each of which is a session of its own here.
import { join } from 'node:path';
import type { FormatId } from '../../../core/model/transcript';
import { createNodeFileSystem } from '../../fs/nodeFileSystem';
import { filesIn } from '../folders';
import { databaseState } from '../sqlite/databaseCopy';
import { listDatabase, sessionPath, type DatabaseListing } from '../sqlite/sqliteSource';
import { gooseFolders } from './jsonlPlaces';
import { envOf, type AgentPlaces, type Search } from './place';
import { dataFolder } from './userFolders';

/** Larger databases are not opened for a list. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_SESSIONS = 2000;

export const dockerAgentPlaces: AgentPlaces = databasePlaces('docker-agent', ({ home }) => [join(home, '.cagent')], /^session\.db$/u);

export const opencodeDatabasePlaces: AgentPlaces = databasePlaces(
  'opencode',
  (machine) => [join(dataFolder(machine), 'opencode')],
  /^opencode(?:-[\w.-]{1,50})?\.db$/u,
);

/** Kilo's command line, which keeps what opencode keeps. */
export const kiloDatabasePlaces: AgentPlaces = databasePlaces(
  'opencode',
  (machine) => {
    const named = envOf(machine, 'KILO_DATA_DIR');
    return named === undefined ? [join(dataFolder(machine), 'kilo')] : named.split(',').flatMap((path) => path.trim() || []);
  },
  /^kilo(?:-[\w.-]{1,50})?\.db$/u,
);

export const gooseDatabasePlaces: AgentPlaces = databasePlaces('goose', gooseFolders, /^sessions\.db$/u);

function databasePlaces(id: FormatId, roots: AgentPlaces['roots'], name: RegExp): AgentPlaces {
  return {
    id,
    roots: (machine) => roots(machine),
    list: async (root, search) => {
      for (const file of await filesIn(root, (one) => name.test(one))) await listSessionsOf(file, search);
    },
  };
}

/** Adds the sessions of a database. One that is too large, damaged or no agent's has none. */
export async function listSessionsOf(file: string, search: Search): Promise<void> {
  const fs = createNodeFileSystem();
  const state = await databaseState(fs, file).catch(() => undefined);
  if (state === undefined || state.bytes > MAX_BYTES) return;
  const listing = await listed(file, state.stamp, search.signal);
  if (listing === undefined) return;
  const ids = new Set(listing.sessions.map(({ id }) => id));
  const newestFirst = [...listing.sessions].sort((a, b) => b.updatedMs - a.updatedMs || b.order - a.order);
  for (const { id, parentId, title, cwd, updatedMs } of newestFirst.slice(0, MAX_SESSIONS)) {
    const parent = parentId !== undefined && ids.has(parentId) ? { path: sessionPath(file, parentId) } : undefined;
    search.add(
      {
        path: sessionPath(file, id),
        size: state.bytes,
        mtimeMs: updatedMs > 0 ? updatedMs : state.mtimeMs,
        format: listing.layout.format,
        sessionId: id,
        title,
        cwd,
        parent,
      },
      false,
    );
  }
}

/** Lists of databases that were not written to since. */
const known = new Map<string, { readonly stamp: string; readonly listing: DatabaseListing | undefined }>();
const MAX_KNOWN = 20;

async function listed(file: string, stamp: string, signal: AbortSignal | undefined): Promise<DatabaseListing | undefined> {
  const before = known.get(file);
  if (before?.stamp === stamp) return before.listing;
  const listing = await listDatabase(createNodeFileSystem(), file, signal).catch(() => undefined);
  signal?.throwIfAborted();
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(file, { stamp, listing });
  return listing;
}
