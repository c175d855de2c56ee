import { cutToBytes, utf8Length } from '../util/text';
import { sizeText } from './resultSize';

/** Bytes of a stored result that stay in the conversation. */
export const PREVIEW_BYTES = 2000;

/** A cut at the end of a line is worth losing that much of the preview, and no more. */
const LEAST_AT_LINE_END = 1000;
/** One endless line (base64, minified code) says little, so that a short piece is enough. */
const ENDLESS_LINE_BYTES = 256;

export const PERSISTED_OPEN = '<persisted-output>';
const PERSISTED_CLOSE = '</persisted-output>';

export interface Preview {
  readonly text: string;
  /** The preview is not the whole. */
  readonly hasMore: boolean;
}

/**
 * The beginning of a text for a reader who can look up the rest: all of it up to 2,000 bytes; else up to the last line end after byte 1,000, the
 * full 2,000 bytes where lines end earlier only, 256 bytes where none does. Cut between code points (seed 2, generatePreview).
 */
export function previewOf(text: string): Preview {
  const start = cutToBytes(text, PREVIEW_BYTES);
  if (start.length === text.length) return { text, hasMore: false };
  const lineEnd = start.lastIndexOf('\n');
  if (lineEnd < 0) return { text: cutToBytes(start, ENDLESS_LINE_BYTES), hasMore: true };
  const line = start.slice(0, lineEnd);
  return { text: utf8Length(line) > LEAST_AT_LINE_END ? line : start, hasMore: true };
}

/**
 * What a model sees in the place of a stored result: where the whole is, its size in bytes, and a preview of the given text (seed 2,
 * BuildPersistedOutputMessage). Text that looks like this proves nothing; only a record of ours does.
 */
export function persistedOutputText(path: string, sizeBytes: number, content: string): string {
  const { text, hasMore } = previewOf(content);
  const lines = [
    PERSISTED_OPEN,
    `Too much output (${sizeText(sizeBytes)}). All of it is here: ${path}`,
    '',
    `Beginning (at most ${sizeText(PREVIEW_BYTES)}):`,
    text,
    ...(hasMore ? ['...'] : []),
    PERSISTED_CLOSE,
  ];
  return lines.join('\n');
}
