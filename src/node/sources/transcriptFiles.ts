import { ReadError } from '../../core/errors/readError';
import { messageFor } from '../../core/errors/messages';
import type { Transcript } from '../../core/model/transcript';
import type { FileStat, FileSystem } from '../../core/ports/fileSystem';
import { DisposableStore, type Disposable } from '../../core/util/disposable';
import { Emitter, type Event } from '../../core/util/emitter';
import { createNodeFileSystem } from '../fs/nodeFileSystem';
import { MAX_FILE_BYTES, readTail, readTailNow, STORED_BYTES, type FileTail, type ReadAhead } from './fileTail';
import { every, watchFile, watchFolder } from './fileWatch';
import { followLastPart, readLastPart, type LastPart } from './lastPart';
import { openParts } from './openParts';
import { partSourceOf } from './partSource';

export interface OpenTranscriptOptions {
  /** Follows the file until it is disposed. */
  readonly watch: boolean;
  /** Time between two looks at the file, in milliseconds; 0 relies on the system's notices alone, which some disks do not give. */
  readonly pollMs: number;
  readonly signal?: AbortSignal;
  readonly fs?: FileSystem;
  /** Opens a large file with its last part, and reads the whole of it then. */
  readonly lastPartFirst?: boolean;
}

/** A transcript and the file that it was read from. */
export interface TranscriptFile extends Disposable {
  readonly path: string;
  readonly transcript: Transcript;
  /** Size of the part that `transcript` holds. */
  readonly bytesRead: number;
  readonly mtimeMs: number;
  /** Why the file cannot be read any more, as a sentence; the transcript is then the last one that could be. */
  readonly problem: string | undefined;
  /** Present while `transcript` is of the last part of the file alone. Settles when the whole was read; rejects with ReadError when it cannot be. */
  readonly reading?: Promise<void> | undefined;
  /** Long texts of the transcript stay in the file; undefined where all of it is in memory. */
  readonly isLarge?: boolean;
  readonly onDidChange: Event<void>;
}

/** Updates follow each other at this distance at least; the first one comes at once. */
const UPDATE_MS = 100;

/** Opens a transcript, and follows it when asked to. Reads only. Rejects with ReadError. */
export async function openTranscript(path: string, options: OpenTranscriptOptions): Promise<TranscriptFile> {
  const fs = options.fs ?? createNodeFileSystem();
  const parts = await partSourceOf(fs, path);
  if (parts !== undefined) return openParts(path, parts, options);
  const canStore = options.fs === undefined;
  if (options.lastPartFirst === true && canStore) {
    const stat = await fs.stat(path);
    const part = stat?.isFile === true && isLarge(stat.size) ? await readLastPart(fs, path, stat, options.signal) : undefined;
    if (part !== undefined) return new FollowedFile(fs, path, part, options);
  }
  const tail = await readTail(fs, path, undefined, { signal: options.signal, canStore });
  return new FollowedFile(fs, path, tail, options);
}

/** True for a size whose reading takes longer than people like to wait. */
function isLarge(size: number): boolean {
  return size > STORED_BYTES && size <= MAX_FILE_BYTES;
}

class FollowedFile implements TranscriptFile {
  readonly #fs: FileSystem;
  /** The path is one of the disk's own. */
  readonly #canStore: boolean;
  readonly #store = new DisposableStore();
  readonly #changes = new Emitter<void>();
  readonly #aborter = new AbortController();
  #now: LastPart | FileTail;
  #reading: Reading | undefined;
  #problem: string | undefined;
  /** State of the file when it could not be read, so that a large one is not tried again until it changes. */
  #failedAt: string | undefined;
  #isGone = false;
  /** The reader took in more than the transcript shows; it is of no use any more. */
  #isTorn = false;
  /** What was read behind the present transcript. */
  #ahead: ReadAhead | undefined;
  #wait: NodeJS.Timeout | undefined;
  /** What is going on: nothing, a look at the file, or the wait for the next one. */
  #state: 'idle' | 'looking' | 'lookingAgain' | 'waiting' = 'idle';
  /** When the look began that found the present state. */
  #lastUpdate = -Infinity;

  readonly onDidChange: Event<void> = this.#changes.event;

