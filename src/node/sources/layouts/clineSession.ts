import { basename } from 'node:path';
import { namesIn, type FolderLayout } from './layout';

/** The folder of a session of Cline's command line: `ID/ID.json` and `ID/ID.messages.json`. */
export const clineSession: FolderLayout = (fs, path, names) => {
  const id = basename(path);
  const files = [`${id}.json`, `${id}.messages.json`];
  if (names === undefined || !names.includes(`${id}.messages.json`)) return Promise.resolve(undefined);
  return Promise.resolve({
    agent: 'cline',
    watched: [path],
    files: async () => {
      const now = await namesIn(fs, path);
      return files.filter((name) => now.includes(name)).map((name) => ({ part: name.slice(id.length + 1), path: fs.join(path, name) }));
    },
  });
};
