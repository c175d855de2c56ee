import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBpeCounter, type BpeCounter, type Encoding } from '../../core/tokens/bpe/bpeCounter';
import { openRanks } from '../../core/tokens/bpe/rankTable';

/** Loads the exact counter of an encoding. Loading twice gives the same counter; rejects when its table is missing or no table. */
export function loadCounter(encoding: Encoding): Promise<BpeCounter> {
  const known = loading.get(encoding);
  if (known !== undefined) return known;
  const counter = load(encoding);
  loading.set(encoding, counter);
  // A table that was missing may be there the next time.
  counter.catch(() => loading.delete(encoding));
  return counter;
}

const loading = new Map<Encoding, Promise<BpeCounter>>();

async function load(encoding: Encoding): Promise<BpeCounter> {
  const placeOf = openRanks(await readTable(`${encoding}.ranks`));
  if (placeOf === undefined) throw new Error(`The table of ${encoding} is damaged. Install the extension again.`);
  return createBpeCounter(encoding, placeOf);
}

/** Reads a file of the folder `ranks` beside this code; compiled tests stand deeper, so the folders above it are looked into as well. */
async function readTable(name: string): Promise<ArrayBuffer> {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const table = await readWhole(join(folder, 'ranks', name));
    if (table !== undefined) return table;
    if (folder === dirname(folder))
      throw new Error(`${name} is missing. Install the extension again, or run "node scripts/build-ranks.mjs".`);
  }
}

/** The bytes of a file in a buffer of their own, read at once; undefined when there is none. */
async function readWhole(path: string): Promise<ArrayBuffer | undefined> {
  const file = await open(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const bytes = new Uint8Array((await file.stat()).size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.buffer;
  } finally {
    await file.close();
  }
}
