import { watch, type FSWatcher } from 'node:fs';
import { messageFor } from '../../core/errors/messages';
import type { Transcript } from '../../core/model/transcript';
import { transcriptOfParts } from '../../core/transcript/readParts';
import { DisposableStore, type Disposable } from '../../core/util/disposable';
import { Emitter, type Event } from '../../core/util/emitter';
import type { PartSource, SourceState } from './partSource';
import type { OpenTranscriptOptions, TranscriptFile } from './transcriptFiles';

/** Shortest time between two readings; a source that takes long to read is read less often. */
const UPDATE_MS = 100;
/** Readings take at most this share of the time. */
const MAX_SHARE = 0.2;

/** Reads a session of several parts, and follows it when asked to. Rejects with ReadError. */
export async function openParts(path: string, source: PartSource, options: OpenTranscriptOptions): Promise<TranscriptFile> {
  const first = await readOnce(source, undefined, options.signal);
  return new FollowedParts(path, source, first, options);
}

interface Reading {
  readonly state: SourceState;
  readonly transcript: Transcript;
}

async function readOnce(source: PartSource, before: Transcript | undefined, signal: AbortSignal | undefined): Promise<Reading> {
  const { state, records, diagnostics } = await source.read(signal);
  signal?.throwIfAborted();
  return { state, transcript: transcriptOfParts(records, diagnostics, before) };
}

class FollowedParts implements TranscriptFile {
  readonly #source: PartSource;
  readonly #store = new DisposableStore();
  readonly #changes = new Emitter<void>();
  readonly #aborter = new AbortController();
  #reading: Reading;
  #problem: string | undefined;
  /** Stamp of the state that could not be read, so that it is not tried again until it changes. */
  #failedAt: string | undefined;
  #isGone = false;
  #isLooking = false;
  #again = false;
  #wait: NodeJS.Timeout | undefined;
  #notBefore = -Infinity;

  readonly onDidChange: Event<void> = this.#changes.event;

  constructor(
    readonly path: string,
    source: PartSource,
    reading: Reading,
    options: OpenTranscriptOptions,
  ) {
    this.#source = source;
    this.#reading = reading;
    if (!options.watch) return;
    for (const folder of source.watched) this.#store.add(watched(folder, () => this.#notice()));
    if (options.pollMs > 0) this.#store.add(every(options.pollMs, () => this.#notice()));
    // What was written between the reading and the first notice.
    this.#notice();
  }

  get transcript(): Transcript {
    return this.#reading.transcript;
  }

  get bytesRead(): number {
    return this.#reading.state.bytes;
  }

  get mtimeMs(): number {
    return this.#reading.state.mtimeMs;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  dispose(): void {
    this.#isGone = true;
    this.#aborter.abort();
    clearTimeout(this.#wait);
    this.#store.dispose();
    this.#changes.dispose();
  }

  #notice(): void {
    if (this.#isGone || this.#wait !== undefined) return;
    if (this.#isLooking) {
      this.#again = true;
      return;
    }
    const wait = this.#notBefore - performance.now();
    if (wait <= 0) this.#start();
    else {
      this.#wait = setTimeout(() => {
        this.#wait = undefined;
        this.#start();
      }, wait);
    }
  }

  #start(): void {
    if (this.#isGone) return;
    this.#isLooking = true;
    const began = performance.now();
    void this.#look().finally(() => {
      const ended = performance.now();
      this.#notBefore = Math.max(began + UPDATE_MS, ended + (ended - began) * (1 / MAX_SHARE - 1));
      this.#isLooking = false;
      const again = this.#again;
      this.#again = false;
      if (again) this.#notice();
    });
  }

  /** Never rejects: what goes wrong becomes the file's problem. */
  async #look(): Promise<void> {
    const before = { reading: this.#reading, problem: this.#problem };
    let stamp = 'unknown';
    try {
      ({ stamp } = await this.#source.state());
      if (stamp === this.#failedAt || (stamp === before.reading.state.stamp && before.problem === undefined)) return;
      this.#reading = await readOnce(this.#source, before.reading.transcript, this.#aborter.signal);
      this.#problem = undefined;
      this.#failedAt = undefined;
    } catch (error) {
      this.#problem = messageFor(error);
      this.#failedAt = stamp === 'unknown' ? undefined : stamp;
    }
    if (!this.#isGone && (this.#reading !== before.reading || this.#problem !== before.problem)) this.#changes.fire();
  }
}

/** A folder that cannot be watched is left to polling. */
function watched(folder: string, onNotice: () => void): Disposable {
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(folder, { persistent: false }, onNotice);
    watcher.on('error', () => watcher?.close());
  } catch {
    watcher = undefined;
  }
  return { dispose: () => watcher?.close() };
}

function every(ms: number, run: () => void): Disposable {
  const timer = setInterval(run, ms);
  return { dispose: () => clearInterval(timer) };
}
