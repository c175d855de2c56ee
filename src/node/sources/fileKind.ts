/** Bytes that are looked at to tell text from other content. */
const SAMPLE_BYTES = 64 * 1024;
/** Text may hold a few control characters or a stretch that a crash left; more than this share is no text. */
const MAX_STRANGE_SHARE = 0.3;
const OPENING = new Set([0x7b, 0x5b]);

/**
 * True when the beginning of a file is no text: many control bytes or bytes that are no UTF-8, and nothing that begins like JSON. A run of
 * zero bytes at the start of a session file, which crashes leave, does not count when a record follows.
 */
export function looksBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (hasJsonLine(sample)) return false;
  const text = new TextDecoder('utf-8').decode(sample);
  let strange = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd || (unit < 0x20 && unit !== 0x09 && unit !== 0x0a && unit !== 0x0d)) strange++;
  }
  return text.length > 0 && strange / text.length > MAX_STRANGE_SHARE;
}

/** True for spaces and line ends alone. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

/** A line whose first byte that is neither space nor zero opens a record or list. */
function hasJsonLine(bytes: Uint8Array): boolean {
  let start = 0;
  while (start < bytes.length) {
    let at = start;
    while (at < bytes.length && [0x00, 0x20, 0x09, 0x0d, 0xef, 0xbb, 0xbf].includes(bytes[at] ?? 0)) at++;
    if (OPENING.has(bytes[at] ?? 0) && bytes[at + 1] !== 0x00) return true;
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) return false;
    start = end + 1;
  }
  return false;
}
