// SQLite's write-ahead log, as its file format is documented: a header, then frames of a page each. Frames count up to the last commit whose
// chain of checksums holds.

export const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Without the lowest bit, which tells the byte order of the checksums. */
const WAL_MAGIC = 0x377f0682;
const DATABASE_HEADER_BYTES = 100;
const DATABASE_MAGIC = new TextEncoder().encode('SQLite format 3\0');

/** True for bytes that begin like a database. */
export function isDatabase(bytes: Uint8Array): boolean {
  return DATABASE_MAGIC.every((byte, at) => bytes[at] === byte);
}

/** True for bytes that begin like a write-ahead log. */
export function isWal(bytes: Uint8Array): boolean {
  return bytes.length >= WAL_HEADER_BYTES && viewOf(bytes).getUint32(0) >>> 1 === WAL_MAGIC >>> 1;
}

/**
 * The database as it stands with what its log has committed, marked as one that needs no log. May write into `database` and may answer it.
 * A log that is damaged from its beginning changes nothing.
 */
export function withWal(database: Uint8Array, wal: Uint8Array): Uint8Array {
  const log = readLog(wal);
  const image = log === undefined ? database : applied(database, wal, log);
  // Read and write version of the file format: 2 asks for a log beside the file, 1 for none.
  if (image.length >= DATABASE_HEADER_BYTES) image.fill(1, 18, 20);
  return image;
}

interface Log {
  readonly pageSize: number;
  /** Pages of the database after the last commit. */
  readonly pages: number;
  /** Page number → place of its newest committed content in the log. */
  readonly places: ReadonlyMap<number, number>;
}

function applied(database: Uint8Array, wal: Uint8Array, { pageSize, pages, places }: Log): Uint8Array {
  const size = pages * pageSize;
  // Each page is in the database or in the log; a count beyond both is forged and must not be allocated.
  if (size > database.length + wal.length) return database;
  let image = database.subarray(0, size);
  if (database.length < size) {
    image = new Uint8Array(size);
    image.set(database);
  }
  for (const [page, at] of places) {
    if (page <= pages) image.set(wal.subarray(at, at + pageSize), (page - 1) * pageSize);
  }
  return image;
}

/** Undefined when the log holds no whole commit. */
function readLog(wal: Uint8Array): Log | undefined {
  if (!isWal(wal)) return undefined;
  const view = viewOf(wal);
  const pageSize = view.getUint32(8);
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return undefined;
  const littleEndian = (view.getUint32(0) & 1) === 0;
  let sums = checksum(view, 0, WAL_HEADER_BYTES - 8, littleEndian, [0, 0]);
  if (view.getUint32(24) !== sums[0] || view.getUint32(28) !== sums[1]) return undefined;
  const committed = new Map<number, number>();
  let open: [number, number][] = [];
  let pages = 0;
  for (let at = WAL_HEADER_BYTES; at + FRAME_HEADER_BYTES + pageSize <= wal.length; at += FRAME_HEADER_BYTES + pageSize) {
    // Frames of the log's earlier rounds carry other salts.
    if (view.getUint32(at + 8) !== view.getUint32(16) || view.getUint32(at + 12) !== view.getUint32(20)) break;
    sums = checksum(view, at, 8, littleEndian, sums);
    sums = checksum(view, at + FRAME_HEADER_BYTES, pageSize, littleEndian, sums);
    if (view.getUint32(at + 16) !== sums[0] || view.getUint32(at + 20) !== sums[1]) break;
    const page = view.getUint32(at);
    if (page === 0) break;
    open.push([page, at + FRAME_HEADER_BYTES]);
    const pagesAfterCommit = view.getUint32(at + 4);
    if (pagesAfterCommit === 0) continue;
    pages = pagesAfterCommit;
    for (const [number, place] of open) committed.set(number, place);
    open = [];
  }
  return pages === 0 ? undefined : { pageSize, pages, places: committed };
}

type Sums = readonly [number, number];

function checksum(view: DataView, from: number, length: number, littleEndian: boolean, before: Sums): Sums {
  let [a, b] = before;
  for (let at = from; at < from + length; at += 8) {
    a = (a + view.getUint32(at, littleEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, littleEndian) + a) >>> 0;
  }
  return [a, b];
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
