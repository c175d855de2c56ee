// What one tool call did to files. Changes count only with a result that does not fail.
import { stringOf } from '../../util/json';
import { pathsOf, type ToolCall } from './calls';
import { holdsPatch, patchEffects } from './patch';
import { readScript } from './scriptCalls';
import type { FileAction } from './sessionFacts';
import { isAbsolute, readShell, type FileEffect } from './shellEffects';

/** `written` is created or changed; the ledger decides by what it knows of the path. */
export interface CallEffect {
  readonly kind: FileAction | 'written';
  readonly path: string;
  readonly base: string | undefined;
}

export interface CallReading {
  readonly effects: readonly CallEffect[];
  /** Command lines that the call runs, with the folder that it states for them. */
  readonly commands: readonly { readonly command: string; readonly folder: string | undefined; readonly isLookUp: boolean }[];
}

/**
 * Reads files and commands of a call. A call without a result, or with a failed one, has commands but no effects. `openFile` is changed by
 * calls that change a file and name none.
 */
export function readCallEffects(call: ToolCall, openFile?: string): CallReading {
  const succeeded = call.outcome?.status === 'ok';
  if (call.command !== undefined) return shellReading(call.command, folderOf(call), call, succeeded);
  const patch = PATCH_KEYS.map((key) => stringOf(call.args, key)).find((text) => text !== undefined && holdsPatch(text));
  if (holdsPatch(call.text) || patch !== undefined) {
    const script = call.text.startsWith('*** Begin Patch') ? undefined : readScript(call.text);
    const patches = script?.patches ?? [call.text];
    const texts = patch === undefined ? patches : [patch];
    const applied = succeeded && !PATCH_FAILED.test(call.outcome.output.slice(0, 400));
    const nested = script === undefined ? NOTHING : scriptReading(call, succeeded);
    return {
      effects: [...(applied ? texts.flatMap((text) => patchEffects(text, undefined)) : []), ...nested.effects],
      commands: nested.commands,
    };
  }
  if (call.text !== '' && SCRIPT_TOOLS.has(call.name)) return scriptReading(call, succeeded);
  if (!succeeded) return NOTHING;
  const tool = kindOfTool(call.name, stringOf(call.args, 'command'));
  if (tool === undefined) return NOTHING;
  const kind = tool === 'read' || tool === 'deleted' ? tool : kindInResult(call.outcome.output, tool);
  const stated = pathsOf(call.args);
  const paths = stated.length === 0 && openFile !== undefined && IN_OPEN_FILE.has(call.name) ? [openFile] : stated;
  return { effects: paths.map((path) => ({ kind, path, base: undefined })), commands: [] };
}

const NOTHING: CallReading = { effects: [], commands: [] };

function shellReading(command: string, folder: string | undefined, call: ToolCall, succeeded: boolean): CallReading {
  const { effects, isLookUp } = readShell(command, folder);
  const commands = [{ command, folder, isLookUp }];
  if (!succeeded) return { effects: [], commands };
  const patched = /^\s*apply_patch\b/.test(command) && holdsPatch(command) ? patchEffects(command, folder) : [];
  return { effects: [...patched, ...certainOnes(effects, call.outcome?.output ?? '')], commands };
}

function scriptReading(call: ToolCall, succeeded: boolean): CallReading {
  const output = call.outcome?.output ?? '';
  const readings = readScript(call.text).commands.map(({ command, folder }) => ({ command, folder, ...readShell(command, folder) }));
  const commands = readings.map(({ command, folder, isLookUp }) => ({ command, folder, isLookUp }));
  // With several commands in one script nobody can tell which of them an error code belongs to.
  const failed = NESTED_FAILURE.test(output.slice(0, MAX_SCAN));
  const effects =
    succeeded && !failed
      ? certainOnes(
          readings.flatMap((reading) => reading.effects),
          output,
        )
      : [];
  return { effects, commands };
}

/** A command line can succeed although a part of it failed; then the output names the file beside a complaint. */
function certainOnes(effects: readonly FileEffect[], output: string): FileEffect[] {
  const complaints = complaintsIn(output);
  if (complaints.length > 1) return [];
  const isSilent = output.trim() === '';
  return effects.filter(({ kind, path }) => !(kind === 'read' && isSilent) && !(complaints[0]?.includes(path) ?? false));
}

