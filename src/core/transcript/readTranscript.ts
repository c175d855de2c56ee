import type { Transcript } from '../model/transcript';
import { TranscriptReader, type ReaderOptions } from './incrementalReader';

const PIECE_BYTES = 1024 * 1024;

/** Reads the bytes of a whole file. Throws ReadError `unknownFormat` when they hold no record of a known format. */
export function readTranscript(bytes: Uint8Array, options?: ReaderOptions): Transcript {
  const reader = new TranscriptReader(options);
  // In pieces, so that the parsed lines of a large file do not all wait for their translation at once.
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) reader.push(bytes.subarray(from, from + PIECE_BYTES));
  return reader.snapshot();
}
