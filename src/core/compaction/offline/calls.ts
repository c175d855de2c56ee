// Pairs tool calls with their results and names what each of them is about.
import { argumentsText } from '../../tokens/blockText';
import { arrayOf, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toolResultText, type Message, type ToolUseBlock } from '../../model/message';
import { readOutcome, type Outcome } from './outcome';
import type { Source } from './sessionFacts';

export interface ToolCall {
  readonly source: Source;
  readonly name: string;
  readonly args: JsonRecord;
  /** Arguments of a tool that takes plain text (a patch, a script); '' when they are a record. */
  readonly text: string;
  /** Command line, when the tool runs one. */
  readonly command: string | undefined;
  /** Run by the provider inside of its reply; its result may stand nowhere. */
  readonly isServer: boolean;
  /** Undefined while no result is there. */
  readonly outcome: Outcome | undefined;
}

/** All calls in order, each with its result. Equal ids pair first come, first served. */
export function collectCalls(messages: readonly Message[]): ToolCall[] {
  const calls: ToolCall[] = [];
  const waiting = new Map<string, Queue>();
  messages.forEach((message, index) => {
    for (const block of message.content) {
      if (block.type === 'toolUse') {
        const queue = waiting.get(block.id) ?? { positions: [], next: 0 };
        queue.positions.push(calls.length);
        waiting.set(block.id, queue);
        calls.push(readCall(block, { index, id: message.id }));
      } else if (block.type === 'toolResult') {
        const queue = waiting.get(block.toolUseId);
        const position = queue?.positions[queue.next];
        const call = position === undefined ? undefined : calls[position];
        if (queue === undefined || position === undefined || call === undefined) continue;
        queue.next++;
        const result = {
          text: toolResultText(block),
          isError: block.isError === true,
          stored: block.outcome,
          isCommand: call.command !== undefined,
        };
        calls[position] = { ...call, outcome: readOutcome(result) };
      }
    }
  });
  return withLateOutcomes(calls);
}

/** Positions of calls that share an id; those from `next` on wait for a result. */
interface Queue {
  readonly positions: number[];
  next: number;
}

/** A command that was left running gets the outcome that a later call for the same process reports. */
function withLateOutcomes(calls: readonly ToolCall[]): ToolCall[] {
  const finished = [...calls];
  const running = new Map<string, number>();
  calls.forEach((call, position) => {
    const { outcome } = call;
    if (outcome === undefined) return;
    const processId = processOf(call.args);
    const starter = processId === undefined ? undefined : running.get(processId);
    if (processId !== undefined && starter !== undefined) {
      const first = finished[starter];
      if (first === undefined) return;
      if (STOPPERS.has(call.name)) finished[starter] = { ...first, outcome: { ...outcome, status: 'unknown', output: '' } };
      else if (outcome.exitCode !== undefined || (outcome.status !== 'running' && outcome.status !== 'failed'))
        finished[starter] = { ...first, outcome };
      if (finished[starter]?.outcome?.status !== 'running') running.delete(processId);
    } else if (outcome.status === 'running' && outcome.process !== undefined) running.set(outcome.process, position);
  });
  return finished;
}

/** Process that a call asks about or writes to. */
function processOf(args: JsonRecord): string | undefined {
  for (const key of PROCESS_KEYS) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}

function readCall(block: ToolUseBlock, source: Source): ToolCall {
  const parsed = typeof block.input === 'string' ? recordIn(block.input) : block.input;
  const fromRaw = isRecord(parsed) || block.rawInput === undefined ? parsed : recordIn(block.rawInput);
  const args = isRecord(fromRaw) ? fromRaw : {};
  const text = isRecord(fromRaw) ? '' : typeof block.input === 'string' ? block.input : argumentsText(block);
  return { source, name: block.name, args, text, command: commandOf(args), isServer: block.server === true, outcome: undefined };
}

function recordIn(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The command line of a tool that runs one: `command` or `cmd`, as text or as words; `bash -lc SCRIPT` gives the script. */
function commandOf(args: JsonRecord): string | undefined {
  const action = recordOf(args, 'action');
  if (action !== undefined) return commandOf(action);
  if (pathOf(args) !== undefined) return undefined;
  const several = arrayOf(args, 'commands');
  if (several !== undefined && several.length > 0 && several.every((one) => typeof one === 'string')) return several.join('\n');
  for (const key of ['command', 'cmd']) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')) return commandOfWords(value);
  }
  return undefined;
}

function commandOfWords(words: readonly string[]): string {
  const shell = words[0] ?? '';
  const script = words[2];
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-[a-z]*c$/.test(words[1] ?? '') && words.length === 3;
  return isShell && script !== undefined ? script : words.join(' ');
}

/** Path argument of a tool, under the names that agents use. */
export function pathOf(args: JsonRecord): string | undefined {
  for (const key of PATH_KEYS) {
    const value = stringOf(args, key);
    if (value !== undefined && value !== '' && value.length <= MAX_PATH && !value.includes('\n')) return value;
  }
  return undefined;
}

/** All paths of a tool: its path argument, or a list of them. */
export function pathsOf(args: JsonRecord): readonly string[] {
  const path = pathOf(args);
  if (path !== undefined) return [path];
  for (const key of PATH_LISTS) {
    const list = arrayOf(args, key);
    if (list !== undefined)
      return list.flatMap((one) => (isRecord(one) ? (pathOf(one) ?? []) : typeof one === 'string' ? (pathOf({ path: one }) ?? []) : []));
  }
  return [];
}

/** The argument that tells a reader what a call is about: command, pattern and path, query, address, description; '' when none is text. */
export function detailOf(call: ToolCall): string {
  if (call.command !== undefined) return call.command;
  const path = pathOf(call.args);
  const pattern = stringOf(call.args, 'pattern');
  if (pattern !== undefined && pattern !== '') return path === undefined ? pattern : `${pattern} ${path}`;
  if (path !== undefined) return path;
  for (const key of DETAIL_KEYS) {
    const value = stringOf(call.args, key);
    if (value !== undefined && value !== '') return value;
  }
  return call.text;
}

/** The telling argument of a call, as `detailOf`. */
export function callDetail(block: ToolUseBlock, source: Source): string {
  return detailOf(readCall(block, source));
}

const MAX_PATH = 1024;
const PATH_KEYS = ['file_path', 'filePath', 'notebook_path', 'path', 'absolute_path', 'target_file', 'filename'] as const;
const PATH_LISTS = ['paths', 'files', 'file_paths'] as const;
const DETAIL_KEYS = [
  'pattern',
  'query',
  'url',
  'description',
  'task_name',
  'skill',
  'subject',
  'title',
  'name',
  'prompt',
  'message',
] as const;
const PROCESS_KEYS = ['session_id', 'bash_id', 'shell_id', 'task_id', 'cell_id'] as const;
const STOPPERS: ReadonlySet<string> = new Set(['KillShell', 'KillBash', 'TaskStop']);
