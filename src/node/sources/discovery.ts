import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { FormatId } from '../../core/model/transcript';
import { headFacts } from '../../core/transcript/recognise';
import type { DiscoverOptions } from '../engine/contract';
import { fileFacts, headOf, isInside, sessionFiles, subfolders, type FileFacts } from './folders';

/** Where the agents keep their sessions on this machine. */
export interface AgentFolders {
  /** Claude Code: folders that hold one folder a project. */
  readonly claudeProjects: readonly string[];
  /** Codex: folders that hold `sessions` and `archived_sessions`. */
  readonly codexHomes: readonly string[];
}

export interface FoundSession extends FileFacts {
  readonly format: FormatId;
}

export interface Discovery {
  /** Newest first. */
  readonly sessions: readonly FoundSession[];
  /** Folders that were looked in, whether they exist or not. */
  readonly lookedIn: readonly string[];
}

/** A file whose content is not known yet. */
interface Candidate extends FileFacts {
  /** Folder of a workspace that the session is to belong to; undefined when any will do. */
  readonly folders: readonly string[] | undefined;
}

/** Depth and numbers of folders and files that one search may look at. */
const WORKSPACE_DEPTH = 3;
const MAX_FOLDERS = 2000;
const MAX_FILES = 5000;
/** Codex files newest by name whose first line is read; a resumed session keeps the name of its first day. */
const MAX_CODEX_FILES = 1500;
/** Folders with very many files that are no sessions of an agent. */
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'out', 'build', 'target', 'vendor', '__pycache__']);

/** Folders of the agents for the given environment variables. */
export function agentFolders(env: Readonly<Record<string, string | undefined>>): AgentFolders {
  const home = nonEmpty(env.HOME) ?? nonEmpty(env.USERPROFILE) ?? homedir();
  const claude = nonEmpty(env.CLAUDE_CONFIG_DIR);
  const claudeHomes = claude === undefined ? [join(home, '.claude'), join(home, '.config', 'claude')] : [claude];
  return {
    claudeProjects: claudeHomes.map((folder) => join(folder, 'projects')),
    codexHomes: [nonEmpty(env.CODEX_HOME) ?? join(home, '.codex')],
  };
}

/** Name of the folder in which Claude Code keeps the sessions of a working folder. Several folders may share one name. */
export function dashedFolder(cwd: string): string {
  return cwd.replace(/[^A-Za-z0-9]/g, '-');
}

/**
 * Finds the sessions of some folders, or of the whole machine: Claude Code's by the name of the project folder, Codex' by the working folder
 * in their first line, and transcript files that lie in the folders themselves. What counts is the content, not the name. Bounded work, no
 * link is followed, and a folder that cannot be read only has no sessions.
 */
export async function discoverSessions(options: DiscoverOptions, agents: AgentFolders, signal?: AbortSignal): Promise<Discovery> {
  const search = new Search(signal);
  const folders = await withRealPaths(options.folders);
  for (const root of agents.claudeProjects) await search.claude(root, options.all ? undefined : folders);
  for (const home of agents.codexHomes) await search.codex(home, options.all ? undefined : folders);
  for (const folder of options.folders) {
    await search.codex(join(folder, '.codex'), undefined);
    await search.files(folder);
  }
  for (const extra of Object.values(options.extraPaths).flat()) await search.files(extra);
  return { sessions: await search.newest(options.limit), lookedIn: search.lookedIn };
}

