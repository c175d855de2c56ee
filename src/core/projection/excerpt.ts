import { cutToBytes, utf8Length } from '../util/text';

const CHUNK_BYTES = 384;
const CHUNK_END_BYTES = 187;
const SNIP = '\n<snip/>\n';
const RUN_END_BYTES = 768;

/** A piece of source text in at most 384 bytes: all of it, or 187 bytes of each end around a mark (seed 2, boundedInspectChunk). */
export function boundedChunk(text: string): string {
  if (utf8Length(text) <= CHUNK_BYTES) return text;
  return `${cutToBytes(text, CHUNK_END_BYTES)}${SNIP}${cutToLastBytes(text, CHUNK_END_BYTES)}`;
}

export interface RunExcerpt {
  readonly head: string;
  readonly tail: string;
  readonly truncated: boolean;
}

/** The ends of a program's output, 768 bytes each; the whole as head where it is no longer than both (seed 2, progressiveRunExcerpt). */
export function runExcerpt(text: string): RunExcerpt {
  if (utf8Length(text) <= RUN_END_BYTES * 2) return { head: text, tail: '', truncated: false };
  return { head: cutToBytes(text, RUN_END_BYTES), tail: cutToLastBytes(text, RUN_END_BYTES), truncated: true };
}

/** Longest end of whole code points that takes at most `maxBytes` UTF-8 bytes. */
function cutToLastBytes(text: string, maxBytes: number): string {
  const over = utf8Length(text) - maxBytes;
  if (over <= 0) return text;
  const end = text.slice(cutToBytes(text, over).length);
  if (utf8Length(end) <= maxBytes) return end;
  // The cut fell into a code point, which goes as a whole.
  return end.slice((end.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
}
