// A disk in memory behind the calls of the operating system, so that the real file system port runs on it unchanged.
import { constants } from 'node:fs';
import type { FileIo, HandleIo, StatIo } from '../../src/node/fs/fileIo';

interface Inode {
  readonly ino: bigint;
  readonly mode: number;
  bytes: Uint8Array;
  mtimeNs: bigint;
}

type Entry = { readonly kind: 'file'; readonly inode: Inode } | { readonly kind: 'link'; readonly to: string; readonly ino: bigint };

/** An error as the system reports it. */
export function errno(code: string): Error {
  return Object.assign(new Error(code), { code });
}

export class MemoryDisk {
  readonly #entries = new Map<string, Entry>();
  readonly #directories: ReadonlySet<string>;
  #lastIno = 0n;
  /** Time of every change; a test moves it. */
  nowNs = 1_700_000_000_000_000_000n;
  /** False for a disk without hard links. */
  links = true;

  constructor(directories: readonly string[] = ['/s']) {
    this.#directories = new Set(directories);
  }

  /** A foreign program writes or replaces a file. */
  write(path: string, content: string | Uint8Array): void {
    this.#tick();
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    this.#entries.set(path, { kind: 'file', inode: this.#newInode(0o644, bytes) });
  }

  /** A foreign program appends to a file; its inode stays. */
  append(path: string, text: string): void {
    const { inode } = this.#file(path);
    this.#put(inode, inode.bytes.length, new TextEncoder().encode(text));
  }

  /** Other content in the same inode with the same time, as some sync tools leave it. */
  rewriteSilently(path: string, text: string): void {
    this.#file(path).inode.bytes = new TextEncoder().encode(text);
  }

  link(path: string, to: string): void {
    this.#entries.set(path, { kind: 'link', to, ino: ++this.#lastIno });
  }

  text(path: string): string | undefined {
    const bytes = this.bytes(path);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  }

  bytes(path: string): Uint8Array | undefined {
    const entry = this.#entries.get(path);
    return entry?.kind === 'file' ? entry.inode.bytes : undefined;
  }

  mode(path: string): number {
    return this.#file(path).inode.mode;
  }

  age(path: string, ms: number): void {
    this.#file(path).inode.mtimeNs -= BigInt(ms) * 1_000_000n;
  }

  get paths(): readonly string[] {
    return [...this.#entries.keys()].sort();
  }

  /** The calls of the operating system on this disk. */
  get io(): FileIo {
    return {
      open: (path, flags, mode) => run(() => this.#open(path, flags, mode ?? 0o666)),
      stat: (path) => run(() => this.#stat(this.#follow(path))),
      lstat: (path) => run(() => this.#stat(path)),
      link: (from, to) => run(() => this.#hardLink(from, to)),
      rename: (from, to) => run(() => this.#rename(from, to)),
      unlink: (path) => run(() => this.#unlink(path)),
      readdir: (path) => run(() => this.#names(path)),
    };
  }

  #open(path: string, flags: number, mode: number): HandleIo {
    if (this.#directories.has(path)) return this.#handle(undefined);
    if ((flags & constants.O_EXCL) !== 0) {
      if (this.#entries.has(path)) fail('EEXIST');
      const inode = this.#newInode(mode, new Uint8Array());
      this.#entries.set(path, { kind: 'file', inode });
      return this.#handle(inode);
    }
    if ((flags & constants.O_NOFOLLOW) !== 0 && this.#entries.get(path)?.kind === 'link') fail('ELOOP');
    return this.#handle(this.#file(this.#follow(path)).inode);
  }

  #handle(inode: Inode | undefined): HandleIo {
    let at = 0;
    let open = true;
    const usable = (): Inode => inode ?? fail('EISDIR');
    return {
      stat: () => run(() => statOfInode(usable())),
      read: (buffer, offset, length, position) =>
        run(() => {
          const part = usable().bytes.subarray(position, position + length);
          buffer.set(part, offset);
          return { bytesRead: part.length };
        }),
      write: (buffer, offset, length) =>
        run(() => {
          this.#put(usable(), at, buffer.subarray(offset, offset + length));
          at += length;
          return { bytesWritten: length };
        }),
      sync: () => run(() => undefined),
      close: () =>
        run(() => {
          if (!open) fail('EBADF');
          open = false;
        }),
    };
  }

  /** Names in a folder; a folder is wherever files lie. */
  #names(folder: string): string[] {
    const below = this.paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
    return [...new Set(below.map((path) => path.split('/')[0] ?? path))];
  }

  #put(inode: Inode, at: number, part: Uint8Array): void {
    this.#tick();
    const bytes = new Uint8Array(Math.max(inode.bytes.length, at + part.length));
    bytes.set(inode.bytes);
    bytes.set(part, at);
    inode.bytes = bytes;
    inode.mtimeNs = this.nowNs;
  }

  #hardLink(from: string, to: string): void {
    if (!this.links) fail('EPERM');
    if (this.#entries.has(to)) fail('EEXIST');
    this.#entries.set(to, this.#file(from));
  }

  #unlink(path: string): void {
    if (!this.#entries.delete(path)) fail('ENOENT');
  }

  #rename(from: string, to: string): void {
    const entry = this.#file(from);
    this.#entries.delete(from);
    this.#entries.set(to, entry);
  }

  #stat(path: string): StatIo {
    const entry = this.#entries.get(path) ?? fail('ENOENT');
    if (entry.kind === 'file') return statOfInode(entry.inode);
    return { dev: 1n, ino: entry.ino, size: 0n, mtimeNs: this.nowNs, isFile: () => false, isSymbolicLink: () => true };
  }

  #file(path: string): Extract<Entry, { kind: 'file' }> {
    const entry = this.#entries.get(path);
    return entry?.kind === 'file' ? entry : fail('ENOENT');
  }

  #follow(path: string): string {
    const entry = this.#entries.get(path);
    return entry?.kind === 'link' ? this.#follow(entry.to) : path;
  }

  #newInode(mode: number, bytes: Uint8Array): Inode {
    return { ino: ++this.#lastIno, mode, bytes, mtimeNs: this.nowNs };
  }

  #tick(): void {
    this.nowNs += 1_000_000n;
  }
}

function statOfInode(inode: Inode): StatIo {
  return {
    dev: 1n,
    ino: inode.ino,
    size: BigInt(inode.bytes.length),
    mtimeNs: inode.mtimeNs,
    isFile: () => true,
    isSymbolicLink: () => false,
  };
}

function fail(code: string): never {
  throw errno(code);
}

async function run<T>(action: () => T): Promise<T> {
  await Promise.resolve();
  return action();
}
