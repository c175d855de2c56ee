import type { FileSystem } from '../ports/fileSystem';

/** Tells one state of a file from another. Any append, rewrite or replacement changes it. */
export interface SourceFingerprint {
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: string;
  /** Hash of the last 64 KiB: a rewrite of the same length within one tick of the clock still differs. */
  readonly tailHash: string;
}

const TAIL_BYTES = 64 * 1024;

/**
 * Takes a file's fingerprint; undefined when there is no file. Take it before the file is read: what is appended between the two then counts
 * as a change and is never overlooked.
 */
export async function sourceFingerprint(fs: FileSystem, path: string): Promise<SourceFingerprint | undefined> {
  const stat = await fs.stat(path);
  if (!stat?.isFile) return undefined;
  const tail = await fs.read(path, Math.max(0, stat.size - TAIL_BYTES), stat.size);
  return { size: stat.size, mtimeMs: stat.mtimeMs, inode: stat.inode, tailHash: hashOf(tail) };
}

/** True when the file is still in the state of the fingerprint. Its last look at the file is its last step, so no earlier change escapes. */
export async function isUnchanged(fs: FileSystem, path: string, before: SourceFingerprint): Promise<boolean> {
  const now = await sourceFingerprint(fs, path);
  if (now === undefined || !sameState(now, before) || now.tailHash !== before.tailHash) return false;
  const last = await fs.stat(path);
  return last !== undefined && sameState(last, before);
}

/** Name of a state of a file, of hex digits alone. */
export function fingerprintKey(fingerprint: SourceFingerprint): string {
  const text = [fingerprint.inode, fingerprint.size, fingerprint.mtimeMs, fingerprint.tailHash].join(' ');
  return hashOf(new TextEncoder().encode(text));
}

type State = Pick<SourceFingerprint, 'size' | 'mtimeMs' | 'inode'>;

function sameState(a: State, b: State): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.inode === b.inode;
}

/** Two FNV-1a hashes with different seeds, 64 bits in all: against accidents, not against an attacker who owns the file. */
function hashOf(bytes: Uint8Array): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x01000193);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
