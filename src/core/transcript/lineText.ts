// Bytes of one line as text.

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder('utf-8', { ignoreBOM: true });

/** Text of a line; `replaced` when some bytes were no UTF-8 and stand as U+FFFD. */
export function decodeLine(bytes: Uint8Array): { readonly value: string; readonly replaced: boolean } {
  try {
    return { value: STRICT.decode(bytes), replaced: false };
  } catch {
    return { value: LENIENT.decode(bytes), replaced: true };
  }
}

/** The line without the byte order mark of a file's first line and without zero bytes, of which crashes leave runs and JSON holds none. */
export function withoutPadding(bytes: Uint8Array, isFirst: boolean): Uint8Array {
  const line = isFirst && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  return line.includes(0) ? line.filter((byte) => byte !== 0) : line;
}
