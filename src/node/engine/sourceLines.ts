import { createHash } from 'node:crypto';
import { ReadError } from '../../core/errors/readError';
import type { FileSystem } from '../../core/ports/fileSystem';

/** Lines of a source by number, as a copy's writer wants them. */
export interface SourceLines {
  /** Text of a 1-based line without its line end; undefined past the end. */
  readonly lines: (line: number) => string | undefined;
  readonly lineCount: number;
  readonly document?: string;
  /** Hash of all bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** A copy is made in memory; sources above this are read but not copied. */
const LARGEST_SOURCE = 1024 * 1024 * 1024;
/** A source in one JSON document becomes one string. */
const LARGEST_DOCUMENT = 256 * 1024 * 1024;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Reads a source and finds its lines; each line becomes text only when it is asked for. Rejects with ReadError `tooLarge` above 1 GiB. */
export async function readSourceLines(fs: FileSystem, path: string, size: number): Promise<SourceLines> {
  if (size > LARGEST_SOURCE) throw new ReadError('tooLarge');
  const bytes = await fs.read(path, 0, size);
  const starts = [0];
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
  if (starts.at(-1) === bytes.length) starts.pop();
  const decoder = new TextDecoder();
  const lines = (line: number): string | undefined => {
    const from = starts[line - 1];
    if (from === undefined) return undefined;
    let to = (starts[line] ?? bytes.length + 1) - 1;
    if (starts[line] === undefined && bytes.at(-1) !== NEWLINE) to = bytes.length;
    if (to > from && bytes[to - 1] === CARRIAGE_RETURN) to -= 1;
    return decoder.decode(bytes.subarray(from, to));
  };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { lines, lineCount: starts.length, sha256, ...(size <= LARGEST_DOCUMENT ? { document: decoder.decode(bytes) } : {}) };
}
