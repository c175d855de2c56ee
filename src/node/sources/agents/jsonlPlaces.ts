// Agents whose sessions are JSONL files that name their working folder themselves.
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { isRecord, recordOf } from '../../../core/util/json';
import { filesIn, jsonFile, sessionFiles, subfolders } from '../folders';
import { dataFolder } from './userFolders';
import { envOf, type AgentPlaces, type Search } from './place';

const MAX_FOLDERS = 2000;

/** Qwen Code: `projects/FOLDER/chats`, before that `tmp/HASH/chats`. */
export const qwenPlaces: AgentPlaces = {
  id: 'qwen',
  roots: ({ home }) => [join(home, '.qwen', 'projects'), join(home, '.qwen', 'tmp')],
  list: (root, search) => inEach(root, search, async (folder) => search.addFiles(await sessionFiles(join(folder, 'chats')))),
};

/** pi: a folder a working folder. */
export const piPlaces: AgentPlaces = {
  id: 'pi',
  roots: (machine) => [join(envOf(machine, 'PI_CODING_AGENT_DIR') ?? join(machine.home, '.pi', 'agent'), 'sessions')],
  list: (root, search) => inEach(root, search, async (folder) => search.addFiles(await sessionFiles(folder))),
};

/** Copilot's command line: a folder a session since 0.0.3xx, a file before. */
export const copilotCliPlaces: AgentPlaces = {
  id: 'copilot-cli',
  roots: (machine) => {
    const state = envOf(machine, 'XDG_STATE_HOME');
    const homes = [
      envOf(machine, 'COPILOT_HOME') ?? join(machine.home, '.copilot'),
      ...(state === undefined ? [] : [join(state, '.copilot')]),
    ];
    return homes.map((home) => join(home, 'session-state'));
  },
  async list(root, search) {
    await search.addFiles(await sessionFiles(root));
    await inEach(root, search, async (folder) => search.addFiles(await filesIn(folder, (name) => name === 'events.jsonl')));
  },
};

/** Gemini CLI: a folder a project, named by a hash of its path or by a slug that `projects.json` explains. */
export const geminiPlaces: AgentPlaces = {
  id: 'gemini',
  roots: (machine) => [join(envOf(machine, 'GEMINI_CLI_HOME') ?? machine.home, '.gemini', 'tmp')],
  async list(root, search) {
    const names = await projectNames(root, search.folders);
    await inEach(root, search, async (folder) => {
      const cwd = names.get(basename(folder));
      if (search.folders !== undefined && cwd === undefined) return;
      const chats = join(folder, 'chats');
      const own = await filesIn(chats, (name) => /\.jsonl?$/u.test(name) && !name.startsWith('checkpoint-'));
      // A resumed session goes on in a new file of the same name but for its ending.
      const present = new Set(own);
      const isOfFolder = cwd !== undefined;
      await search.addFiles(
        own.filter((path) => path.endsWith('.jsonl')),
        { cwd },
        isOfFolder,
      );
      await search.addFiles(
        own.filter((path) => path.endsWith('.json') && !present.has(`${path}l`)),
        { format: 'gemini', cwd },
        isOfFolder,
      );
      for (const session of await subfolders(chats)) {
        await search.addFiles(
          await sessionFiles(join(chats, session)),
          { format: 'gemini', cwd, parent: { sessionId: session } },
          cwd !== undefined,
        );
      }
    });
  },
};

async function projectNames(root: string, folders: readonly string[] | undefined): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const registry = await jsonFile(join(root, '..', 'projects.json'));
  const projects = isRecord(registry) ? recordOf(registry, 'projects') : undefined;
  for (const [path, slug] of Object.entries(projects ?? {})) {
    if (typeof slug === 'string' && (folders === undefined || folders.includes(path))) names.set(slug, path);
  }
  for (const folder of folders ?? []) names.set(createHash('sha256').update(folder).digest('hex'), folder);
  return names;
}

/** Goose: files before 1.10; its database is listed with the others. */
export const gooseFilePlaces: AgentPlaces = {
  id: 'goose',
  roots: (machine) => [...gooseFolders(machine)],
  list: async (root, search) => search.addFiles(await sessionFiles(root)),
};

export function gooseFolders(machine: Parameters<AgentPlaces['roots']>[0]): readonly string[] {
  const root = envOf(machine, 'GOOSE_PATH_ROOT');
  if (root !== undefined) return [join(root, 'data', 'sessions'), join(root, 'sessions')];
  const roaming = envOf(machine, 'APPDATA');
  return [
    join(dataFolder(machine), 'goose', 'sessions'),
    ...(machine.platform === 'win32' && roaming !== undefined ? [join(roaming, 'Block', 'goose', 'data', 'sessions')] : []),
  ];
}

async function inEach(root: string, search: Search, work: (folder: string) => Promise<void>): Promise<void> {
  for (const name of (await subfolders(root)).slice(0, MAX_FOLDERS)) {
    if (search.isFull) return;
    search.signal?.throwIfAborted();
    await work(join(root, name));
  }
}
