import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import type { FormatId } from '../../core/model/transcript';
import { headFacts, type HeadFacts } from '../../core/transcript/recognise';
import type { DiscoverOptions } from '../engine/contract';
import { AGENT_PLACES } from './agents';
import { dashedFolder } from './agents/claudeCode';
import { codexPlaces } from './agents/codex';
import { listSessionsOf } from './agents/databasePlaces';
import { envOf, type AgentPlaces, type Candidate, type Machine, type Search } from './agents/place';
import { fileFacts, FileMemory, filesIn, headOf, isInside, subfolders, type FileFacts } from './folders';

/** Where the agents keep their sessions on this machine. */
export type AgentFolders = readonly { readonly places: AgentPlaces; readonly roots: readonly string[] }[];

export interface FoundSession extends FileFacts {
  readonly format: FormatId;
  readonly title?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Sessions of its sub-agents, newest first. */
  readonly subagents: readonly FoundSession[];
}

export interface Discovery {
  /** Newest first. */
  readonly sessions: readonly FoundSession[];
  /** Folders that were looked in; of those that do not exist, the main one of each agent. */
  readonly lookedIn: readonly string[];
}

/** Depth and numbers of folders and files that one search may look at. */
const WORKSPACE_DEPTH = 3;
const MAX_FOLDERS = 2000;
const MAX_FILES = 5000;
const MAX_SUBAGENTS = 50;
/** Folders with very many files that are no sessions of an agent. */
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'out', 'build', 'target', 'vendor', '__pycache__']);
const AIDER_HISTORY = '.aider.chat.history.md';

/** Folders of the agents for the given environment variables and system. */
export function agentFolders(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): AgentFolders {
  const bare: Machine = { env, platform, home: '' };
  const machine: Machine = { ...bare, home: envOf(bare, 'HOME') ?? envOf(bare, 'USERPROFILE') ?? homedir() };
  return AGENT_PLACES.map((places) => ({ places, roots: [...new Set(places.roots(machine))] }));
}

/**
 * Finds the sessions of some folders, or of the whole machine: where each agent keeps them, and those that lie in the folders themselves. What
 * counts is the content where the place does not tell, and never the name. Bounded work, no link is followed, and a folder that cannot be read
 * only has no sessions.
 */
export async function discoverSessions(options: DiscoverOptions, agents: AgentFolders, signal?: AbortSignal): Promise<Discovery> {
  const folders = await withRealPaths(options.folders);
  const wanted = options.all ? undefined : folders;
  const found = new Found(signal);
  const lookedIn: string[] = [];
  for (const { places, roots } of agents) {
    for (const [at, root] of roots.entries()) {
      const exists = await isFolder(root);
      if (exists || at === 0) lookedIn.push(root);
      if (exists) await places.list(root, found.search(wanted));
    }
  }
  for (const folder of options.folders) {
    await codexPlaces.list(join(folder, '.codex', 'sessions'), found.search(undefined));
    lookedIn.push(join(folder, '.codex', 'sessions'));
    await listFiles(folder, found.search(undefined));
  }
  for (const extra of Object.values(options.extraPaths).flat()) await listFiles(extra, found.search(undefined));
  lookedIn.push(...options.folders, ...Object.values(options.extraPaths).flat());
  let sessions = await found.newest(options.limit);
  // Aider leaves its history where it works and no list of these places; other agents have worked there too.
  if (options.all && (await found.addFromWorkingFolders(AIDER_HISTORY, 'aider'))) sessions = await found.newest(options.limit);
  return { sessions, lookedIn: [...new Set(lookedIn)] };
}

