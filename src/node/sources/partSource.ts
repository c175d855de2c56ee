import type { Diagnostic } from '../../core/model/transcript';
import type { FileSystem } from '../../core/ports/fileSystem';
import type { SourceRecord } from '../../core/transcript/lineReader';
import { folderSource } from './folderSource';
import { sqliteSource } from './sqlite/sqliteSource';
import { textSource } from './textSource';

/** What a source with parts is at one moment. Two equal stamps mean that nothing was written in between. */
export interface SourceState {
  readonly stamp: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

export interface SourceParts {
  readonly state: SourceState;
  /** Values are PartRecord or TextLine. The record of an unchanged part is the same object in every reading where that is cheap to tell. */
  readonly records: readonly SourceRecord[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A session that is not one JSON file: a database, a folder of files, or a text. Reads only; rejects with ReadError. */
export interface PartSource {
  /** Folders in which something happens when the session goes on. */
  readonly watched: readonly string[];
  state(): Promise<SourceState>;
  read(signal?: AbortSignal): Promise<SourceParts>;
}

/** Looks whether a path names a session of one kind; undefined leaves it to the others. */
export type PartSourceKind = (fs: FileSystem, path: string) => Promise<PartSource | undefined>;

const KINDS: readonly PartSourceKind[] = [sqliteSource, folderSource, textSource];

/** The source with parts that a path names; undefined for a file that is read as JSON by bytes. Rejects with ReadError. */
export async function partSourceOf(fs: FileSystem, path: string): Promise<PartSource | undefined> {
  for (const kind of KINDS) {
    const source = await kind(fs, path);
    if (source !== undefined) return source;
  }
  return undefined;
}
