import { dirname } from 'node:path';
import { ReadError } from '../../core/errors/readError';
import type { FileSystem } from '../../core/ports/fileSystem';
import type { HistoryEntry } from './historyFiles';
import { copyState } from './historyStates';

/** `changed`: the copy is not in the state that was named; `sha256` is the one that it is in. */
export type UndoOutcome = { readonly outcome: 'removed' } | { readonly outcome: 'changed'; readonly sha256: string };

/**
 * Takes a compaction back: removes its copy, then what is noted of it, so that a crash in between leaves a note of a copy that is missing. The
 * copy is removed only in the state that is named, by default the one in which it was written: whoever went on in it has to be asked about
 * first. Where the copy is gone already, only the note goes. Rejects with ReadError `changedWhileReading` for a copy in no state to be named
 * (it is being written to, or a link has its place), or with StoreError.
 */
export async function undoCompaction(fs: FileSystem, entry: HistoryEntry, state = entry.record.copy.sha256): Promise<UndoOutcome> {
  const now = await copyState(fs, entry);
  if (now.state !== 'missing') {
    if (now.sha256 === undefined) throw new ReadError('changedWhileReading');
    if (now.sha256 !== state) return { outcome: 'changed', sha256: now.sha256 };
    await fs.remove(entry.copyPath);
  }
  await fs.remove(entry.path);
  await fs.syncDirectory(dirname(entry.path));
  return { outcome: 'removed' };
}