/** The first lines of an output that complain about a file, at most one for each sort of complaint. */
function complaintsIn(output: string): string[] {
  const lines: string[] = [];
  for (const complaint of COMPLAINTS) {
    const at = output.indexOf(complaint);
    if (at < 0) continue;
    lines.push(output.slice(Math.max(output.lastIndexOf('\n', at) + 1, at - MAX_LINE), at));
    if (output.includes(complaint, at + 1)) lines.push('');
  }
  return lines;
}

/** What a tool of a name does with its path; undefined when the name does not tell for certain. */
function kindOfTool(name: string, verb: string | undefined): 'read' | 'written' | 'changed' | 'deleted' | undefined {
  if (verb !== undefined) return VERBS.get(verb);
  const known = TOOLS.get(name);
  if (known !== undefined) return known;
  const words = name
    .slice(name.lastIndexOf('__') < 0 ? 0 : name.lastIndexOf('__') + 2)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  if (!words.some((word) => FILE_WORDS.has(word))) return undefined;
  for (const word of words) {
    const kind = VERBS.get(word);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** Some agents say in the result whether a file was created or updated. */
function kindInResult(output: string, kind: 'written' | 'changed'): FileAction | 'written' {
  const head = output.slice(0, MAX_LINE);
  if (CREATED.test(head)) return 'created';
  return UPDATED.test(head) ? 'changed' : kind;
}

function folderOf(call: ToolCall): string | undefined {
  const folder = stringOf(call.args, 'workdir') ?? stringOf(call.args, 'working_directory') ?? stringOf(call.args, 'cwd');
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

const PATCH_KEYS = ['input', 'patch', 'patchText'] as const;
const IN_OPEN_FILE: ReadonlySet<string> = new Set(['edit', 'insert']);
const FILE_WORDS: ReadonlySet<string> = new Set(['file', 'files', 'notebook']);
const CREATED = /^(?:File created|Created file|Successfully created and wrote to new file)/;
const UPDATED = /^(?:The file .{1,1000} has been updated|Successfully overwrote file|Updated file)/;
const MAX_SCAN = 20_000;
const MAX_LINE = 1000;
const SCRIPT_TOOLS: ReadonlySet<string> = new Set(['exec']);
const PATCH_FAILED = /verification failed|^error|^failed/i;
const NESTED_FAILURE = /"exit_code":\s?[1-9]/;
const COMPLAINTS = ['No such file or directory', 'cannot open', 'Permission denied', 'Operation not permitted', 'Is a directory'] as const;
const TOOLS: ReadonlyMap<string, 'read' | 'written' | 'changed' | 'deleted'> = new Map([
  ['Read', 'read'],
  ['NotebookRead', 'read'],
  ['read', 'read'],
  ['view', 'read'],
  ['view_image', 'read'],
  ['Write', 'written'],
  ['write', 'written'],
  ['Edit', 'changed'],
  ['edit', 'changed'],
  ['MultiEdit', 'changed'],
  ['NotebookEdit', 'changed'],
  ['replace', 'changed'],
  ['search_replace', 'changed'],
  ['multiedit', 'changed'],
  ['apply_diff', 'changed'],
  ['editor', 'changed'],
  ['insert', 'changed'],
  ['create', 'written'],
  ['open', 'read'],
]);
const VERBS: ReadonlyMap<string, 'read' | 'written' | 'changed' | 'deleted'> = new Map([
  ['read', 'read'],
  ['view', 'read'],
  ['open', 'read'],
  ['write', 'written'],
  ['create', 'written'],
  ['save', 'written'],
  ['edit', 'changed'],
  ['replace', 'changed'],
  ['str_replace', 'changed'],
  ['insert', 'changed'],
  ['append', 'changed'],
  ['patch', 'changed'],
  ['modify', 'changed'],
  ['update', 'changed'],
  ['delete', 'deleted'],
  ['remove', 'deleted'],
]);
