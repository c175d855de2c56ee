import { ReadError } from '../../core/errors/readError';
import type { Diagnostic } from '../../core/model/transcript';
import type { FileStat, FileSystem } from '../../core/ports/fileSystem';
import { ORIGIN_PART } from '../../core/transcript/formats/origin';
import { nestsDeeperThan, parseJson } from '../../core/transcript/jsonText';
import { DEFAULT_LINE_LIMITS, type SourceRecord } from '../../core/transcript/lineReader';
import { PartRecord } from '../../core/transcript/partRecord';
import { clineSession } from './layouts/clineSession';
import type { FolderLayout, FolderSession, LayoutFile } from './layouts/layout';
import { opencodeStorage } from './layouts/opencodeStorage';
import { openhandsConversation } from './layouts/openhandsConversation';
import { taskFolder } from './layouts/taskFolder';
import type { PartSource, PartSourceKind, SourceParts, SourceState } from './partSource';

const LAYOUTS: readonly FolderLayout[] = [taskFolder, clineSession, opencodeStorage, openhandsConversation];

const MAX_FILES = 50_000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_BYTES = 1024 * 1024 * 1024;
/** Files that are looked at or read at the same time. */
const AT_ONCE = 32;

/** A session that lies in several files of a folder. */
export const folderSource: PartSourceKind = async (fs, path) => {
  const stat = await fs.stat(path);
  if (stat === undefined) return undefined;
  const names = stat.isFile ? undefined : await fs.list(path).catch(() => []);
  for (const layout of LAYOUTS) {
    const session = await layout(fs, path, names);
    if (session !== undefined) return new FolderSource(fs, session);
  }
  return undefined;
};

interface FileState extends LayoutFile {
  readonly stat: FileStat;
}

interface Read {
  readonly stamp: string;
  /** The last whole content: files are written anew while we read. */
  readonly record: SourceRecord | undefined;
  readonly isBad: boolean;
}

class FolderSource implements PartSource {
  readonly watched: readonly string[];
  readonly #fs: FileSystem;
  readonly #session: FolderSession;
  #known = new Map<string, Read>();

  constructor(fs: FileSystem, session: FolderSession) {
    this.#fs = fs;
    this.#session = session;
    this.watched = session.watched;
  }

  async state(): Promise<SourceState> {
    return stateOf(await this.#files());
  }

  async read(signal?: AbortSignal): Promise<SourceParts> {
    const files = await this.#files();
    const state = stateOf(files);
    if (state.bytes > MAX_BYTES) throw new ReadError('tooLarge');
    const reads = await inBatches(files, async (file) => {
      signal?.throwIfAborted();
      return this.#fileOf(file);
    });
    this.#known = new Map(files.map((file, at) => [file.path, reads[at] ?? EMPTY]));
    const { agent } = this.#session;
    const origin = agent === undefined ? [] : [{ value: new PartRecord(ORIGIN_PART, { agent }), line: 0, part: 0, bytes: 0 }];
    return {
      state,
      records: [...origin, ...reads.flatMap(({ record }) => record ?? [])],
      diagnostics: reads.flatMap(({ isBad }): Diagnostic[] => (isBad ? [{ line: 0, code: 'bad_json', severity: 'error' }] : [])),
    };
  }

  async #files(): Promise<readonly FileState[]> {
    const files = await this.#session.files();
    if (files.length > MAX_FILES) throw new ReadError('tooLarge');
    const states = await inBatches(files, async (file) => ({ ...file, stat: await this.#fs.stat(file.path) }));
    return states.flatMap(({ stat, ...file }) => (stat?.isFile === true && !stat.isLink ? [{ ...file, stat }] : []));
  }

  async #fileOf({ path, part, stat }: FileState): Promise<Read> {
    const before = this.#known.get(path);
    const stamp = stampOf(stat);
    if (before?.stamp === stamp) return before;
    const value = stat.size > MAX_FILE_BYTES ? undefined : await this.#valueOf(path);
    if (value === undefined) return { stamp, record: before?.record, isBad: true };
    return { stamp, record: { value: new PartRecord(part, value), line: 0, part: 0, bytes: stat.size }, isBad: false };
  }

  /** Undefined for what is no JSON, nests too deep, or is gone by now. */
  async #valueOf(path: string): Promise<unknown> {
    const bytes = await this.#fs.read(path, 0, MAX_FILE_BYTES).catch(() => new Uint8Array());
    const text = new TextDecoder('utf-8').decode(bytes);
    return nestsDeeperThan(text, DEFAULT_LINE_LIMITS.maxDepth) ? undefined : parseJson(text);
  }
}

const EMPTY: Read = { stamp: '', record: undefined, isBad: false };

function stateOf(files: readonly FileState[]): SourceState {
  return {
    stamp: files.map(({ part, stat }) => `${part} ${stampOf(stat)}`).join('\n'),
    bytes: files.reduce((sum, { stat }) => sum + stat.size, 0),
    mtimeMs: files.reduce((latest, { stat }) => Math.max(latest, stat.mtimeMs), 0),
  };
}

function stampOf({ size, mtimeMs, inode }: FileStat): string {
  return `${size} ${mtimeMs} ${inode}`;
}

async function inBatches<A, B>(items: readonly A[], work: (item: A) => Promise<B>): Promise<readonly B[]> {
  const results: B[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
  }
  return results;
}
