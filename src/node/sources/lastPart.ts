import type { Transcript } from '../../core/model/transcript';
import type { FileStat, FileSystem } from '../../core/ports/fileSystem';
import { TranscriptReader } from '../../core/transcript/incrementalReader';
import { LineIndex } from '../../core/transcript/lineIndex';
import { pushPieces, readTailNow, WITNESS_BYTES, type FileTail } from './fileTail';
import { inSlices, Pace } from './slices';
import { StoredFile } from './storedFile';

/** The last part of a file, read before the rest of it. */
export interface LastPart {
  /** As if the file began where the part begins; lines have their true numbers. */
  readonly transcript: Transcript;
  readonly stat: FileStat;
  readonly bytesRead: number;
  /** The means to read on behind it. */
  readonly end: FileTail;
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
  const read = { stat, bytesRead: start.at + bytes.length, head: await fs.read(path, 0, WITNESS_BYTES), last: bytes.slice(-WITNESS_BYTES) };
  stored.advance(read);
  const reader = new TranscriptReader({ stored, start });
  await pushPieces(reader, bytes, new Pace());
  if (!reader.isRecognised) return undefined;
  const transcript = await inSlices(reader.snapshotSteps(), signal);
  return partOf({ ...read, transcript, reader, stored });
}

/** The same part with the few bytes that were appended since; itself when nothing was, or more has happened. */
export function followLastPart(path: string, part: LastPart): LastPart {
  const tail = readTailNow(path, part.end);
  if (tail === undefined || tail === part.end) return part;
  return partOf('transcript' in tail ? tail : { ...tail, transcript: tail.reader.snapshot() });
}

function partOf(end: FileTail): LastPart {
  // What was left out before the part is no damage.
  return { transcript: { ...end.transcript, diagnostics: [], isLastPart: true }, stat: end.stat, bytesRead: end.bytesRead, end };
}
