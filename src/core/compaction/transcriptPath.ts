import { ReadError } from '../errors/readError';
import type { FileSystem } from '../ports/fileSystem';

/** Bytes of a record that must not all be blank. */
const PROBE_BYTES = 4096;

/**
 * The path of the full record if a summary may name it: a regular file that is no link, can be read, and whose first 4,096 bytes are not all
 * blank (seed 2). Undefined otherwise: a summary that names a missing record sends its reader astray.
 */
export async function readableTranscriptPath(files: Pick<FileSystem, 'stat' | 'read'>, path: string): Promise<string | undefined> {
  try {
    const stat = await files.stat(path);
    if (stat === undefined || !stat.isFile || stat.isLink || stat.size === 0) return undefined;
    const bytes = await files.read(path, 0, Math.min(stat.size, PROBE_BYTES));
    return new TextDecoder().decode(bytes).trim() === '' ? undefined : path;
  } catch (error) {
    // What cannot be read is as good as absent; anything else is no matter of the file.
    if (error instanceof ReadError) return undefined;
    throw error;
  }
}
