import { createHash } from 'node:crypto';
import { dirname, basename } from 'node:path';
import { CompactError } from '../../core/errors/compactError';
import type { FileSystem } from '../../core/ports/fileSystem';
import type { CopyInput } from '../../core/session/copy/copyWriter';
import type { HistorySourceState } from '../../core/session/historyRecord';
import type { WriteSessionInput } from '../../core/session/sessionWriter';
import { sourceFingerprint, type SourceFingerprint } from '../../core/session/sourceFingerprint';
import { partSourceOf, type PartSource, type SourceState } from '../sources/partSource';
import { databasePath } from '../sources/sqlite/sqliteSource';
import type { TranscriptFile } from '../sources/transcriptFiles';
import { readSourceLines } from './sourceLines';

/** What a copy is made of, in the state in which the transcript was read. */
export interface CopySource {
  /** Names the state, so that two compactions of it exclude each other. */
  readonly fingerprint: SourceFingerprint;
  readonly guard: NonNullable<WriteSessionInput['source']>;
  /** Where a copy lies that is given no place. */
  readonly directory: string;
  read(): Promise<Pick<CopyInput, 'lines' | 'lineCount' | 'document' | 'parts'> & { readonly state: HistorySourceState }>;
}

/** Opens the source of a transcript. Rejects with CompactError `staleSource` when it is not what was read. */
export async function copySource(fs: FileSystem, file: TranscriptFile): Promise<CopySource> {
  const parts = await partSourceOf(fs, file.path);
  if (parts !== undefined) return partsSource(file, parts);
  const fingerprint = await sourceFingerprint(fs, file.path);
  if (fingerprint?.size !== file.bytesRead) throw new CompactError('staleSource');
  return {
    fingerprint,
    guard: { path: file.path, fingerprint },
    directory: dirname(file.path),
    async read() {
      const { sha256, ...content } = await readSourceLines(fs, file.path, fingerprint.size);
      return { ...content, state: { kind: 'file', sha256, bytes: fingerprint.size } };
    },
  };
}

async function partsSource(file: TranscriptFile, source: PartSource): Promise<CopySource> {
  const { stamp, bytes, mtimeMs } = await source.state();
  if (bytes !== file.bytesRead || mtimeMs !== file.mtimeMs) throw new CompactError('staleSource');
  return {
    fingerprint: { size: bytes, mtimeMs, inode: file.path, tailHash: stamp },
    guard: { isUnchanged: async () => (await source.state()).stamp === stamp },
    directory: copyFolder(file.path),
    read: async () => {
      const { state, records } = await source.read();
      if (state.stamp !== stamp) throw new CompactError('staleSource');
      return { lines: () => undefined, lineCount: 0, parts: records.map(({ value }) => value), state: partsState(state) };
    },
  };
}

/** The state of a database, a folder or a text, as records of compactions keep it. */
export function partsState({ stamp, bytes }: SourceState): HistorySourceState {
  return { kind: 'parts', sha256: createHash('sha256').update(stamp).digest('hex'), bytes: Math.max(1, bytes) };
}

/** Where the copies of a session lie by default. Beside a database. Not inside of a storage folder: its agent would take the copy for a session's own file. */
export function copyFolder(path: string): string {
  const folder = dirname(databasePath(path).file);
  return basename(dirname(folder)) === 'session' ? dirname(dirname(dirname(folder))) : folder;
}
