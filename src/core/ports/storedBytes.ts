/** The bytes of a file that is being read, for reading parts of it again. */
export interface StoredBytes {
  /** Bytes [from, to) as they were. Throws ReadError: `changedWhileReading` when the file is another by now, `notFound` when it is gone. */
  read(from: number, to: number): Uint8Array;
  /** True when the bytes are UTF-8. Several gigabytes a second, which a decoder is not. */
  isUtf8(bytes: Uint8Array): boolean;
}
