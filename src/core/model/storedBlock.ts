import type { ContentBlock } from './message';

/** Content of one message that stays in its file until somebody asks for it. */
export interface StoredContent {
  /** The whole block at an index, of the given type. Reads the file; throws ReadError when another one stands there by now. */
  block(index: number, type: string): ContentBlock;
}

/**
 * A block whose long texts stay in the file. It has the fields of the block it stands for; those that hold a long text are read when they are
 * asked for, so that a session costs the memory of its messages and not that of its bytes. What tells the structure (type, ids, names, flags)
 * is always there.
 */
export class StoredBlock {
  readonly #content: StoredContent;
  readonly #index: number;
  readonly #bytes: number;

  private constructor(content: StoredContent, index: number, bytes: number) {
    this.#content = content;
    this.#index = index;
    this.#bytes = bytes;
  }

  /**
   * The block at `index` of a stored content: the fields of `outline`, of which those named in `cut` are read on demand. `bytes` is the size of
   * its text, about.
   */
  static of(outline: ContentBlock, cut: readonly string[], content: StoredContent, index: number, bytes: number): ContentBlock {
    const block = new StoredBlock(content, index, bytes);
    for (const key of Object.keys(outline)) {
      const later = cut.includes(key) ? readLater(key) : { value: Reflect.get(outline, key) as unknown, enumerable: true };
      Object.defineProperty(block, key, later);
    }
    return isBlock(block) ? block : outline;
  }

  /** UTF-8 bytes of a block's text, about, without reading it; undefined for a block that is in memory. */
  static bytesOf(block: ContentBlock): number | undefined {
    return #bytes in block ? block.#bytes : undefined;
  }

  /** Reads one field of a stored block. */
  static fieldOf(block: object, key: string): unknown {
    if (!(#content in block && isBlock(block))) return undefined;
    return Reflect.get(block.#content.block(block.#index, block.type), key);
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
