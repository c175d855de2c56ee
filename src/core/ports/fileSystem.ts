export interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: string;
  readonly isFile: boolean;
  /** The path itself is a link; the other fields are then of what it leads to (of the link where it leads nowhere). */
  readonly isLink: boolean;
}

/** File effects. Rejects with StoreError (writes) or ReadError (reads). Paths are absolute. */
export interface FileSystem {
  /** Undefined when nothing is there. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Bytes [from, to) of a file; fewer where it ends earlier. */
  read(path: string, from: number, to: number): Promise<Uint8Array>;
  /**
   * Creates a file with mode 0600 and writes all chunks; fails with `exists` or `link` when anything is there. Removes what it made when a
   * write or the source of the chunks fails; an error of that source is passed on as it is.
   */
  createExclusive(path: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /** Flushes a file's content to the disk. */
  sync(path: string): Promise<void>;
  /** Gives a finished temporary file its name without ever replacing a file. It has happened whole when this resolves, and not at all otherwise. */
  publish(temporary: string, target: string): Promise<void>;
  /** Makes the names in a directory last through a power cut, where the system can. */
  syncDirectory(path: string): Promise<void>;
  /** Removes a file or link; a missing one is no error. */
  remove(path: string): Promise<void>;
  /** Names in a directory. */
  list(directory: string): Promise<readonly string[]>;
  /** Path of a name inside a directory. */
  join(directory: string, name: string): string;
  /** Waits before another try, while a virus scanner or a sync tool holds a file. */
  pause(ms: number): Promise<void>;
}
