// Files with the whole output of tools, one per result, in `tool-results` of a session's folder. A file is made once and never changed.
import { StoreError } from '../errors/storeError';
import { toolResultText, type ToolResultBlock } from '../model/message';
import type { IdSource } from '../ports/clock';
import type { FileSystem } from '../ports/fileSystem';
import type { Folders } from '../ports/folders';
import { sha256Hex } from '../util/sha256';
import { toWellFormed } from '../util/text';
import type { ReplacementStore } from './applyBudget';
import { normalizeEmptyResult } from './emptyResult';
import { offloadThreshold } from './offloadThreshold';
import { persistedOutputText } from './preview';
import { isSafeResultId, safePrefix } from './resultNames';
import { withText } from '../model/resultBlocks';

export interface ResultStorePorts {
  readonly files: FileSystem;
  readonly folders: Folders;
  readonly ids: IdSource;
}

export interface OffloadOutcome {
  readonly result: ToolResultBlock;
  /** Why a result that is too long stayed as it is. */
  readonly failure?: unknown;
}

export interface RawOutput {
  readonly path: string;
  /** Bytes of the whole output, also where fewer were stored. */
  readonly size: number;
}

const FOLDER = 'tool-results';
const HASH_DIGITS = 16;

/**
 * The store of one session's tool results (seed 2, ResultStore). An id from a transcript chooses no path: it is refused unless it is a harmless
 * file name as it stands (R46, P63).
 */
export class ResultStore implements ReplacementStore {
  readonly #ports: ResultStorePorts;
  readonly #folder: string;

  /** A store in `tool-results` of the session's folder, which must exist; the store's own folder is made when first needed. */
  constructor(ports: ResultStorePorts, sessionFolder: string) {
    this.#ports = ports;
    this.#folder = ports.files.join(sessionFolder, FOLDER);
  }

  /**
   * Moves a result that is longer than its threshold to a file and shows where it is; gives an empty one its mark. Errors and results that hold
   * more than text stay whole. A failure leaves the result as it was and comes back beside it (seed 2, ProcessResultForTool).
   */
  async offload(result: ToolResultBlock, toolName: string): Promise<OffloadOutcome> {
    const normal = normalizeEmptyResult(result, toolName);
    const threshold = offloadThreshold(normal.metadata);
    if (threshold === undefined || normal.isError === true || !isTextOnly(normal)) return { result: normal };
    const isStructured = typeof normal.content !== 'string';
    const content = isStructured ? JSON.stringify(normal.content, undefined, 2) : toolResultText(normal);
    if (content.length <= threshold) return { result: normal };
    try {
      return { result: withText(normal, await this.#save(normal.toolUseId, content, isStructured ? '.json' : '.txt')) };
    } catch (failure) {
      return { result: normal, failure };
    }
  }

  /**
   * Saves the whole text of a result, whatever its length, and resolves with the exact text that stands for it. Rejects with StoreError:
   * `unsafeName` for an id that may not name a file, `exists` or `link` when something else has that name, else as the disk says.
   */
  saveReplacement(toolUseId: string, text: string): Promise<string> {
    return this.#save(toolUseId, text, '.txt');
  }

  /**
   * Saves the first `maxBytes` of an output under a name that its content gives, so that two outputs never share a file. All of it when
   * `maxBytes` is absent. Rejects with StoreError.
   */
  async saveRawOutput(prefix: string, content: Uint8Array, maxBytes?: number): Promise<RawOutput> {
    const stored = maxBytes === undefined ? content : content.subarray(0, Math.max(0, maxBytes));
    const digest = sha256Hex(content).slice(0, HASH_DIGITS);
    const path = await this.#write(`${safePrefix(prefix)}-${digest}-${stored.length}.txt`, stored);
    return { path, size: content.length };
  }

  async #save(toolUseId: string, content: string, ending: '.txt' | '.json'): Promise<string> {
    if (!isSafeResultId(toolUseId)) throw new StoreError('unsafeName', 'the id of the result may not name a file');
    const text = toWellFormed(content);
    const bytes = new TextEncoder().encode(text);
    const path = await this.#write(`${toolUseId}${ending}`, bytes);
    return persistedOutputText(path, bytes.length, text);
  }

  /** Makes the file whole or not at all. A file of that name with the very same bytes is as good as a new one. */
  async #write(name: string, bytes: Uint8Array): Promise<string> {
    const { files, folders, ids } = this.#ports;
    const path = files.join(this.#folder, name);
    await folders.ensure(this.#folder);
    if (await this.#holds(path, bytes)) return path;
    const temporary = files.join(this.#folder, `.${ids.uuid()}.tmp`);
    await files.createExclusive(temporary, [bytes]);
    try {
      await files.sync(temporary);
      await files.publish(temporary, path);
    } catch (error) {
      // The first failure is the one to report; what cannot be removed now is a hidden leftover.
      await files.remove(temporary).catch(() => undefined);
      const isTaken = error instanceof StoreError && error.code === 'exists';
      if (!isTaken || !(await this.#holds(path, bytes))) throw error;
    }
    await files.syncDirectory(this.#folder);
    return path;
  }

  /** True when a plain file with exactly these bytes is there, false when nothing is; rejects for anything else. */
  async #holds(path: string, bytes: Uint8Array): Promise<boolean> {
    const { files } = this.#ports;
    const stat = await files.stat(path);
    if (stat === undefined) return false;
    if (stat.isLink) throw new StoreError('link', 'a link has the name of the result');
    const isSame = stat.isFile && stat.size === bytes.length && isEqual(await files.read(path, 0, bytes.length), bytes);
    if (!isSame) throw new StoreError('exists', 'a file with other content has the name of the result');
    return true;
  }
}

function isTextOnly({ content }: ToolResultBlock): boolean {
  return typeof content === 'string' || content.every(({ type }) => type === 'text');
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
