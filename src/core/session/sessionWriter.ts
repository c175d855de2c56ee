// Writes a new session file, whole or not at all:
//   temporary file beside the target -> content on the disk -> source unchanged? -> published without replacing -> directory on the disk
//   -> the claim let go -> source still unchanged?
// The source is only ever read. Whatever fails or is aborted on the way, neither the temporary file nor the target stays behind.
import { CompactError } from '../errors/compactError';
import { StoreError } from '../errors/storeError';
import type { Clock, IdSource } from '../ports/clock';
import type { FileSystem } from '../ports/fileSystem';
import { removeLeftovers, scratchName } from './leftovers';
import type { SourceFingerprint } from './sourceFingerprint';
import { isUnchanged } from './sourceFingerprint';

export interface WriteSessionInput {
  readonly fs: FileSystem;
  readonly ids: IdSource;
  readonly clock: Clock;
  /** What the records were made from, in the state that was read; absent for records without a source. */
  readonly source?: { readonly path: string; readonly fingerprint: SourceFingerprint } | { readonly isUnchanged: () => Promise<boolean> };
  readonly directory: string;
  /** Name of the new file inside the directory. */
  readonly name: string;
  /** Lines without line ends. */
  readonly records: Iterable<string>;
  /** Gives up what was held for the time of the writing; done before the last look at the source, so that nothing comes after that. */
  readonly release?: () => Promise<void>;
  readonly signal: AbortSignal;
}

const CHUNK_CHARS = 1024 * 1024;
/** A virus scanner or sync tool holds a fresh file for some hundred milliseconds. */
const PUBLISH_TRIES = 5;
const FIRST_PAUSE_MS = 40;

/**
 * Writes the records to a new file (mode 0600) and resolves with its path. Rejects with StoreError (`exists` when anything has that name,
 * `unsafeName`, `link`, `noSpace`, `denied`, `io`), CompactError `staleSource` when the source is not what it was (P71), or `aborted`.
 */
export async function writeSession(input: WriteSessionInput): Promise<string> {
  const { fs, directory, signal } = input;
  if (!isPlainName(input.name)) throw new StoreError('unsafeName', 'the name of the new file is no plain file name');
  const target = fs.join(directory, input.name);
  throwIfAborted(signal);
  await removeLeftovers(fs, directory, input.clock.now());
  const there = await fs.stat(target);
  if (there) throw new StoreError(there.isLink ? 'link' : 'exists', 'something has the name of the new file');
  await assertSourceUnchanged(input);
  throwIfAborted(signal);
  const temporary = fs.join(directory, scratchName(input.ids.uuid(), 'tmp'));
  const written = { bytes: 0 };
  await fs.createExclusive(temporary, encoded(input.records, signal, written));
  await finish(input, temporary, target, written.bytes);
  return target;
}

/** From the temporary file to the published one. */
async function finish(input: WriteSessionInput, temporary: string, target: string, bytes: number): Promise<void> {
  const { fs, signal } = input;
  let published: string | undefined;
  try {
    throwIfAborted(signal);
    await fs.sync(temporary);
    const stat = await fs.stat(temporary);
    if (stat?.size !== bytes) throw new StoreError('io', 'the file system did not take the whole file');
    await assertSourceUnchanged(input);
    await publish(input, temporary, target);
    published = stat.inode;
    throwIfAborted(signal);
    await removeQuietly(fs, temporary);
    await fs.syncDirectory(input.directory);
    await input.release?.();
    throwIfAborted(signal);
    // The last step of all: what the agent appended while we published is in its file and not in ours.
    await assertSourceUnchanged(input);
    throwIfAborted(signal);
  } catch (error) {
    await removeQuietly(fs, temporary);
    if (published !== undefined) await removeOwn(fs, target, published);
    throw error;
  }
}

async function publish(input: WriteSessionInput, temporary: string, target: string): Promise<void> {
  for (let tries = 1; !(await isPublished(input, temporary, target, tries === PUBLISH_TRIES)); tries++) {
    await input.fs.pause(FIRST_PAUSE_MS * 2 ** (tries - 1));
  }
}

/** One try; false where somebody holds the file for now. */
async function isPublished({ fs, signal }: WriteSessionInput, temporary: string, target: string, isLast: boolean): Promise<boolean> {
  throwIfAborted(signal);
  try {
    await fs.publish(temporary, target);
    return true;
  } catch (error) {
    if (isLast || !(error instanceof StoreError && error.code === 'denied')) throw error;
    return false;
  }
}

async function assertSourceUnchanged({ fs, source }: WriteSessionInput): Promise<void> {
  if (source === undefined) return;
  const isSame = 'path' in source ? await isUnchanged(fs, source.path, source.fingerprint) : await source.isUnchanged();
  if (!isSame) {
    throw new CompactError('staleSource', 'the transcript changed after it was read');
  }
}

/** Takes back what this run published; a file that somebody else put in its place stays. */
async function removeOwn(fs: FileSystem, path: string, inode: string): Promise<void> {
  try {
    const stat = await fs.stat(path);
    if (stat?.inode === inode && !stat.isLink) await fs.remove(path);
  } catch {
    // The error that led here is the one to report.
  }
}

async function removeQuietly(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.remove(path);
  } catch {
    // It is removed as a leftover by the next run.
  }
}

function* encoded(records: Iterable<string>, signal: AbortSignal, written: { bytes: number }): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let pending = '';
  const flush = (): Uint8Array => {
    throwIfAborted(signal);
    const bytes = encoder.encode(pending);
    pending = '';
    written.bytes += bytes.length;
    return bytes;
  };
  for (const record of records) {
    pending += `${record}\n`;
    if (pending.length >= CHUNK_CHARS) yield flush();
  }
  yield flush();
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new CompactError('aborted', 'the compaction was cancelled', { cause: signal.reason });
}

/** A name and no path, so that the file lands in the directory that was chosen. */
function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.length <= 255 && !/[/\\\0]/.test(name);
}
