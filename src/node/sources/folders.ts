// The few looks at folders that discovery takes. Each is bounded, follows no link, and answers nothing where a folder cannot be read, so
// that one of them never stops the others.
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { nestsDeeperThan, parseJson } from '../../core/transcript/jsonText';
import { DEFAULT_LINE_LIMITS } from '../../core/transcript/lineReader';

const MAX_ENTRIES = 20_000;
const HEAD_STEP = 64 * 1024;
/** First lines of Codex files hold the instructions, some tens of KiB. */
const MAX_HEAD = 512 * 1024;

export interface FileFacts {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Names of the folders in a folder, in the order of their names. Links are left out. */
export async function subfolders(folder: string): Promise<readonly string[]> {
  return (await entries(folder)).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** Paths of the session files (`*.jsonl`) that lie directly in a folder. Links are left out. */
export function sessionFiles(folder: string): Promise<readonly string[]> {
  return filesIn(folder, (name) => name.endsWith('.jsonl'));
}

/** Paths of the files with a wanted name that lie directly in a folder, in the order of their names. Links are left out. */
export async function filesIn(folder: string, isWanted: (name: string) => boolean): Promise<readonly string[]> {
  const files = (await entries(folder)).filter((entry) => entry.isFile() && isWanted(entry.name));
  return files.map((entry) => join(folder, entry.name));
}

/** Value of a small JSON file; undefined when it cannot be read, is too large or no JSON. */
export function jsonFile(path: string): Promise<unknown> {
  return JSON_FILES.get(path);
}

/** What was made of files, kept until they change: a look that finds nothing new reads nothing. */
export class FileMemory<T> {
  readonly #known = new Map<string, { readonly stamp: string; readonly value: T | undefined }>();

  constructor(private readonly read: (path: string, facts: FileFacts) => Promise<T | undefined>) {}

  /** Undefined for a file that is gone or cannot be read. */
  async get(path: string): Promise<T | undefined> {
    const facts = await fileFacts(path);
    if (facts === undefined) return undefined;
    const stamp = `${facts.size} ${facts.mtimeMs}`;
    const before = this.#known.get(path);
    if (before?.stamp === stamp) return before.value;
    const value = await this.read(path, facts).catch(() => undefined);
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(path, { stamp, value });
    return value;
  }
}

const MAX_REMEMBERED = 10_000;
const MAX_JSON = 8 * 1024 * 1024;

const JSON_FILES = new FileMemory<unknown>(async (path, { size }) => {
  if (size > MAX_JSON) return undefined;
  const text = await readFile(path, 'utf8');
  return nestsDeeperThan(text, DEFAULT_LINE_LIMITS.maxDepth) ? undefined : parseJson(text);
});

/** Size and time of a file; undefined when it is gone, empty or no file. */
export async function fileFacts(path: string): Promise<FileFacts | undefined> {
  try {
    const { size, mtimeMs, isFile } = await stat(path).then((facts) => ({
      size: facts.size,
      mtimeMs: facts.mtimeMs,
      isFile: facts.isFile(),
    }));
    return isFile && size > 0 ? { path, size, mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}

/** The first bytes of a file, at least to the end of its first line where that is not too long; empty when it cannot be read. */
export async function headOf(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (handle === undefined) return new Uint8Array();
  try {
    const buffer = new Uint8Array(MAX_HEAD);
    let length = 0;
    while (length < MAX_HEAD) {
      const { bytesRead } = await handle.read(buffer, length, Math.min(HEAD_STEP, MAX_HEAD - length), length);
      if (bytesRead === 0) break;
      const hasLine = buffer.subarray(length, length + bytesRead).includes(0x0a);
      length += bytesRead;
      if (hasLine) break;
    }
    return buffer.subarray(0, length);
  } catch {
    return new Uint8Array();
  } finally {
    await handle.close().catch(() => undefined);
  }
}

/** True when a path is a folder or lies below it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

async function entries(folder: string): Promise<readonly { name: string; isDirectory(): boolean; isFile(): boolean }[]> {
  try {
    const all = await readdir(folder, { withFileTypes: true });
    return all.slice(0, MAX_ENTRIES).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
