import { arrayOf, field, isRecord, type JsonRecord } from '../../util/json';
import type { SourceRecord } from '../lineReader';

/** Deeper changes are not applied, so that no number of them can nest a value beyond what may be walked. */
const MAX_PATH = 64;
const SET = 1;
const PUSH = 2;
const DELETE = 3;

/**
 * The document that a log of changes makes: `{kind:0,v}` states it, and `{kind,k,v,i}` sets, pushes to (after cutting at `i`) or deletes what
 * the path `k` leads to. Values of the log are never changed: what a change touches is copied, once.
 */
export class MutationLog {
  #document: unknown;
  /** Containers made here, which may be changed in place. */
  readonly #owned = new WeakSet<object>();
  /** Lines by which the items of the list of that name came into the document. */
  readonly #list: string;
  #lines: number[] = [];

  constructor(list: string) {
    this.#list = list;
  }

  get document(): unknown {
    return this.#document;
  }

  /** Line by which an item of the list came. */
  lineOf(index: number): number {
    return this.#lines[index] ?? 0;
  }

  /** Applies one line; false when it is no change, or leads nowhere. */
  apply({ value, line }: SourceRecord): boolean {
    if (!isRecord(value)) return false;
    const kind = field(value, 'kind');
    if (kind === 0) {
      this.#document = field(value, 'v');
      this.#note(line, 0);
      return isRecord(this.#document);
    }
    const path = arrayOf(value, 'k');
    if (path === undefined || path.length === 0 || path.length > MAX_PATH) return false;
    this.#document = this.#owner(isContainer(this.#document) ? this.#document : {});
    const key = path.at(-1);
    const parent = this.#walk(path.slice(0, -1));
    if (parent === undefined) return false;
    const isDone = kind === PUSH ? this.#push(parent, key, value) : this.#put(parent, key, kind, field(value, 'v'));
    if (isDone && path[0] === this.#list && path.length === 1)
      this.#note(line, kind === PUSH ? (wholeOf(field(value, 'i')) ?? Infinity) : 0);
    return isDone;
  }

  /** The container at a path, made our own with all above it. */
  #walk(path: readonly unknown[]): object | undefined {
    let at = this.#document;
    for (const key of path) {
      const next = isContainer(at) ? readOf(at, key) : undefined;
      if (!isContainer(at) || !isContainer(next)) return undefined;
      const own = this.#owner(next);
      writeTo(at, key, own);
      at = own;
    }
    return isContainer(at) ? at : undefined;
  }

  #put(parent: object, key: unknown, kind: unknown, value: unknown): boolean {
    if (kind !== SET && kind !== DELETE) return false;
    return writeTo(parent, key, kind === SET ? value : undefined);
  }

  #push(parent: object, key: unknown, change: JsonRecord): boolean {
    const old = readOf(parent, key);
    const list = Array.isArray(old) ? this.#owner(old) : this.#owner([]);
    if (!Array.isArray(list) || !writeTo(parent, key, list)) return false;
    const cut = wholeOf(field(change, 'i'));
    if (cut !== undefined && cut < list.length) list.length = cut;
    for (const item of arrayOf(change, 'v') ?? []) list.push(item);
    return true;
  }

  /** The container, or a copy of it that may be changed in place. */
  #owner(container: object): object {
    if (this.#owned.has(container)) return container;
    const copy: object = Array.isArray(container) ? Array.from<unknown>(container) : { ...container };
    this.#owned.add(copy);
    return copy;
  }

  /** Remembers by which line the items of the list came: those from `from` on by this one. */
  #note(line: number, from: number): void {
    const document = this.#document;
    const list = isRecord(document) ? arrayOf(document, this.#list) : undefined;
    this.#lines.length = Math.min(this.#lines.length, from);
    while (this.#lines.length < (list?.length ?? 0)) this.#lines.push(line);
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function readOf(container: object, key: unknown): unknown {
  if (typeof key !== 'string' && typeof key !== 'number') return undefined;
  return Object.hasOwn(container, key) ? Object.getOwnPropertyDescriptor(container, key)?.value : undefined;
}

/** An item of a list can be replaced, or added at its end; `__proto__` and the length are no keys. */
function writeTo(container: object, key: unknown, value: unknown): boolean {
  if (Array.isArray(container)) {
    const at = wholeOf(key);
    if (at === undefined || at > container.length) return false;
    container[at] = value;
    return true;
  }
  if (typeof key !== 'string' || key === '__proto__') return false;
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
  return true;
}

function wholeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
