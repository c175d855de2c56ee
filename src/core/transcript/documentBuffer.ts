import { nestsDeeperThan, parseJson } from './jsonText';

/** Documents above this size are not read whole; session files of that size are JSONL. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
const FIRST_BYTES = new Set([0x5b, 0x7b]);

/** Keeps the bytes of a file that may be one JSON document over many lines, in contrast to one document a line. */
export class DocumentBuffer {
  readonly #maxDepth: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isCandidate: boolean | undefined;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  push(bytes: Uint8Array): void {
    if (this.#isCandidate === false) return;
    this.#bytes += bytes.length;
    this.#chunks.push(bytes.slice());
    if (this.#bytes > MAX_DOCUMENT_BYTES) this.clear();
  }

  /** Gives the bytes up: the file is no document. */
  clear(): void {
    this.#chunks = [];
    this.#isCandidate = false;
  }

  /** True when the first line that holds anything opens a list or record and does not close it: no line of a JSONL file does. */
  get isCandidate(): boolean {
    if (this.#isCandidate === undefined) {
      const decided = opensDocument(this.#joined());
      if (decided === false) this.clear();
      this.#isCandidate = decided;
    }
    return this.#isCandidate === true;
  }

  /** The document's value; undefined while it is not complete JSON. */
  read(): unknown {
    if (!this.isCandidate) return undefined;
    const text = new TextDecoder('utf-8').decode(this.#joined());
    return nestsDeeperThan(text, this.#maxDepth) ? undefined : parseJson(text);
  }

  #joined(): Uint8Array {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const joined = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      joined.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [joined];
    return joined;
  }
}

/** Undefined until the first line that holds anything is complete. */
function opensDocument(bytes: Uint8Array): boolean | undefined {
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (start < bytes.length && [0x20, 0x09, 0x0d, 0x0a].includes(bytes[start] ?? 0)) start++;
  if (start === bytes.length) return undefined;
  if (!FIRST_BYTES.has(bytes[start] ?? 0)) return false;
  const end = bytes.indexOf(0x0a, start);
  if (end < 0) return undefined;
  return parseJson(new TextDecoder('utf-8').decode(bytes.subarray(start, end))) === undefined;
}
