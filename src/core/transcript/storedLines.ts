import { ReadError } from '../errors/readError';
import { isMedia, type ContentBlock } from '../model/message';
import { StoredBlock, type StoredContents, type StoredLine } from '../model/storedBlock';
import type { StoredBytes } from '../ports/storedBytes';
import { cutFacts } from './cutText';
import { parseJson } from './jsonText';
import { decodeLine, withoutPadding } from './lineText';

/** Lines whose content is kept for the next question, by the bytes of the lines. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** The lines of one file whose long texts are not in memory. Reads them again one by one and keeps the newest few. */
export class StoredLines implements StoredContents {
  readonly #bytes: StoredBytes;
  readonly #contentOf: (value: unknown) => readonly ContentBlock[];
  /** By place in the file, the one asked for last at the end. */
  readonly #kept = new Map<number, { readonly blocks: readonly ContentBlock[]; readonly bytes: number }>();
  #keptBytes = 0;

  /** `contentOf` translates the value of a whole line as the format's adapter does. */
  constructor(bytes: StoredBytes, contentOf: (value: unknown) => readonly ContentBlock[]) {
    this.#bytes = bytes;
    this.#contentOf = contentOf;
  }

  /** The line of that place and length, without its line end. */
  line(at: number, bytes: number): StoredLine {
    return { contents: this, at, bytes };
  }

  block({ at, bytes }: StoredLine, index: number, type: string): ContentBlock {
    const block = this.#blocksOf(at, bytes)[index];
    if (block?.type !== type) throw new ReadError('changedWhileReading');
    return block;
  }

  isUtf8(bytes: Uint8Array): boolean {
    return this.#bytes.isUtf8(bytes);
  }

  #blocksOf(at: number, bytes: number): readonly ContentBlock[] {
    const known = this.#kept.get(at);
    if (known !== undefined) {
      this.#kept.delete(at);
      this.#kept.set(at, known);
      return known.blocks;
    }
    const blocks = this.#read(at, bytes);
    this.#kept.set(at, { blocks, bytes });
    this.#keptBytes += bytes;
    for (const [place, { bytes: size }] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES || place === at) break;
      this.#kept.delete(place);
      this.#keptBytes -= size;
    }
    return blocks;
  }

  #read(at: number, bytes: number): readonly ContentBlock[] {
    const line = this.#bytes.read(at, at + bytes);
    const value = line.length === bytes ? valueOf(withoutPadding(line, at === 0)) : undefined;
    if (value === undefined) throw new ReadError('changedWhileReading');
    return this.#contentOf(value);
  }
}

/** The blocks of a message as a line's skeleton gave them, with those that hold a cut text replaced by ones that read it on demand. */
export function storedBlocks(outline: readonly ContentBlock[], line: StoredLine): readonly ContentBlock[] {
  return outline.map((block, index) => {
    const cut: string[] = [];
    let size = 0;
    for (const [key, value] of Object.entries(block)) {
      if (UNCOUNTED.has(key)) continue;
      const { isCut, bytes } = cutFacts(value);
      if (isCut) cut.push(key);
      size += bytes;
    }
    return cut.length === 0 ? block : StoredBlock.of(block, cut, line, index, { bytes: size, media: mediaIn(block) });
  });
}

function mediaIn(block: ContentBlock): number {
  if (block.type !== 'toolResult' || typeof block.content === 'string') return isMedia(block) ? 1 : 0;
  return block.content.reduce((sum, part) => sum + mediaIn(part), 0);
}

/** Fields that are never cut and cost nothing. */
const UNCOUNTED = new Set(['type', 'id', 'toolUseId']);

/**
 * Value of a line whose skeleton was JSON. What only the whole strings show is mended: control characters become spaces, and a backslash before
 * anything that it does not escape stands for itself.
 */
function valueOf(line: Uint8Array): unknown {
  const text = decodeLine(line).value;
  return parseJson(text) ?? parseJson(text.replace(ODD, (odd) => (odd.length > 1 ? odd : odd === '\\' ? '\\\\' : ' ')));
}

// Whole escapes match first and stay, so that the second half of an escaped backslash is not taken for a lone one.
const ODD = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\|[\u0000-\u001f]/g;
