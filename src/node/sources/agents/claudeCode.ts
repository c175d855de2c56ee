import { basename, join } from 'node:path';
import { sessionFiles, subfolders } from '../folders';
import { envOf, type AgentPlaces, type Search } from './place';
import { configFolder } from './userFolders';

const MAX_FOLDERS = 2000;

/** Claude Code: a folder a project, a file a session, and sub-agents beside it or in a folder of the session's name. */
export const claudeCodePlaces: AgentPlaces = {
  id: 'claude-code',
  roots: (machine) => {
    const own = envOf(machine, 'CLAUDE_CONFIG_DIR');
    // Several may be named, divided by commas.
    const homes = own === undefined ? [join(machine.home, '.claude'), join(machine.home, '.config', 'claude')] : own.split(',');
    return [
      ...homes.filter((folder) => folder.trim() !== '').map((folder) => join(folder.trim(), 'projects')),
      join(configFolder(machine), 'Claude', DESKTOP_SESSIONS),
    ];
  },
  async list(root, search) {
    const places = basename(root) === DESKTOP_SESSIONS ? await nestedProjects(root) : [root];
    for (const place of places) await listProjects(place, search);
  },
};

/** Claude Desktop's agents keep the same layout some levels down. */
const DESKTOP_SESSIONS = 'local-agent-mode-sessions';
const DESKTOP_DEPTH = 5;
const MAX_DESKTOP_FOLDERS = 500;

async function nestedProjects(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  let level = [root];
  let seen = 0;
  for (let depth = 0; depth < DESKTOP_DEPTH && level.length > 0; depth++) {
    const below: string[] = [];
    for (const path of level) {
      if (seen++ >= MAX_DESKTOP_FOLDERS) return found;
      for (const name of await subfolders(path)) (name === 'projects' ? found : below).push(join(path, name));
    }
    level = below;
  }
  return found;
}

async function listProjects(root: string, search: Search): Promise<void> {
  const wanted = search.folders === undefined ? undefined : new Set(search.folders.map((folder) => dashedFolder(folder).toLowerCase()));
  const names = (await subfolders(root)).filter((name) => wanted?.has(name.toLowerCase()) ?? true);
  for (const name of names.slice(0, MAX_FOLDERS)) {
    if (search.isFull) return;
    await listProject(join(root, name), search);
  }
}

/** Name of the folder in which Claude Code keeps the sessions of a working folder. Several folders may share one name. */
export function dashedFolder(cwd: string): string {
  return cwd.replace(/[^A-Za-z0-9]/g, '-');
}

async function listProject(project: string, search: Search): Promise<void> {
  const files = await sessionFiles(project);
  const own = files.filter((path) => !isAgent(path));
  await search.addFiles(own);
  // Version 2.0 keeps sub-agents beside the session, whose id each of their lines holds.
  await search.addFiles(files.filter(isAgent), { parent: { sessionId: undefined } });
  const ids = new Map(own.map((path) => [basename(path, '.jsonl'), path]));
  for (const name of await subfolders(project)) {
    const parent = ids.get(name);
    if (parent === undefined) continue;
    const agents = join(project, name, 'subagents');
    await search.addFiles((await sessionFiles(agents)).filter(isAgent), { parent: { path: parent } });
    for (const flow of await subfolders(join(agents, 'workflows'))) {
      await search.addFiles((await sessionFiles(join(agents, 'workflows', flow))).filter(isAgent), { parent: { path: parent } });
    }
  }
}

/** A workflow's journal lies among the files of its sub-agents. */
function isAgent(path: string): boolean {
  return basename(path).startsWith('agent-');
}
