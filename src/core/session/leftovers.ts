import type { FileSystem } from '../ports/fileSystem';

/** Kinds of files that we put beside a copy for the time of one run. */
export type ScratchKind = 'tmp' | 'claim';

const SCRATCH_NAME = /^\.context-inspector-[0-9a-f-]{16,36}\.(?:tmp|claim)$/;

/** No run lasts that long: the summary is bounded by minutes, the writing by the disk. */
export const SCRATCH_LIFETIME_MS = 30 * 60 * 1000;

/** Name of a scratch file; hidden, and with an ending that no agent takes for a session. */
export function scratchName(id: string, kind: ScratchKind): string {
  return `.context-inspector-${id}.${kind}`;
}

/**
 * Removes scratch files that a crash left in a directory. Only plain files with a name of ours that no running program can still need; a
 * failure here is no reason not to write, so there is none.
 */
export async function removeLeftovers(fs: FileSystem, directory: string, now: number): Promise<void> {
  try {
    for (const name of await fs.list(directory)) {
      if (!SCRATCH_NAME.test(name)) continue;
      const path = fs.join(directory, name);
      const stat = await fs.stat(path);
      if (stat?.isFile && !stat.isLink && now - stat.mtimeMs > SCRATCH_LIFETIME_MS) await fs.remove(path);
    }
  } catch {
    // The next run tries again.
  }
}
