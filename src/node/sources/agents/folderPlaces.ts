// Agents whose sessions are folders, or documents whose working folder stands elsewhere.
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseJsonc } from 'jsonc-parser';
import type { FormatId } from '../../../core/model/transcript';
import { field, isRecord, recordOf, stringOf, type JsonRecord } from '../../../core/util/json';
import { fileFacts, FileMemory, filesIn, headOf, jsonFile, subfolders, type FileFacts } from '../folders';
import { envOf, type AgentPlaces, type Search } from './place';
import { codeUserFolders, dataFolder } from './userFolders';

const MAX_FOLDERS = 2000;

export const clinePlaces: AgentPlaces = taskPlaces('cline', ['saoudrizwan.claude-dev'], '.cline');
export const rooPlaces: AgentPlaces = taskPlaces('roo', ['rooveterinaryinc.roo-cline', 'rooveterinaryinc.roo-code-nightly']);
export const kiloPlaces: AgentPlaces = taskPlaces('kilo', ['kilocode.kilo-code']);

/** Task folders below an extension's storage, in each kind of VS Code; and those of a command line of its own. */
function taskPlaces(id: FormatId, extensions: readonly string[], ownHome?: string): AgentPlaces {
  return {
    id,
    roots: (machine) => [
      ...codeUserFolders(machine).flatMap((user) => extensions.map((extension) => join(user, 'globalStorage', extension))),
      ...(ownHome === undefined ? [] : [join(machine.home, ownHome, 'data')]),
    ],
    async list(root, search) {
      const history = await taskHistory(root);
      for (const task of await newestFolders(join(root, 'tasks'))) {
        if (search.isFull) return;
        await addTask(id, task, history.get(basename(task)), search);
      }
      for (const session of await newestFolders(join(root, 'sessions'))) await addCommandLineSession(id, session, search);
    },
  };
}

async function addTask(format: FormatId, folder: string, listed: JsonRecord | undefined, search: Search): Promise<void> {
  const facts = await newestOf(folder, ['ui_messages.json', 'api_conversation_history.json', 'claude_messages.json']);
  if (facts === undefined) return;
  const own = listed ?? (await jsonFile(join(folder, 'history_item.json')));
  const item = isRecord(own) ? own : {};
  const cwd =
    stringOf(item, 'workspace') ??
    stringOf(item, 'cwdOnTaskInitialization') ??
    (await FOLDERS_IN_PROMPTS.get(join(folder, 'api_conversation_history.json')));
  const parentId = stringOf(item, 'parentTaskId');
  const parent = parentId === undefined ? undefined : { path: join(dirname(folder), parentId) };
  search.add({ ...facts, path: folder, format, sessionId: basename(folder), cwd, title: stringOf(item, 'task'), parent }, false);
}

/** Cline's list of tasks, by id. Roo Code keeps the same beside each task. */
async function taskHistory(root: string): Promise<ReadonlyMap<string, JsonRecord>> {
  const list = await jsonFile(join(root, 'state', 'taskHistory.json'));
  const items = Array.isArray(list) ? list.filter(isRecord) : [];
  return new Map(items.flatMap((item) => (stringOf(item, 'id') === undefined ? [] : [[stringOf(item, 'id') ?? '', item]])));
}

/** Old tasks state their folder only in what is added to the first prompt. */
const FOLDERS_IN_PROMPTS = new FileMemory<string>(async (path) => {
  const head = new TextDecoder().decode(await headOf(path));
  const match = /# Current (?:Working|Workspace) Directory \(((?:[^()\\]|\\[^n]){1,1000})\)/u.exec(head);
  return match?.[1]?.replaceAll('\\\\', '\\');
});

async function addCommandLineSession(format: FormatId, folder: string, search: Search): Promise<void> {
  const id = basename(folder);
  const facts = await fileFacts(join(folder, `${id}.messages.json`));
  const manifest = await jsonFile(join(folder, `${id}.json`));
  if (facts === undefined) return;
  const about = isRecord(manifest) ? manifest : {};
  const title = stringOf(recordOf(about, 'metadata') ?? {}, 'title');
  search.add({ ...facts, path: folder, format, sessionId: id, cwd: stringOf(about, 'cwd'), title }, false);
}

/** opencode's storage folder, up to 1.1. */
export const opencodeStoragePlaces: AgentPlaces = {
  id: 'opencode',
  roots: (machine) => [join(dataFolder(machine), 'opencode', 'storage', 'session')],
  async list(root, search) {
    // The folder may stay when the database has taken over, with the same sessions.
    const hasDatabase = (await filesIn(join(root, '..', '..'), (name) => /^opencode.*\.db$/u.test(name))).length > 0;
    for (const project of hasDatabase ? [] : (await subfolders(root)).slice(0, MAX_FOLDERS)) {
      for (const path of await filesIn(join(root, project), (name) => name.endsWith('.json'))) {
        if (search.isFull) return;
        const [facts, info] = [await fileFacts(path), await jsonFile(path)];
        if (facts === undefined || !isRecord(info)) continue;
        const updated = field(recordOf(info, 'time') ?? {}, 'updated');
        const parentId = stringOf(info, 'parentID');
        search.add(
          {
            ...facts,
            mtimeMs: typeof updated === 'number' ? updated : facts.mtimeMs,
            format: 'opencode',
            sessionId: stringOf(info, 'id'),
            cwd: stringOf(info, 'directory'),
            title: stringOf(info, 'title'),
            parent: parentId === undefined ? undefined : { sessionId: parentId },
          },
          false,
        );
      }
    }
  },
};

