import { basename, dirname } from 'node:path';
import { namesIn, type FolderLayout } from './layout';

const STATE = 'base_state.json';
const EVENTS = 'events';

/** A conversation of OpenHands: `base_state.json` and a file an event in `events`. The path may be the folder, or any of its files. */
export const openhandsConversation: FolderLayout = async (fs, path, names) => {
  const folder = names === undefined ? folderOf(path) : basename(path) === EVENTS ? dirname(path) : path;
  if (folder === undefined) return undefined;
  const events = fs.join(folder, EVENTS);
  if (!(await namesIn(fs, events)).some(isEvent)) return undefined;
  return {
    agent: undefined,
    watched: [folder, events],
    files: async () => {
      const now = await namesIn(fs, events);
      const own = now.filter(isEvent).sort((a, b) => numberOf(a) - numberOf(b));
      const state = (await namesIn(fs, folder)).includes(STATE) ? [{ part: STATE, path: fs.join(folder, STATE) }] : [];
      return [...state, ...own.map((name) => ({ part: `${EVENTS}/${name}`, path: fs.join(events, name) }))];
    },
  };
};

function folderOf(path: string): string | undefined {
  if (basename(path) === STATE) return dirname(path);
  return basename(dirname(path)) === EVENTS && isEvent(basename(path)) ? dirname(dirname(path)) : undefined;
}

/** `event-00012-ID.json`, or `12.json` of the first generation. */
function isEvent(name: string): boolean {
  return /^(?:event-)?\d{1,9}(?:-[\w-]{1,100})?\.json$/u.test(name);
}

function numberOf(name: string): number {
  return Number(/\d+/u.exec(name)?.[0] ?? 0);
}
