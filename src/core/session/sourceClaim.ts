import { CompactError } from '../errors/compactError';
import { StoreError } from '../errors/storeError';
import type { Clock, IdSource } from '../ports/clock';
import type { FileSystem } from '../ports/fileSystem';
import { removeLeftovers, scratchName } from './leftovers';
import type { SourceFingerprint } from './sourceFingerprint';
import { fingerprintKey } from './sourceFingerprint';

export interface ClaimInput {
  readonly fs: FileSystem;
  readonly ids: IdSource;
  readonly clock: Clock;
  /** Where the copy will be written. */
  readonly directory: string;
  readonly fingerprint: SourceFingerprint;
}

/**
 * Runs a compaction while nobody else compacts the same state of the same session into the same directory: of two windows one goes on and
 * the other gets CompactError `staleSource` (T15). The claim is a small file that is removed at the end, or by the run itself before its last
 * look at the source; one that a crash left behind counts for half an hour.
 */
export async function withSourceClaim<T>(input: ClaimInput, run: (release: () => Promise<void>) => Promise<T>): Promise<T> {
  const { fs, directory } = input;
  await removeLeftovers(fs, directory, input.clock.now());
  const path = fs.join(directory, scratchName(fingerprintKey(input.fingerprint), 'claim'));
  try {
    await fs.createExclusive(path, [new TextEncoder().encode(`${input.ids.uuid()}\n`)]);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'exists')) throw error;
    throw new CompactError('staleSource', RUNNING, { cause: error });
  }
  let isHeld = true;
  const release = async (): Promise<void> => {
    if (!isHeld) return;
    isHeld = false;
    await fs.remove(path).catch(() => undefined);
  };
  try {
    return await run(release);
  } finally {
    await release();
  }
}

const RUNNING =
  'Another compaction of this session is running, so nothing was written; wait until it has finished, or half an hour if its program was ended.';
