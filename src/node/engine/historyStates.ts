import type { FileSystem } from '../../core/ports/fileSystem';
import { partSourceOf } from '../sources/partSource';
import { partsState } from './copySource';
import { digestOfFile } from './fileDigest';
import type { HistoryEntry } from './historyFiles';

/** What became of a file since a compaction was noted. `grown`: something was added behind the bytes that were there. */
export type StateSince = 'present' | 'grown' | 'changed' | 'missing';

/** The copy of an entry now. `sha256` names its present state, also where it changed; undefined where it has none that could be named. */
export async function copyState(
  fs: FileSystem,
  { record, copyPath }: HistoryEntry,
): Promise<{ readonly state: 'present' | 'changed' | 'missing'; readonly sha256: string | undefined }> {
  const stat = await fs.stat(copyPath);
  if (stat === undefined) return { state: 'missing', sha256: undefined };
  const digest = await digestOfFile(fs, copyPath);
  const isSame = digest?.bytes === record.copy.bytes && digest.sha256 === record.copy.sha256;
  return { state: isSame ? 'present' : 'changed', sha256: digest?.sha256 };
}

/** The original of an entry now. Where it cannot be looked at it counts as missing. */
export async function sourceState(fs: FileSystem, { record, sourcePath }: HistoryEntry): Promise<StateSince> {
  const { kind, sha256, bytes } = record.source.state;
  try {
    if (kind === 'parts') {
      const state = await (await partSourceOf(fs, sourcePath))?.state();
      if (state === undefined) return 'missing';
      return partsState(state).sha256 === sha256 ? 'present' : 'changed';
    }
    const stat = await fs.stat(sourcePath);
    if (stat?.isFile !== true) return 'missing';
    const digest = await digestOfFile(fs, sourcePath, bytes);
    if (digest?.sha256 !== sha256) return 'changed';
    return stat.size === bytes ? 'present' : 'grown';
  } catch {
    return 'missing';
  }
}