/** One search: what it found so far, and how much it may still look at. */
class Search {
  readonly lookedIn: string[] = [];
  readonly #signal: AbortSignal | undefined;
  readonly #candidates = new Map<string, Candidate>();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  async claude(root: string, folders: readonly string[] | undefined): Promise<void> {
    this.lookedIn.push(root);
    const wanted = folders === undefined ? undefined : new Set(folders.map((folder) => dashedFolder(folder).toLowerCase()));
    const names = (await subfolders(root)).filter((name) => wanted?.has(name.toLowerCase()) ?? true);
    for (const name of names.slice(0, MAX_FOLDERS)) {
      // Older versions keep the files of sub-agents beside the session's.
      const files = (await sessionFiles(join(root, name))).filter((path) => !basename(path).startsWith('agent-'));
      await this.#consider(files, folders);
    }
  }

  async codex(home: string, folders: readonly string[] | undefined): Promise<void> {
    const sessions = join(home, 'sessions');
    this.lookedIn.push(sessions);
    const paths: string[] = [];
    for (const day of await newestDays(sessions)) {
      if (paths.length >= MAX_CODEX_FILES) break;
      paths.push(...(await sessionFiles(day)).toReversed());
    }
    paths.push(...(await sessionFiles(join(home, 'archived_sessions'))).toReversed());
    await this.#consider(paths.slice(0, MAX_CODEX_FILES), folders);
  }

  /** Transcript files in a folder and a few levels below it. */
  async files(folder: string): Promise<void> {
    this.lookedIn.push(folder);
    let level = [folder];
    let seen = 0;
    for (let depth = 0; depth <= WORKSPACE_DEPTH && level.length > 0; depth++) {
      const below: string[] = [];
      for (const path of level) {
        if (seen++ >= MAX_FOLDERS) return;
        await this.#consider(await sessionFiles(path), undefined);
        const names = (await subfolders(path)).filter((name) => !name.startsWith('.') && !SKIPPED_FOLDERS.has(name));
        for (const name of names) if (below.length < MAX_FOLDERS) below.push(join(path, name));
      }
      level = below;
    }
  }

  /** Reads the beginnings of the newest candidates until enough of them are sessions. */
  async newest(limit: number): Promise<readonly FoundSession[]> {
    const sessions: FoundSession[] = [];
    const newestFirst = [...this.#candidates.values()].sort((a, b) => b.mtimeMs - a.mtimeMs);
    for (const { folders, ...facts } of newestFirst) {
      if (sessions.length >= limit) break;
      this.#signal?.throwIfAborted();
      const { format, cwd } = headFacts(await headOf(facts.path));
      if (format !== undefined && (folders === undefined || belongsTo(format, cwd, folders))) sessions.push({ ...facts, format });
    }
    return sessions;
  }

  async #consider(paths: readonly string[], folders: readonly string[] | undefined): Promise<void> {
    for (const path of paths) {
      this.#signal?.throwIfAborted();
      if (this.#candidates.size >= MAX_FILES) return;
      if (this.#candidates.has(path)) continue;
      const facts = await fileFacts(path);
      if (facts !== undefined) this.#candidates.set(path, { ...facts, folders });
    }
  }
}

/**
 * Codex sessions belong to the folders that hold their working folder. Claude Code's lie in the right folder already, unless another folder
 * has the same dashed name.
 */
function belongsTo(format: FormatId, cwd: string | undefined, folders: readonly string[]): boolean {
  if (format !== 'claude-code') return cwd !== undefined && folders.some((folder) => isInside(cwd, folder));
  if (cwd === undefined) return true;
  const isNamesake = folders.some((folder) => dashedFolder(folder).toLowerCase() === dashedFolder(cwd).toLowerCase());
  return !isNamesake || folders.some((folder) => folder.toLowerCase() === cwd.toLowerCase());
}

/** `sessions/YYYY/MM/DD`, newest day first. */
async function newestDays(sessions: string): Promise<readonly string[]> {
  let paths = [sessions];
  for (let level = 0; level < 3; level++) {
    const below: string[] = [];
    for (const path of paths) {
      const names = (await subfolders(path)).filter((name) => /^\d{2,4}$/.test(name));
      below.push(...names.toReversed().map((name) => join(path, name)));
    }
    paths = below.slice(0, MAX_FOLDERS);
  }
  return paths;
}

/** An agent may have been started under a folder's real path and the editor under a link to it. */
async function withRealPaths(folders: readonly string[]): Promise<readonly string[]> {
  const paths = await Promise.all(folders.map(async (folder) => [folder, await realpath(folder).catch(() => folder)]));
  return [...new Set(paths.flat())];
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
