import { createHash } from 'node:crypto';
import type { FileSystem } from '../../core/ports/fileSystem';

const PIECE_BYTES = 4 * 1024 * 1024;
const KEPT_DIGESTS = 500;

// A state of a file has one hash; a list that is drawn again need not read large files again.
const known = new Map<string, string>();

/** A file in one state: its size and the SHA-256 of its bytes, in hexadecimal digits. */
export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Hashes a file, or its first `bytes`; undefined where there is none, where a link stands in its place, or where it is shorter than that.
 * The state is looked at before and after, and undefined is answered when somebody wrote in between. Rejects with ReadError.
 */
export async function digestOfFile(fs: FileSystem, path: string, bytes?: number): Promise<FileDigest | undefined> {
  const before = await fs.stat(path);
  if (!before?.isFile || before.isLink) return undefined;
  const length = bytes ?? before.size;
  if (before.size < length) return undefined;
  const stamp = `${path} ${before.inode} ${before.size} ${before.mtimeMs}`;
  const key = `${stamp} ${length}`;
  const remembered = known.get(key);
  if (remembered !== undefined) return { bytes: length, sha256: remembered };
  const hash = createHash('sha256');
  for (let at = 0; at < length;) {
    const piece = await fs.read(path, at, Math.min(length, at + PIECE_BYTES));
    if (piece.length === 0) return undefined;
    hash.update(piece);
    at += piece.length;
  }
  const after = await fs.stat(path);
  if (after === undefined || stamp !== `${path} ${after.inode} ${after.size} ${after.mtimeMs}`) return undefined;
  const sha256 = hash.digest('hex');
  if (known.size >= KEPT_DIGESTS) known.clear();
  known.set(key, sha256);
  return { bytes: length, sha256 };
}