  constructor(
    fs: FileSystem,
    readonly path: string,
    first: LastPart | FileTail,
    options: OpenTranscriptOptions,
  ) {
    this.#fs = fs;
    this.#canStore = options.fs === undefined;
    this.#now = first;
    if (!isWhole(first)) this.#reading = newReading();
    if (!options.watch) {
      if (this.#reading !== undefined) this.#notice();
      return;
    }
    this.#store.add(watchFolder(path, () => this.#notice()));
    // The file's own notices come sooner than its folder's; a file that takes its place is seen by the folder's watch alone.
    this.#store.add(watchFile(path, () => this.#notice()));
    if (options.pollMs > 0) this.#store.add(every(options.pollMs, () => this.#notice()));
    // What was written between the reading and the first notice.
    this.#notice();
  }

  get transcript(): Transcript {
    return this.#now.transcript;
  }

  get bytesRead(): number {
    return this.#now.bytesRead;
  }

  get mtimeMs(): number {
    return this.#now.stat.mtimeMs;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  get isLarge(): boolean {
    return !isWhole(this.#now) || this.#now.stored !== undefined;
  }

  get reading(): Promise<void> | undefined {
    return this.#reading?.done;
  }

  dispose(): void {
    this.#isGone = true;
    this.#reading?.reject(new ReadError('notFound', 'the session was closed'));
    this.#aborter.abort();
    clearTimeout(this.#wait);
    this.#store.dispose();
    this.#changes.dispose();
  }

  #notice(): void {
    if (!isWhole(this.#now) && this.#state !== 'idle') this.#followPart(this.#now);
    if (this.#isGone || this.#state === 'waiting' || this.#state === 'lookingAgain') return;
    if (this.#state === 'looking') {
      this.#state = 'lookingAgain';
      return;
    }
    const wait = this.#lastUpdate + UPDATE_MS - performance.now();
    if (wait > 0) {
      this.#state = 'waiting';
      this.#wait = setTimeout(() => this.#start(), wait);
    } else this.#start();
  }

  #start(): void {
    if (this.#isGone) return;
    const began = performance.now();
    const before = this.#now;
    // A look that finds nothing (the regular ones) keeps no change waiting.
    const note = (): void => {
      if (this.#now !== before) this.#lastUpdate = began;
    };
    this.#state = 'idle';
    if (this.#lookNow()) {
      note();
      return;
    }
    this.#state = 'looking';
    void this.#look().finally(() => {
      note();
      const again = this.#state === 'lookingAgain';
      this.#state = 'idle';
      if (again) this.#notice();
    });
  }

  /** Takes in an append of a few lines without waiting for anything; false when it takes a longer look. */
  #lookNow(): boolean {
    if (!this.#canStore || !isWhole(this.#now) || this.#problem !== undefined || this.#ahead !== undefined) return false;
    try {
      const tail = readTailNow(this.path, this.#now);
      if (tail === undefined) return false;
      if (tail === this.#now) return true;
      if (!('transcript' in tail)) {
        this.#ahead = tail;
        return false;
      }
      this.#now = tail;
    } catch {
      this.#isTorn = true;
      return false;
    }
    this.#changes.fire();
    return true;
  }

  /** What is written while the whole is being read moves the last part along. */
  #followPart(part: LastPart): void {
    if (this.#isGone || this.#isTorn) return;
    try {
      this.#now = followLastPart(this.path, part);
    } catch {
      this.#isTorn = true;
    }
    if (this.#now !== part) this.#changes.fire();
  }

  /** The whole with what was written while it was read, so that it is not behind the last part that it takes the place of. */
  #caughtUp(whole: FileTail): FileTail {
    const tail = readTailNow(this.path, whole);
    if (tail === undefined || 'transcript' in tail) return tail ?? whole;
    this.#ahead = tail;
    this.#state = 'lookingAgain';
    return whole;
  }

  /** Never rejects: what goes wrong becomes the file's problem. */
  async #look(): Promise<void> {
    const before = { now: this.#now, problem: this.#problem };
    const now = await this.#fs.stat(this.path).then(stateOf, () => 'unknown');
    if (now === this.#failedAt) return;
    try {
      // After a failed reading the old position means nothing.
      const known = before.problem === undefined && !this.#isTorn && isWhole(before.now) ? (this.#ahead ?? before.now) : undefined;
      this.#isTorn = false;
      this.#ahead = undefined;
      const whole = await readTail(this.#fs, this.path, known, { signal: this.#aborter.signal, canStore: this.#canStore });
      this.#isTorn = false;
      this.#now = this.#reading === undefined ? whole : this.#caughtUp(whole);
      this.#problem = undefined;
      this.#failedAt = undefined;
      // Making the transcript of a large file was long work; who waits comes first.
      if (this.#reading !== undefined) await new Promise((resolve) => setImmediate(resolve));
      this.#reading?.resolve();
      this.#reading = undefined;
    } catch (error) {
      this.#problem = messageFor(error);
      this.#failedAt = now;
      this.#reading?.reject(error);
      if (this.#reading !== undefined) this.#reading = newReading();
    }
    if (!this.#isGone && (this.#now !== before.now || this.#problem !== before.problem)) this.#changes.fire();
  }
}

function isWhole(part: LastPart | FileTail): part is FileTail {
  return 'reader' in part;
}

/** A promise with the means to settle it. Nobody has to wait for it. */
interface Reading {
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function newReading(): Reading {
  let resolve = (): void => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const done = new Promise<void>((onDone, onError) => {
    resolve = onDone;
    reject = (error) => onError(error instanceof Error ? error : new Error(String(error)));
  });
  done.catch(() => undefined);
  return { done, resolve, reject };
}

function stateOf(stat: FileStat | undefined): string {
  return stat === undefined ? 'gone' : `${stat.size} ${stat.mtimeMs} ${stat.inode}`;
}
