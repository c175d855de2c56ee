import type { FormatId } from '../../../core/model/transcript';
import type { FileSystem } from '../../../core/ports/fileSystem';

/** A file of a session's folder. */
export interface LayoutFile {
  /** Path below the session's folder, with `/`. */
  readonly part: string;
  readonly path: string;
}

/** A session that lies in several files. */
export interface FolderSession {
  /** Undefined where the files themselves tell. */
  readonly agent: FormatId | undefined;
  /** Folders in which something happens when the session goes on. */
  readonly watched: readonly string[];
  /** The files as they are now, in conversation order, what describes the session first. */
  files(): Promise<readonly LayoutFile[]>;
}

/** Tells whether a path is a session of one agent's layout, or a file of one. `names` are those in the path, where it is a folder. */
export type FolderLayout = (fs: FileSystem, path: string, names: readonly string[] | undefined) => Promise<FolderSession | undefined>;

/** Names in a folder, sorted; none where it cannot be read. */
export async function namesIn(fs: FileSystem, folder: string): Promise<readonly string[]> {
  const names = await fs.list(folder).catch(() => []);
  return [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
