import type { Transcript } from '../../core/model/transcript';
import type { FileStat, FileSystem } from '../../core/ports/fileSystem';
import { TranscriptReader } from '../../core/transcript/incrementalReader';
import { LineIndex } from '../../core/transcript/lineIndex';
import { pushPieces } from './fileTail';
import { inSlices, Pace } from './slices';
import { StoredFile } from './storedFile';

/** The last part of a file, read before the rest of it. */
export interface LastPart {
  /** As if the file began where the part begins; lines have their true numbers. */
  readonly transcript: Transcript;
  readonly stat: FileStat;
  readonly bytesRead: number;
}

const PIECE_BYTES = 1024 * 1024;
/** Some contexts of the largest windows. */
const LAST_BYTES = 6 * 1024 * 1024;

/** Finds the lines of a file up to a size, piece by piece, so that others get their turn in between. Rejects with ReadError. */
export async function indexLines(file: StoredFile, size: number, signal?: AbortSignal): Promise<LineIndex> {
  const index = new LineIndex();
  for await (const piece of file.pieces(0, size, PIECE_BYTES)) {
    signal?.throwIfAborted();
    index.push(piece);
  }
  return index;
}

/** Reads the last part of a large file as a transcript of its own; undefined when it shows no known format. Rejects with ReadError. */
export async function readLastPart(fs: FileSystem, path: string, stat: FileStat, signal?: AbortSignal): Promise<LastPart | undefined> {
  const stored = new StoredFile(path);
  const index = await indexLines(stored, stat.size, signal);
  const start = index.placeBefore(stat.size - LAST_BYTES);
  const bytes = await fs.read(path, start.at, stat.size);
  stored.advance({ stat, bytesRead: stat.size, head: new Uint8Array(), last: bytes.slice(-4096) });
  const reader = new TranscriptReader({ stored, start });
  await pushPieces(reader, bytes, new Pace());
  if (!reader.isRecognised) return undefined;
  const transcript = await inSlices(reader.snapshotSteps(), signal);
  // What was left out before the part is no damage.
  return { transcript: { ...transcript, diagnostics: [], isLastPart: true }, stat, bytesRead: start.at + bytes.length };
}
