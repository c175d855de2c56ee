// Reads from a tool result how the call went. Agents state it in a few fixed forms in front of the output.
import type { ToolOutcome } from '../../model/message';
import { isRecord, numberOf, recordOf, stringOf } from '../../util/json';
import type { CommandStatus } from './sessionFacts';

export interface Outcome {
  readonly status: CommandStatus;
  /** As written. */
  readonly exitCode: string | undefined;
  readonly seconds: string | undefined;
  /** The output without the agent's own lines in front of it. */
  readonly output: string;
  /** Names a process that still runs, so that a later call can tell its end. */
  readonly process: string | undefined;
}

const REFUSED = ["The user doesn't want to proceed with this tool use", "The user doesn't want to take this action right now"] as const;

export interface StatedResult {
  readonly text: string;
  readonly isError: boolean;
  /** What the program itself stores about the call. */
  readonly stored?: ToolOutcome | undefined;
  /** The call ran a command: its end may state an exit code. */
  readonly isCommand?: boolean;
}

/** Reads one result. A result that states nothing and is not marked as an error counts as `ok`. */
export function readOutcome(result: StatedResult): Outcome {
  const outcome = statedOutcome(result.text, result.isError);
  if (result.stored === 'denied') return { ...outcome, status: 'refused' };
  if (result.stored !== undefined && result.stored !== 'succeeded' && result.stored !== 'partial') return { ...outcome, status: 'failed' };
  const code = result.isCommand === true && outcome.exitCode === undefined ? exitCodeAtEnd(result.text) : undefined;
  if (code === undefined) return outcome;
  const status = code !== '0' ? 'failed' : outcome.status === 'failed' && !result.isError ? 'ok' : outcome.status;
  return { ...outcome, exitCode: code, status };
}

/** Exit code in one of the lines that agents write below an output. */
function exitCodeAtEnd(text: string): string | undefined {
  let code: string | undefined;
  for (const match of text.slice(-MAX_END).matchAll(EXIT_AT_END)) code = match[1] ?? code;
  return code;
}

function statedOutcome(text: string, isError: boolean): Outcome {
  const plain: Outcome = { status: isError ? 'failed' : 'ok', exitCode: undefined, seconds: undefined, output: text, process: undefined };
  if (isError && REFUSED.some((start) => text.startsWith(start))) return { ...plain, status: 'refused' };
  if (text.startsWith('{"')) return jsonOutcome(text) ?? plain;
  const background = BACKGROUND.exec(text.slice(0, 200))?.[1];
  if (background !== undefined) return { ...plain, status: 'running', process: background };
  if (FAILED_START.test(text.slice(0, 200))) return { ...plain, status: 'failed', output: withoutTags(text) };
  const status = text.startsWith('<') ? inner(text, 'status') : undefined;
  if (status !== undefined) return taggedOutcome(text, status, plain);
  return headedOutcome(text, plain);
}

/** `{"output":"…","metadata":{"exit_code":0,"duration_seconds":0.1}}` */
function jsonOutcome(text: string): Outcome | undefined {
  if (!text.includes('"exit_code"', Math.max(0, text.length - 200))) return undefined;
  const value = parsed(text);
  if (!isRecord(value)) return undefined;
  const output = stringOf(value, 'output');
  const metadata = recordOf(value, 'metadata');
  const code = metadata === undefined ? undefined : numberOf(metadata, 'exit_code');
  if (output === undefined || metadata === undefined || code === undefined) return undefined;
  const seconds = numberOf(metadata, 'duration_seconds');
  return {
    status: code === 0 ? 'ok' : 'failed',
    exitCode: String(code),
    seconds: seconds === undefined ? undefined : String(seconds),
    output,
    process: undefined,
  };
}

