/** UTF-8 text that is being counted, seen as bytes and as words. TAIL_BYTES more bytes can be read behind every end that is asked about. */
export interface TextBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Bytes behind the end of a range that may be read with its last word, and are masked away. */
export const TAIL_BYTES = 16;

/** Room for so many bytes and the tail. */
export function allocateText(bytes: number): TextBytes {
  const buffer = new ArrayBuffer(bytes + TAIL_BYTES);
  return { bytes: new Uint8Array(buffer), view: new DataView(buffer) };
}

/** Hash of the bytes from `from` to `to`, word by word; its upper and its lower bits are well mixed. */
export function hashOf(view: DataView, from: number, to: number): number {
  const length = to - from;
  let hash = Math.imul(length, 0x9e3779b1);
  let at = from;
  for (; at + 4 <= to; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  if (at < to) hash = Math.imul(hash ^ (view.getInt32(at, true) & (TAIL_MASK[length & 3] ?? 0)), 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** True when the two ranges of `length` bytes hold the same. */
export function sameBytes(left: DataView, leftFrom: number, right: DataView, rightFrom: number, length: number): boolean {
  let at = 0;
  for (; at + 4 <= length; at += 4) if (left.getInt32(leftFrom + at, true) !== right.getInt32(rightFrom + at, true)) return false;
  if (at === length) return true;
  return ((left.getInt32(leftFrom + at, true) ^ right.getInt32(rightFrom + at, true)) & (TAIL_MASK[length & 3] ?? 0)) === 0;
}

/** Which bits of the last word belong to a range of this length modulo 4. */
const TAIL_MASK = new Int32Array([0, 0xff, 0xffff, 0xffffff]);
