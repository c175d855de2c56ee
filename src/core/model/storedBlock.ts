import type { ContentBlock } from './message';

/** Contents of messages that stay in their file until somebody asks for them. */
export interface StoredContents {
  /** The whole block at an index of the content of a line, of the given type. Reads the file; throws ReadError when another one stands there by now. */
  block(line: StoredLine, index: number, type: string): ContentBlock;
}

/** A line whose long texts stay in the file. */
export interface StoredLine {
  readonly contents: StoredContents;
  /** Place of its first byte, and its length without the line end. */
  readonly at: number;
  readonly bytes: number;
}

/** What is known of a stored block's text without reading it. */
export interface StoredSize {
  /** UTF-8 bytes, about. */
  readonly bytes: number;
  /** Pictures and documents in it. */
  readonly media: number;
}

/** An exact count of a block's text, and what made it. */
export interface TextCount {
  readonly counter: string;
  readonly tokens: number;
  readonly chars: number;
}

/**
 * A block whose long texts stay in the file. It has the fields of the block it stands for; those that hold a long text are read when they are
 * asked for, so that a session costs the memory of its messages and not that of its bytes. What tells the structure (type, ids, names, flags)
 * is always there.
 */
export class StoredBlock {
  // The line's facts are stored here and not in an object of their own: there may be hundreds of thousands of blocks.
  readonly #contents: StoredContents;
  readonly #at: number;
  readonly #lineBytes: number;
  readonly #index: number;
  readonly #bytes: number;
  readonly #media: number;
  #count: TextCount | undefined;

  private constructor({ contents, at, bytes }: StoredLine, index: number, size: StoredSize) {
    this.#contents = contents;
    this.#at = at;
    this.#lineBytes = bytes;
    this.#index = index;
    this.#bytes = size.bytes;
    this.#media = size.media;
  }

  /**
   * The block at `index` of a line's content: the fields of `outline`, of which those named in `cut` are read on demand.
   */
  static of(outline: ContentBlock, cut: readonly string[], line: StoredLine, index: number, size: StoredSize): ContentBlock {
    const block = new StoredBlock(line, index, size);
    for (const key of Object.keys(outline)) {
      const later = cut.includes(key) ? readLater(key) : { value: Reflect.get(outline, key) as unknown, enumerable: true };
      Object.defineProperty(block, key, later);
    }
    return isBlock(block) ? block : outline;
  }

  /** The block with other values of some of its fields; what of the others stays in the file is not read for this. */
  static with<B extends ContentBlock>(block: B, changes: Partial<B>): ContentBlock {
    if (!(#contents in block)) return { ...block, ...changes };
    const line = { contents: block.#contents, at: block.#at, bytes: block.#lineBytes };
    const changed = new StoredBlock(line, block.#index, { bytes: block.#bytes, media: block.#media });
    Object.defineProperties(changed, { ...Object.getOwnPropertyDescriptors(block), ...Object.getOwnPropertyDescriptors(changes) });
    return isBlock(changed) ? changed : block;
  }

  /** How long a block's text is, without reading it; undefined for a block that is in memory. */
  static sizeOf(block: ContentBlock): StoredSize | undefined {
    return #bytes in block ? { bytes: block.#bytes, media: block.#media } : undefined;
  }

  /** The count that was noted of a stored block's text. */
  static countOf(block: ContentBlock): TextCount | undefined {
    return #count in block ? block.#count : undefined;
  }

  /** Notes the exact count of a stored block's text, so that it is not read for that again. */
  static note(block: ContentBlock, count: TextCount): void {
    if (#count in block) block.#count = count;
  }

  /** True when a field of a block would have to be read; it is a long text then. */
  static isStored(block: ContentBlock, key: string): boolean {
    return #contents in block && Object.getOwnPropertyDescriptor(block, key)?.get !== undefined;
  }

  /** Reads one field of a stored block. */
  static fieldOf(block: object, key: string): unknown {
    if (!(#contents in block && isBlock(block))) return undefined;
    return Reflect.get(
      block.#contents.block({ contents: block.#contents, at: block.#at, bytes: block.#lineBytes }, block.#index, block.type),
      key,
    );
  }
}

const READERS = new Map<string, PropertyDescriptor>();

/** One getter a field for all blocks: with getters of their own, each block would be of a shape of its own. */
function readLater(key: string): PropertyDescriptor {
  const known = READERS.get(key);
  if (known !== undefined) return known;
  const reader: PropertyDescriptor = {
    get(this: object) {
      return StoredBlock.fieldOf(this, key);
    },
    enumerable: true,
  };
  READERS.set(key, reader);
  return reader;
}

function isBlock(value: object): value is ContentBlock & StoredBlock {
  return 'type' in value;
}