/** Continue: a file a session, and a list that names their folders. */
export const continuePlaces: AgentPlaces = {
  id: 'continue',
  roots: (machine) => [join(envOf(machine, 'CONTINUE_GLOBAL_DIR') ?? join(machine.home, '.continue'), 'sessions')],
  async list(root, search) {
    const list = await jsonFile(join(root, 'sessions.json'));
    const known = new Map((Array.isArray(list) ? list.filter(isRecord) : []).map((one) => [stringOf(one, 'sessionId') ?? '', one]));
    for (const path of await filesIn(root, (name) => name.endsWith('.json') && name !== 'sessions.json')) {
      const facts = await fileFacts(path);
      if (facts === undefined) continue;
      const sessionId = basename(path, '.json');
      const one = known.get(sessionId) ?? {};
      const cwd = pathOfUri(stringOf(one, 'workspaceDirectory'));
      search.add({ ...facts, format: 'continue', sessionId, cwd, title: stringOf(one, 'title') }, false);
    }
  },
};

/** Copilot Chat: sessions lie with the workspace that they were held in. */
export const copilotChatPlaces: AgentPlaces = {
  id: 'copilot-chat',
  roots: (machine) => codeUserFolders(machine),
  async list(root, search) {
    const add = async (folder: string, cwd: string | undefined): Promise<void> => {
      for (const path of await filesIn(folder, (name) => /\.jsonl?$/u.test(name))) {
        const facts = await fileFacts(path);
        // Each chat that was opened leaves a file, most of them without a word.
        if (facts !== undefined && facts.size > EMPTY_CHAT_BYTES) search.add({ ...facts, format: 'copilot-chat', cwd }, false);
      }
    };
    for (const workspace of await newestFolders(join(root, 'workspaceStorage'))) {
      if (search.isFull) return;
      const about = await jsonFile(join(workspace, 'workspace.json'));
      const cwds = isRecord(about) ? await foldersOf(about) : [];
      const own = cwds.find((cwd) => search.folders?.includes(cwd));
      if (search.folders === undefined || own !== undefined) await add(join(workspace, 'chatSessions'), own ?? cwds[0]);
    }
    if (search.folders === undefined) await add(join(root, 'globalStorage', 'emptyWindowChatSessions'), undefined);
  },
};

const EMPTY_CHAT_BYTES = 1500;

/** Folders of a workspace: the one that was opened, or those of its `.code-workspace` file. */
async function foldersOf(about: JsonRecord): Promise<readonly string[]> {
  const folder = pathOfUri(stringOf(about, 'folder'));
  if (folder !== undefined) return [folder];
  const file = pathOfUri(stringOf(about, 'workspace') ?? stringOf(about, 'configuration'));
  return file === undefined ? [] : ((await WORKSPACE_FILES.get(file)) ?? []);
}

/** Such a file may hold comments, and paths beside itself. */
const WORKSPACE_FILES = new FileMemory<readonly string[]>(async (path) => {
  const value: unknown = parseJsonc(new TextDecoder().decode(await headOf(path)));
  const folders = isRecord(value) ? field(value, 'folders') : undefined;
  return (Array.isArray(folders) ? folders.filter(isRecord) : []).flatMap((one) => {
    const named = stringOf(one, 'path');
    const uri = pathOfUri(stringOf(one, 'uri'));
    return named === undefined ? (uri ?? []) : resolve(dirname(path), named);
  });
});

/** OpenHands: a folder a conversation. The folder that it works in stands in its state. */
export const openhandsPlaces: AgentPlaces = {
  id: 'openhands',
  roots: ({ home }) => [join(home, '.openhands', 'conversations'), join(home, '.openhands', 'sessions')],
  async list(root, search) {
    for (const folder of await newestFolders(root)) {
      if (search.isFull) return;
      const events = await filesIn(join(folder, 'events'), (name) => name.endsWith('.json'));
      const last = events.at(-1);
      const facts = last === undefined ? undefined : await fileFacts(last);
      if (facts === undefined) continue;
      const state = await jsonFile(join(folder, 'base_state.json'));
      const workspace = isRecord(state) ? recordOf(state, 'workspace') : undefined;
      const cwd = workspace === undefined ? undefined : stringOf(workspace, 'working_dir');
      search.add({ ...facts, path: folder, format: 'openhands', sessionId: basename(folder), cwd }, false);
    }
  },
};

async function newestOf(folder: string, names: readonly string[]): Promise<FileFacts | undefined> {
  let newest: FileFacts | undefined;
  let size = 0;
  for (const name of names) {
    const facts = await fileFacts(join(folder, name));
    if (facts === undefined) continue;
    size += facts.size;
    if (newest === undefined || facts.mtimeMs > newest.mtimeMs) newest = facts;
  }
  return newest === undefined ? undefined : { ...newest, size };
}

/** Names of tasks and sessions begin with a time, so that the last ones are the newest. */
async function newestFolders(root: string): Promise<readonly string[]> {
  return (await subfolders(root))
    .toReversed()
    .slice(0, MAX_FOLDERS)
    .map((name) => join(root, name));
}

/** Path that a `file:` URI or a plain path names; undefined for another place. */
export function pathOfUri(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (!text.includes('://')) return text;
  try {
    return text.startsWith('file:') ? fileURLToPath(text) : decodeURIComponent(new URL(text).pathname);
  } catch {
    return undefined;
  }
}
