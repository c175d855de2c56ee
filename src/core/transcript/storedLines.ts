import { ReadError } from '../errors/readError';
import { isMedia, type ContentBlock } from '../model/message';
import { StoredBlock, type StoredContents, type StoredLine } from '../model/storedBlock';
import type { StoredBytes } from '../ports/storedBytes';
import { cutFacts } from './cutText';
import { parseJson } from './jsonText';
import type { SourceRecord } from './lineReader';
import { decodeLine, withoutPadding } from './lineText';

/** Lines whose content is kept for the next question, by the bytes of the lines. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** Fields of a line that was read whole stay in memory up to this size. */
const SHORT_BYTES = 512;

/** What becomes of the contents of the messages that one line gives, in the order in which the adapter makes them. */
export interface LineContents {
  /** The content as it is kept in memory. */
  keep(content: readonly ContentBlock[]): readonly ContentBlock[];
}

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

  /** The contents of the line of that place and length, without its line end; `isWhole` when its value is, and not an outline. */
  line(at: number, bytes: number, isWhole: boolean): LineContents {
    const line = { contents: this, at, bytes };
    let next = 0;
    return {
      keep: (content) => {
        const first = next;
        next += content.length;
        return storedBlocks(content, line, first, isWhole);
      },
    };
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

/** Blocks of the messages that a line gives, one message behind the other: what a format tells by the same function that reads its lines. */
export function contentsOf(value: unknown, read: (source: SourceRecord) => unknown): readonly ContentBlock[] {
  const blocks: ContentBlock[] = [];
  const stored: LineContents = {
    keep(content) {
      for (const block of content) blocks.push(block);
      return content;
    },
  };
  read({ value, line: 0, part: 0, bytes: 0, stored });
  return blocks;
}

/** The blocks of a message, with those that hold a text which is cut, or long in a line that was read whole, replaced by ones that read it on demand. */
function storedBlocks(content: readonly ContentBlock[], line: StoredLine, first: number, isWhole: boolean): readonly ContentBlock[] {
  return content.map((block, index) => {
    const later: string[] = [];
    let size = 0;
    for (const [key, value] of Object.entries(block)) {
      const { isCut, bytes } = cutFacts(value);
      if (!NEVER_LATER.has(key) && (isWhole ? bytes > SHORT_BYTES : isCut)) later.push(key);
      if (isCounted(block, key)) size += bytes;
    }
    return later.length === 0 ? block : StoredBlock.of(block, later, line, first + index, { bytes: size, media: mediaIn(block) });
  });
}

/** True for a field that adds its text to a prompt. Signatures do not, and of a call's arguments what the provider wrote does where it is stored. */
function isCounted(block: ContentBlock, key: string): boolean {
  if (block.type === 'toolUse') return key === 'name' || key === (block.rawInput === undefined ? 'input' : 'rawInput');
  return key === 'text' || key === 'content' || key === 'raw';
}

function mediaIn(block: ContentBlock): number {
  if (block.type !== 'toolResult' || typeof block.content === 'string') return isMedia(block) ? 1 : 0;
  return block.content.reduce((sum, part) => sum + mediaIn(part), 0);
}

/** What tells the structure, and is never cut. */
const NEVER_LATER = new Set(['type', 'id', 'toolUseId', 'name']);

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
