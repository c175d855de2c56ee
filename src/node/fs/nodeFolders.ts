import { lstat, mkdir } from 'node:fs/promises';
import { StoreError } from '../../core/errors/storeError';
import type { Folders } from '../../core/ports/folders';
import { errnoOf, storeErrorOf } from './fsErrors';

const MODE = 0o700;

/** Directories of the machine, which only their owner may enter. */
export function createNodeFolders(): Folders {
  return { ensure };
}

async function ensure(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: MODE });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw storeErrorOf(error);
    const stat = await lstat(path).catch((failure: unknown) => Promise.reject(storeErrorOf(failure)));
    if (stat.isSymbolicLink()) throw new StoreError('link', 'a link has the name of the directory');
    if (!stat.isDirectory()) throw new StoreError('exists', 'something else has the name of the directory');
  }
}
