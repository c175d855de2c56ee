// Stores of tool results on a disk in memory.
import type { StoreError } from '../../src/core/errors/storeError';
import { ResultStore } from '../../src/core/toolResults/resultStore';
import { createNodeFileSystem } from '../../src/node/fs/nodeFileSystem';
import type { FileIo } from '../../src/node/fs/fileIo';
import { MemoryDisk } from './memoryFileSystem';

export const SESSION_FOLDER = '/s';
export const RESULT_FOLDER = '/s/tool-results';

/** A store in the folder of a session; `io` wraps the calls of the disk, and `folderError` is what making the folder fails with. */
export function memoryResultStore(
  options: { readonly disk?: MemoryDisk; readonly io?: (io: FileIo) => FileIo; readonly folderError?: StoreError } = {},
): { readonly store: ResultStore; readonly disk: MemoryDisk } {
  const disk = options.disk ?? new MemoryDisk([SESSION_FOLDER, RESULT_FOLDER, '/']);
  let ids = 0;
  const store = new ResultStore(
    {
      files: createNodeFileSystem(options.io?.(disk.io) ?? disk.io),
      folders: { ensure: () => (options.folderError === undefined ? Promise.resolve() : Promise.reject(options.folderError)) },
      ids: { uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}` },
    },
    SESSION_FOLDER,
  );
  return { store, disk };
}
