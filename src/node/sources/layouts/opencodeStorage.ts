import { basename, dirname } from 'node:path';
import type { FileSystem } from '../../../core/ports/fileSystem';
import { isOpencodeFragment } from '../../../core/transcript/formats/opencodeSession';
import { parseJson } from '../../../core/transcript/jsonText';
import { isRecord, stringOf } from '../../../core/util/json';
import { namesIn, type FolderLayout, type LayoutFile } from './layout';

/** A session's own file is small. */
const LARGEST_INFO = 1024 * 1024;
/** Ids become names of folders; anything else in them is no id. */
const ID = /^[\w-]{1,200}$/u;

/** opencode up to 1.1: `session/PROJECT/SESSION.json`, `message/SESSION/MESSAGE.json` and `part/MESSAGE/PART.json` below one folder. */
export const opencodeStorage: FolderLayout = async (fs, path, names) => {
  const storage = dirname(dirname(dirname(path)));
  if (names !== undefined || !path.endsWith('.json') || basename(dirname(dirname(path))) !== 'session') return undefined;
  const info = await infoOf(fs, path);
  const id = info === undefined ? undefined : stringOf(info, 'id');
  if (id === undefined || !ID.test(id) || !isOpencodeFragment(info)) return undefined;
  const messages = fs.join(fs.join(storage, 'message'), id);
  const parts = fs.join(storage, 'part');
  return {
    agent: 'opencode',
    // Parts lie in a folder a message, so that a new one of the last message is seen by polling.
    watched: [dirname(path), messages],
    files: async () => [{ part: `session/${basename(path)}`, path }, ...(await messageFiles(fs, messages, parts, id))],
  };
};

async function messageFiles(fs: FileSystem, messages: string, parts: string, session: string): Promise<readonly LayoutFile[]> {
  const files: LayoutFile[] = [];
  for (const name of (await namesIn(fs, messages)).filter(isJson)) {
    const path = fs.join(messages, name);
    files.push({ part: `message/${session}/${name}`, path });
    // A file is named after its message; collections that renamed them still hold the id inside.
    const named = name.slice(0, -'.json'.length);
    const names = (await namesIn(fs, fs.join(parts, named))).filter(isJson);
    const id = names.length > 0 ? named : stringOf((await infoOf(fs, path)) ?? {}, 'id');
    if (id === undefined || !ID.test(id)) continue;
    const folder = fs.join(parts, id);
    const own = names.length > 0 ? names : (await namesIn(fs, folder)).filter(isJson);
    files.push(...own.map((part) => ({ part: `part/${id}/${part}`, path: fs.join(folder, part) })));
  }
  return files;
}

async function infoOf(fs: FileSystem, path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const bytes = await fs.read(path, 0, LARGEST_INFO).catch(() => new Uint8Array());
  const value = parseJson(new TextDecoder().decode(bytes));
  return isRecord(value) ? value : undefined;
}

function isJson(name: string): boolean {
  return name.endsWith('.json');
}