/** Lines such as `Exit code: 1` and `Wall time: 2 seconds` in front of `Output:`. */
function headedOutcome(text: string, plain: Outcome): Outcome {
  let { status, exitCode, seconds, process } = plain;
  // The command that Codex repeats may run over many lines.
  const chunk = text.startsWith('Command: ') ? text.indexOf('\nChunk ID: ') : -1;
  let at = chunk < 0 ? 0 : chunk + 1;
  for (let n = 0; n < MAX_HEAD_LINES && at < text.length; n++) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end);
    const next = end < 0 ? text.length : end + 1;
    const exit = EXIT.exec(line.slice(0, 120));
    if (exit?.[1] !== undefined) {
      exitCode = exit[1];
      status = exitCode === '0' ? 'ok' : 'failed';
    }
    const running = RUNNING.exec(line.slice(0, 120))?.[1];
    if (running !== undefined) {
      status = 'running';
      process = running;
    }
    if (line.startsWith('Script failed') || line.startsWith('Script error')) status = 'failed';
    seconds = WALL.exec(line.slice(0, 120))?.[1] ?? seconds;
    if (line.startsWith('Output:')) return withNestedOutput({ status, exitCode, seconds, process, output: text.slice(next) });
    if (n === 0 && exit === null && running === undefined && !HEAD.test(line)) return plain;
    // Claude Code writes `Exit code 1` alone in front of the output.
    if (n === 0 && exit !== null && !line.includes(':')) return { status, exitCode, seconds, process, output: text.slice(next) };
    at = next;
  }
  return { status, exitCode, seconds, process, output: text.slice(at) };
}

/** A script of Codex may print the record of its one command; its exit code and output are the outcome then. */
function withNestedOutput(outcome: Outcome): Outcome {
  const body = outcome.output.trim();
  if (!body.startsWith('{') || !body.includes('"exit_code"') || !body.endsWith('}')) return outcome;
  const value = parsed(body);
  if (!isRecord(value)) return outcome;
  const output = stringOf(value, 'output');
  const code = numberOf(value, 'exit_code');
  if (output === undefined || code === undefined) return outcome;
  const seconds = numberOf(value, 'wall_time_seconds');
  return {
    ...outcome,
    status: code === 0 ? outcome.status : 'failed',
    exitCode: String(code),
    seconds: seconds === undefined ? outcome.seconds : String(seconds),
    output,
  };
}

/** State of a background process: `<status>completed</status> <exit_code>0</exit_code> <stdout>…`. */
function taggedOutcome(text: string, status: string, plain: Outcome): Outcome {
  const exitCode = inner(text, 'exit_code');
  const output = inner(text, 'stdout') ?? inner(text, 'output') ?? '';
  if (status === 'running') return { ...plain, status: 'running', output };
  return { ...plain, status: exitCode === undefined || exitCode === '0' ? plain.status : 'failed', exitCode, output };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function inner(text: string, name: string): string | undefined {
  const from = text.indexOf(`<${name}>`);
  if (from < 0 || from > MAX_TAG_POSITION) return undefined;
  const to = text.indexOf(`</${name}>`, from);
  return to < 0 ? undefined : text.slice(from + name.length + 2, to).trim();
}

function withoutTags(text: string): string {
  return text.startsWith('<tool_use_error>') ? (inner(text, 'tool_use_error') ?? text) : text;
}

const MAX_HEAD_LINES = 10;
const MAX_END = 300;
const EXIT_AT_END =
  /(?:<shellId: \S{1,20} completed with exit code |^Command exited with code |^Exit Code: |\[The command completed with exit code |^<exited with exit code )(-?\d+)/gm;
const MAX_TAG_POSITION = 4000;
const HEAD =
  /^(?:Command: |Chunk ID: |Exit code|Wall time|Process |Script (?:completed|running|failed|error)|Original token count|Total output lines)/;
const EXIT = /^(?:Process exited with code|Exit code:?) (-?\d+)/;
const RUNNING = /^(?:Process running with session ID|Script running with cell ID) (\S+)/;
const WALL = /^Wall time:? ([\d.]+) seconds/;
const BACKGROUND = /^Command running in background with ID: (\S+?)\.?(?:\s|$)/;
const FAILED_START =
  /^(?:<tool_use_error>|apply_patch verification failed|write_stdin failed|exec_command failed|failed to parse|unsupported call|execution error|Error executing tool)/i;
