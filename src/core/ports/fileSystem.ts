export interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: string;
  readonly isFile: boolean;
  readonly isLink: boolean;
}

/** File effects. Rejects with StoreError (writes) or ReadError (reads). Paths are absolute. */
export interface FileSystem {
  stat(path: string): Promise<FileStat | undefined>;
  /** Bytes [from, to) of a file. */
  read(path: string, from: number, to: number): Promise<Uint8Array>;
  /** Creates a file with mode 0600; fails with `exists` when anything is there, links included. */
  createExclusive(path: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /** Flushes a file's content to the disk. */
  sync(path: string): Promise<void>;
  /** Gives a finished temporary file its name without ever replacing a file: link then unlink, or an exclusive copy where links are missing. */
  publish(temporary: string, target: string): Promise<void>;
  syncDirectory(path: string): Promise<void>;
  remove(path: string): Promise<void>;
}
