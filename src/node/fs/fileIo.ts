// The few calls of the operating system that the file system port is made of. They are a value of their own so that the tests can make the
// n-th call fail, on a disk in memory as well as on a real one.
import * as promises from 'node:fs/promises';

export interface StatIo {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

export interface HandleIo {
  stat(options: { readonly bigint: true }): Promise<StatIo>;
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  write(buffer: Uint8Array, offset: number, length: number): Promise<{ readonly bytesWritten: number }>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface FileIo {
  open(path: string, flags: number, mode?: number): Promise<HandleIo>;
  stat(path: string, options: { readonly bigint: true }): Promise<StatIo>;
  lstat(path: string, options: { readonly bigint: true }): Promise<StatIo>;
  link(existing: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
}

export const NODE_FILE_IO: FileIo = promises;