/** What the searches have found so far. */
class Found {
  readonly #signal: AbortSignal | undefined;
  /** Own sessions and sub-agents are bounded apart, so that neither crowds out the other. */
  readonly #own = new Map<string, Entry>();
  readonly #children = new Map<string, Entry>();
  readonly #workingFolders = new Set<string>();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** A search for sessions of some working folders. */
  search(folders: readonly string[] | undefined): Search {
    const { signal, isFull } = { signal: this.#signal, isFull: (): boolean => this.#own.size >= MAX_FILES };
    const add = (candidate: Candidate, isOfFolder: boolean): void => {
      const entries = candidate.parent === undefined ? this.#own : this.#children;
      if (entries.size >= MAX_FILES || entries.has(candidate.path)) return;
      entries.set(candidate.path, { candidate, folders: isOfFolder ? undefined : folders });
    };
    return {
      folders,
      signal,
      get isFull() {
        return isFull();
      },
      add,
      addFiles: async (paths, more = {}, isOfFolder = false) => {
        for (const path of paths) {
          signal?.throwIfAborted();
          if (isFull() || this.#own.has(path) || this.#children.has(path)) continue;
          const facts = await fileFacts(path);
          if (facts !== undefined) add({ ...more, ...facts }, isOfFolder);
        }
      },
    };
  }

  /** Takes a file of this name from the working folders of the sessions that were found. True when there was a new one. */
  async addFromWorkingFolders(name: string, format: FormatId): Promise<boolean> {
    const before = this.#own.size;
    const search = this.search(undefined);
    await search.addFiles(
      [...this.#workingFolders].map((folder) => join(folder, name)),
      { format },
    );
    return this.#own.size > before;
  }

  /** Reads the beginnings of the newest candidates until enough of them are sessions; then hangs sub-agents below them. */
  async newest(limit: number): Promise<readonly FoundSession[]> {
    const sessions: FoundSession[] = [];
    const children: Child[] = [];
    for (const entry of newestFirst(this.#own)) {
      if (sessions.length >= limit) break;
      this.#signal?.throwIfAborted();
      const session = await sessionOf(entry);
      if (session?.cwd !== undefined && isAbsolute(session.cwd)) this.#workingFolders.add(session.cwd);
      if (session?.parentId === undefined) {
        if (session !== undefined) sessions.push(session.found);
      } else children.push({ found: session.found, parent: { sessionId: session.parentId } });
    }
    return this.#nested(sessions, children);
  }

  async #nested(sessions: readonly FoundSession[], spawned: readonly Child[]): Promise<readonly FoundSession[]> {
    const byPath = new Map(sessions.map((session) => [session.path, session]));
    const byId = new Map(sessions.flatMap((session) => idsOf(session).map((id) => [id, session] as const)));
    const below = new Map<FoundSession, FoundSession[]>();
    const orphans: FoundSession[] = [];
    const hang = ({ found, parent }: Child): boolean => {
      const above = 'path' in parent ? byPath.get(parent.path) : byId.get(parent.sessionId ?? '');
      if (above === undefined) return false;
      const list = below.get(above) ?? [];
      if (list.length < MAX_SUBAGENTS) list.push(found);
      below.set(above, list);
      return true;
    };
    for (const child of spawned) if (!hang(child)) orphans.push(child.found);
    for (const entry of newestFirst(this.#children)) {
      const { parent } = entry.candidate;
      if (parent === undefined || ('path' in parent && !byPath.has(parent.path))) continue;
      this.#signal?.throwIfAborted();
      const session = await sessionOf({ ...entry, folders: undefined });
      if (session === undefined) continue;
      const isUnnamed = 'sessionId' in parent && parent.sessionId === undefined;
      hang({ found: session.found, parent: isUnnamed ? { sessionId: session.headId } : parent });
    }
    const nested = sessions.map((session) => ({ ...session, subagents: below.get(session) ?? [] }));
    return orphans.length === 0 ? nested : [...nested, ...orphans].sort((a, b) => b.mtimeMs - a.mtimeMs);
  }
}

interface Entry {
  readonly candidate: Candidate;
  /** Working folders that it has to belong to; undefined when any will do. */
  readonly folders: readonly string[] | undefined;
}

interface Child {
  readonly found: FoundSession;
  readonly parent: NonNullable<Candidate['parent']>;
}

const HEADS = new FileMemory<HeadFacts>(async (path) => headFacts(await headOf(path)));

/** Undefined for what is no session, or one of another folder. */
async function sessionOf({ candidate, folders }: Entry): Promise<
  | {
      readonly found: FoundSession;
      readonly cwd: string | undefined;
      readonly headId: string | undefined;
      readonly parentId: string | undefined;
    }
  | undefined
> {
  const head = candidate.format === undefined ? await HEADS.get(candidate.path) : undefined;
  const format = candidate.format ?? head?.format;
  const cwd = candidate.cwd ?? head?.cwd;
  if (format === undefined || (folders !== undefined && !belongsTo(format, cwd, folders))) return undefined;
  const { path, size, mtimeMs, title, sessionId } = candidate;
  return {
    found: {
      path,
      size,
      mtimeMs,
      format,
      title,
      sessionId: sessionId ?? (format === 'gemini' ? head?.sessionId : undefined),
      subagents: [],
    },
    cwd,
    headId: head?.sessionId,
    parentId: head?.parentId,
  };
}

/** Names by which sub-agents may call a session: its own id, and the one in its file's name. */
function idsOf({ path, sessionId }: FoundSession): readonly string[] {
  const name = basename(path).replace(/\.jsonl?$/u, '');
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.exec(name)?.[0];
  return [name, ...(sessionId === undefined ? [] : [sessionId]), ...(uuid === undefined ? [] : [uuid])];
}

function newestFirst(entries: ReadonlyMap<string, Entry>): readonly Entry[] {
  return [...entries.values()].sort((a, b) => b.candidate.mtimeMs - a.candidate.mtimeMs);
}

/** What lies in a folder and a few levels below it: session files, Aider's history, trajectories, a server's database. */
async function listFiles(folder: string, search: Search): Promise<void> {
  let level = [folder];
  let seen = 0;
  for (let depth = 0; depth <= WORKSPACE_DEPTH && level.length > 0; depth++) {
    const below: string[] = [];
    for (const path of level) {
      if (seen++ >= MAX_FOLDERS) return;
      await listFolder(path, search);
      const names = (await subfolders(path)).filter((name) => !name.startsWith('.') && !SKIPPED_FOLDERS.has(name));
      for (const name of names) if (below.length < MAX_FOLDERS) below.push(join(path, name));
    }
    level = below;
  }
}

async function listFolder(folder: string, search: Search): Promise<void> {
  const files = await filesIn(
    folder,
    (name) => /\.(?:jsonl|traj|db)$|^trajectory(?:\.cont-\d+)?\.json$/u.test(name) || name === AIDER_HISTORY,
  );
  const named = (pattern: RegExp): readonly string[] => files.filter((path) => pattern.test(basename(path)));
  await search.addFiles(named(/\.jsonl$/u));
  await search.addFiles(named(/\.traj$/u), { format: 'swe-agent' });
  await search.addFiles(named(/^trajectory/u), { format: 'atif' });
  await search.addFiles(
    files.filter((path) => basename(path) === AIDER_HISTORY),
    { format: 'aider' },
  );
  for (const path of named(/^(?:session|sessions|(?:opencode|kilo)[\w.-]*)\.db$/u)) await listSessionsOf(path, search);
}

/**
 * Sessions belong to the folders that hold their working folder. Claude Code's lie in the right folder already, unless another folder has the
 * same dashed name.
 */
function belongsTo(format: FormatId, cwd: string | undefined, folders: readonly string[]): boolean {
  if (format !== 'claude-code') return cwd !== undefined && folders.some((folder) => isInside(cwd, folder));
  if (cwd === undefined) return true;
  const isNamesake = folders.some((folder) => dashedFolder(folder).toLowerCase() === dashedFolder(cwd).toLowerCase());
  return !isNamesake || folders.some((folder) => folder.toLowerCase() === cwd.toLowerCase());
}

/** An agent may have been started under a folder's real path and the editor under a link to it. */
async function withRealPaths(folders: readonly string[]): Promise<readonly string[]> {
  const paths = await Promise.all(folders.map(async (folder) => [folder, await realpath(folder).catch(() => folder)]));
  return [...new Set(paths.flat())];
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
