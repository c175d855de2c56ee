import { join } from 'node:path';
import { sessionFiles, subfolders } from '../folders';
import { envOf, type AgentPlaces } from './place';

/** Files newest by name whose first line is read; a resumed session keeps the name of its first day. */
const MAX_FILES = 1500;
const MAX_FOLDERS = 2000;

/** Codex: a folder a day, and archived sessions in one folder. Which folder a session is of stands in its first line. */
export const codexPlaces: AgentPlaces = {
  id: 'codex',
  roots: (machine) => [join(envOf(machine, 'CODEX_HOME') ?? join(machine.home, '.codex'), 'sessions')],
  async list(sessions, search) {
    const paths: string[] = [];
    for (const day of await newestDays(sessions)) {
      if (paths.length >= MAX_FILES) break;
      paths.push(...(await sessionFiles(day)).toReversed());
    }
    paths.push(...(await sessionFiles(join(sessions, '..', 'archived_sessions'))).toReversed());
    await search.addFiles(paths.slice(0, MAX_FILES));
  },
};

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
