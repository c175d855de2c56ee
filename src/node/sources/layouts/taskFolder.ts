import { basename, dirname } from 'node:path';
import type { FormatId } from '../../../core/model/transcript';
import type { FileSystem } from '../../../core/ports/fileSystem';
import { field, isRecord, stringOf } from '../../../core/util/json';
import { parseJson } from '../../../core/transcript/jsonText';
import { namesIn, type FolderLayout } from './layout';

/** Files of a task of Cline, Roo Code and Kilo Code. `claude_messages.json` is the old name of `ui_messages.json`. */
const TALK = ['api_conversation_history.json', 'ui_messages.json', 'claude_messages.json'];
const DETAILS = ['history_item.json', 'task_metadata.json', 'context_history.json'];
const FILES = [...DETAILS, ...TALK];

/** Names in a path by which the three tell apart; the nearest to the file counts. */
const OWNERS: readonly (readonly [RegExp, FormatId])[] = [
  [/kilo/iu, 'kilo'],
  [/(?:^|[^a-z])roo(?:[^a-z]|$|code|veterinary)/iu, 'roo'],
  [/cline|claude-dev/iu, 'cline'],
];
/** Longest beginning of a file of messages in which traces of Roo Code are looked for. */
const HEAD_BYTES = 256 * 1024;

/** The folder of a task, or any of its files. */
export const taskFolder: FolderLayout = async (fs, path, names) => {
  const folder = names === undefined && FILES.includes(basename(path)) ? dirname(path) : path;
  const present = names ?? (folder === path ? [] : await namesIn(fs, folder));
  if (!TALK.some((name) => present.includes(name)) && folder === path) return undefined;
  return {
    agent: await ownerOf(fs, folder, present),
    watched: [folder],
    files: async () => {
      const now = await namesIn(fs, folder);
      return FILES.filter((name) => now.includes(name)).map((name) => ({ part: name, path: fs.join(folder, name) }));
    },
  };
};

/** By the extension's folder above the task; where the path says nothing, by what only Roo Code writes. */
async function ownerOf(fs: FileSystem, folder: string, names: readonly string[]): Promise<FormatId> {
  for (const part of folder.split(/[\\/]/u).toReversed()) {
    const owner = OWNERS.find(([pattern]) => pattern.test(part));
    if (owner !== undefined) return owner[1];
  }
  if (names.includes('history_item.json')) return (await isKilo(fs, fs.join(folder, 'history_item.json'))) ? 'kilo' : 'roo';
  const ui = TALK.slice(1).find((name) => names.includes(name));
  if (ui === undefined) return 'cline';
  const head = new TextDecoder().decode(await fs.read(fs.join(folder, ui), 0, HEAD_BYTES).catch(() => new Uint8Array()));
  return /"(?:contextCondense|contextTruncation)"|\\"apiProtocol\\"/u.test(head) ? 'roo' : 'cline';
}

async function isKilo(fs: FileSystem, path: string): Promise<boolean> {
  const item = parseJson(new TextDecoder().decode(await fs.read(path, 0, HEAD_BYTES).catch(() => new Uint8Array())));
  return isRecord(item) && (stringOf(item, 'workspace')?.includes('kilo') === true || field(item, 'kilocodeOrganizationId') !== undefined);
}
