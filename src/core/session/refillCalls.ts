// Recognises content that is fetched once more: the same call again, or the same file by another call.
import { collectCalls, pathsOf } from '../compaction/offline/calls';
import { readShell } from '../compaction/offline/shellEffects';
import { isToolResult, isToolUse, type ContentBlock, type Message, type ToolUseBlock } from '../model/message';
import { StoredBlock } from '../model/storedBlock';
import { toolClass } from '../model/toolClass';
import { argumentsText } from '../tokens/blockText';
import { stringOf, type JsonRecord } from '../util/json';

/** What a call fetches. */
export interface FetchingCall {
  readonly name: string;
  /** File, command or pattern; '' when it names none. */
  readonly about: string;
  /** The same for every call that asks for the same; undefined for calls whose answer differs each time, and for arguments that hold new text. */
  readonly key: string | undefined;
  /** Files that it reads, from the folder that it states. */
  readonly paths: readonly string[];
}

/** Reads a call by its name and arguments alone. */
export function fetchingCall(block: ToolUseBlock): FetchingCall {
  // Arguments that are so long that they stayed in the file hold new text, and are not read for this.
  if (isStored(block)) return { name: block.name, about: '', key: undefined, paths: [] };
  const [call] = collectCalls([{ id: '', role: 'assistant', kind: 'message', content: [block], line: 0 }]);
  const args = call?.args ?? {};
  const command = call?.command;
  const folder = FOLDER_KEYS.map((key) => stringOf(args, key)).find((one) => one !== undefined && one !== '');
  const paths = command === undefined ? pathsOf(args) : readPaths(command, folder);
  return {
    name: block.name,
    about: command ?? pathsOf(args)[0] ?? aboutOf(args),
    key: PROCESS_KEYS.some((key) => Object.hasOwn(args, key)) ? undefined : `${block.name} ${argumentsText(block)}`,
    paths: command !== undefined || toolClass(block.name) === 'read' ? paths : [],
  };
}

/** Calls that were made before, by what they fetched; each with the row that holds its answer, or the call's own where there is none. */
export class EarlierCalls {
  readonly #byKey = new Map<string, number>();
  readonly #byPath = new Map<string, number>();
  readonly #open = new Map<string, FetchingCall>();

  /** Takes the calls and answers of one message; `row` is what is told of it later. */
  take({ content }: Message, row: number): void {
    for (const block of content) {
      if (isToolUse(block)) {
        const call = fetchingCall(block);
        this.#open.set(block.id, call);
        this.#note(call, row);
      } else if (isToolResult(block)) {
        const call = this.#open.get(block.toolUseId);
        if (call !== undefined && block.isError !== true) this.#note(call, row);
      }
    }
  }

  /** Row that held what a call fetches: the same call, else another reading of the same file. */
  rowOf(call: FetchingCall): number | undefined {
    return this.same(call) ?? this.sameFile(call.paths);
  }

  /** Row of the same call. */
  same({ key }: FetchingCall): number | undefined {
    return key === undefined ? undefined : this.#byKey.get(key);
  }

  /** Row of another reading of the same file. */
  sameFile(paths: readonly string[]): number | undefined {
    for (const path of paths) {
      const row = this.#byPath.get(path);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  #note({ key, paths }: FetchingCall, row: number): void {
    if (key !== undefined) this.#byKey.set(key, row);
    for (const path of paths) this.#byPath.set(path, row);
  }
}

function isStored(block: ContentBlock): boolean {
  return StoredBlock.isStored(block, 'input') || StoredBlock.isStored(block, 'rawInput');
}

function readPaths(command: string, folder: string | undefined): readonly string[] {
  return readShell(command, folder)
    .effects.filter(({ kind }) => kind === 'read')
    .map(({ path, base }) => (base === undefined || path.startsWith('/') ? path : `${base.replace(/\/$/, '')}/${path}`));
}

function aboutOf(args: JsonRecord): string {
  for (const key of ABOUT_KEYS) {
    const value = stringOf(args, key);
    if (value !== undefined && value !== '') return value;
  }
  return '';
}

const ABOUT_KEYS = ['pattern', 'query', 'url', 'description', 'prompt'] as const;
const FOLDER_KEYS = ['workdir', 'cwd', 'working_directory'] as const;
/** They ask a running program for what is new. */
const PROCESS_KEYS = ['session_id', 'bash_id', 'shell_id', 'task_id', 'cell_id'] as const;
