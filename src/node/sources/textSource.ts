import { dirname } from 'node:path';
import { ReadError } from '../../core/errors/readError';
import type { FileSystem } from '../../core/ports/fileSystem';
import type { SourceRecord } from '../../core/transcript/lineReader';
import { isAiderHistory } from '../../core/transcript/formats/aiderText';
import { TextLine } from '../../core/transcript/partRecord';
import type { PartSource, PartSourceKind, SourceParts, SourceState } from './partSource';

/** The kind of a text shows in its beginning. */
const HEAD_BYTES = 64 * 1024;
/** Histories are text for people: one above this is none. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A session that is stored as text for people, by lines. */
export const textSource: PartSourceKind = async (fs, path) => {
  const stat = await fs.stat(path);
  if (stat?.isFile !== true || stat.size === 0) return undefined;
  const head = new TextDecoder('utf-8').decode(await fs.read(path, 0, HEAD_BYTES));
  return isAiderHistory(head) ? new TextSource(fs, path) : undefined;
};

class TextSource implements PartSource {
  readonly watched: readonly string[];
  readonly #fs: FileSystem;
  readonly #path: string;

  constructor(fs: FileSystem, path: string) {
    this.#fs = fs;
    this.#path = path;
    this.watched = [dirname(path)];
  }

  async state(): Promise<SourceState> {
    const stat = await this.#fs.stat(this.#path);
    if (stat === undefined) throw new ReadError('notFound');
    return { stamp: `${stat.size} ${stat.mtimeMs} ${stat.inode}`, bytes: stat.size, mtimeMs: stat.mtimeMs };
  }

  async read(): Promise<SourceParts> {
    const state = await this.state();
    if (state.bytes > MAX_BYTES) throw new ReadError('tooLarge');
    const text = new TextDecoder('utf-8').decode(await this.#fs.read(this.#path, 0, MAX_BYTES));
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    return {
      state,
      records: lines.map((line, at): SourceRecord => {
        const content = line.endsWith('\r') ? line.slice(0, -1) : line;
        return { value: new TextLine(content), line: at + 1, part: 0, bytes: line.length };
      }),
      diagnostics: [],
    };
  }
}
