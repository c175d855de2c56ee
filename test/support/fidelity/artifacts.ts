// Which files the tool calls of a stretch of conversation read, created, changed and deleted: counted from the calls themselves, by tables of
// the evaluation's own.
import { toolResultText, type Message, type ToolResultBlock, type ToolUseBlock } from '../../../src/core/model/message';
import { isRecord, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { shellParts, type ShellWord } from './shellWords';

export type ArtifactKind = 'read' | 'created' | 'changed' | 'deleted';

/** `written`: created or changed, where the transcript does not say which. */
export interface Artifact {
  readonly kind: ArtifactKind | 'written';
  readonly path: string;
  /** Folder that a relative path is meant from, where it is known. */
  readonly base: string | undefined;
  /** The call has failed or its result is missing, or a part of it complains: it may have happened all the same. */
  readonly isDoubtful: boolean;
}

interface Done {
  readonly use: ToolUseBlock;
  readonly result: ToolResultBlock | undefined;
}

/** Everything that the calls did, in order, with repetitions. */
export function artifactsOf(messages: readonly Message[], cwd: string | undefined): readonly Artifact[] {
  const found: Artifact[] = [];
  let open: string | undefined;
  for (const { use, result } of doneCalls(messages)) {
    const args = argumentsOf(use);
    const output = result === undefined ? '' : toolResultText(result);
    const isDoubtful = result === undefined || hasFailed(result, output);
    const add = (kind: Artifact['kind'], path: string, base = cwd, doubtful = isDoubtful): void => {
      const clean = path.startsWith('./') ? path.slice(2) : path;
      if (clean !== '' && !/[\n\r]/.test(clean))
        found.push({ kind, path: clean, base: isRooted(clean) ? undefined : base, isDoubtful: doubtful });
    };
    for (const { script, folder } of scriptsOf(use, args)) readScript(script, folder ?? cwd, output, add);
    const text =
      typeof use.input === 'string' ? use.input : (stringOf(args, 'input') ?? stringOf(args, 'patch') ?? stringOf(args, 'patchText') ?? '');
    if (text.includes('*** Begin Patch')) for (const patch of patchesIn(text)) readPatch(patch, cwd, add);
    const kind = kindOf(use.name, stringOf(args, 'command'));
    if (kind === undefined) continue;
    const paths = pathsOf(args);
    if ((use.name === 'open' || use.name === 'create') && paths[0] !== undefined) open = paths[0];
    // SWE-agent edits the file that it has open.
    const touched = paths.length === 0 && kind === 'changed' && open !== undefined && /^(?:edit|insert)$/.test(use.name) ? [open] : paths;
    for (const path of touched) add(kind === 'written' ? writtenKind(output) : kind, path);
  }
  return found;
}

/** Pairs calls and results by id; an id that is used again pairs in order. */
export function doneCalls(messages: readonly Message[]): readonly Done[] {
  const calls: { use: ToolUseBlock; result: ToolResultBlock | undefined }[] = [];
  const waiting = new Map<string, { use: ToolUseBlock; result: ToolResultBlock | undefined }[]>();
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type === 'toolUse') {
        const call = { use: block, result: undefined };
        calls.push(call);
        waiting.set(block.id, [...(waiting.get(block.id) ?? []), call]);
      } else if (block.type === 'toolResult') {
        const call = waiting.get(block.toolUseId)?.shift();
        if (call !== undefined) call.result = block;
      }
    }
  }
  return calls;
}

function argumentsOf({ input, rawInput }: ToolUseBlock): JsonRecord {
  for (const candidate of [input, rawInput]) {
    if (isRecord(candidate)) return candidate;
    if (typeof candidate !== 'string' || !candidate.trimStart().startsWith('{')) continue;
    try {
      const value: unknown = JSON.parse(candidate);
      if (isRecord(value)) return value;
    } catch {
      continue;
    }
  }
  return {};
}

function hasFailed(result: ToolResultBlock, output: string): boolean {
  if (result.isError === true) return true;
  if (result.outcome !== undefined && result.outcome !== 'succeeded' && result.outcome !== 'partial') return true;
  const head = output.slice(0, 3000);
  if (
    /^(?:<tool_use_error>|Error:|Error executing|apply_patch verification failed|failed to parse|execution error|Script failed)/i.test(head)
  )
    return true;
  if (
    /^Exit code:? [1-9-]|\bProcess exited with code [1-9-]|"exit_code":\s?[1-9-]|^Command running in background|\bProcess running with session ID/m.test(
      head,
    )
  )
    return true;
  const end = output.slice(-300);
  return /"exit_code":\s?[1-9-]|<shellId: \S+ completed with exit code [1-9-]|^Command exited with code [1-9-]|^Exit Code: [1-9-]|\[The command completed with exit code [1-9-]/m.test(
    end,
  );
}

/** Shell scripts that a call runs. */
function scriptsOf(use: ToolUseBlock, args: JsonRecord): { script: string; folder: string | undefined }[] {
  const folder = [stringOf(args, 'workdir'), stringOf(args, 'cwd'), stringOf(args, 'working_directory')].find((one) =>
    one?.startsWith('/'),
  );
  if (typeof use.input === 'string' && use.name === 'exec') return scriptLiterals(use.input);
  if (pathsOf(args).length > 0) return [];
  const action = isRecord(args['action']) ? args['action'] : args;
  const found: { script: string; folder: string | undefined }[] = [];
  for (const key of ['command', 'cmd', 'commands']) {
    const value = Object.hasOwn(action, key) ? action[key] : undefined;
    if (typeof value === 'string') found.push({ script: value, folder });
    if (!Array.isArray(value)) continue;
    const words = value.filter((one) => typeof one === 'string');
    if (key === 'commands') for (const script of words) found.push({ script, folder });
    else if (words.length === 3 && /sh$/.test(words[0] ?? '') && /^-\w*c$/.test(words[1] ?? ''))
      found.push({ script: words[2] ?? '', folder });
    else found.push({ script: words.join(' '), folder });
  }
  return found;
}

/** Codex can run JavaScript that calls its shell: `cmd: "…"` with a `workdir: "…"` behind it. */
function scriptLiterals(program: string): { script: string; folder: string | undefined }[] {
  const found: { script: string; folder: string | undefined }[] = [];
  for (const match of program.matchAll(/\b(cmd|workdir)["']?\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/gs)) {
    const literal = match[2] ?? '';
    if (literal.startsWith('`') && literal.includes('${')) continue;
    const text = literal.slice(1, -1).replace(/\\(.)/gs, (_, c: string) => (c === 'n' ? '\n' : c === 't' ? '\t' : c === '\n' ? '' : c));
    if (match[1] === 'cmd') found.push({ script: text, folder: undefined });
    else {
      const last = found.at(-1);
      if (last !== undefined && last.folder === undefined) last.folder = text;
    }
  }
  return found;
}

type Add = (kind: Artifact['kind'], path: string, base?: string, doubtful?: boolean) => void;

function readScript(script: string, start: string | undefined, output: string, add: Add): void {
  if (/^\s*apply_patch\b/.test(script) && script.includes('*** Begin Patch')) readPatch(script, start, add);
  let base = start;
  let isLost = false;
  const parts = shellParts(script);
  const complaints = output.split('\n').filter((line) => COMPLAINT.test(line));
  for (const { before, words, outputs } of parts) {
    const own = withoutWrappers(words);
    const name = (own[0]?.text ?? '').replace(/^.*\//, '');
    const operands = own.slice(1);
    if (name === 'cd') {
      const target = operands[0];
      if (target === undefined || !target.exact || target.text === '-') isLost = true;
      else if (isRooted(target.text)) [base, isLost] = [target.text, false];
      else base = base === undefined ? target.text : `${base.replace(/\/$/, '')}/${target.text}`;
      continue;
    }
    const put = (kind: Artifact['kind'], word: ShellWord): void => {
      if (!word.exact || word.text === '-' || word.text === '.' || word.text === '' || /^\d+$/.test(word.text)) return;
      if (isLost && !isRooted(word.text)) return;
      // What stands behind `||` may not have run, and what a complaint names has failed.
      const isUnsure = before === '||' || complaints.length > 1 || complaints.some((line) => line.includes(word.text));
      const isSilentRead = kind === 'read' && output.trim() === '';
      if (isUnsure || isSilentRead) add(kind, word.text, base, true);
      else add(kind, word.text, base);
    };
    for (const { word, appends } of outputs) if (!word.text.startsWith('/dev/')) put(appends ? 'changed' : 'written', word);
    const plain = plainOperands(name, operands);
    const inPlace = operands.some(({ text }) => /^-[a-zA-Z]*i/.test(text) || text.startsWith('--in-place'));
    if (READERS.has(name)) for (const word of plain) put('read', word);
    else if (name === 'sed') {
      const hasScript = operands.some(({ text }) => text === '-e' || text === '-f' || text.startsWith('--expression'));
      // The sed of macOS takes an empty word behind `-i`.
      const named = plain.filter(({ text }) => text !== '');
      for (const word of hasScript ? named : named.slice(1)) put(inPlace ? 'changed' : 'read', word);
    } else if (name === 'rm' || name === 'unlink') for (const word of plain) put('deleted', word);
    else if (name === 'tee') for (const word of plain) put(operands.some(({ text }) => text === '-a') ? 'changed' : 'written', word);
    else if (name === 'touch') for (const word of plain) put('written', word);
    else if (name === 'git' && operands[0]?.text === 'rm' && !operands.some(({ text }) => text === '--cached'))
      for (const word of plain.slice(1)) put('deleted', word);
    else if (name === 'mv' || name === 'cp' || (name === 'git' && operands[0]?.text === 'mv'))
      moved(name === 'git' ? plain.slice(1) : plain, name !== 'cp', put);
  }
}

/** A target that has no ending like its source's may be a folder; then nobody wrote the new name down. */
function moved(plain: readonly ShellWord[], isMove: boolean, put: (kind: Artifact['kind'], word: ShellWord) => void): void {
  const target = plain.at(-1);
  const sources = plain.slice(0, -1);
  if (target === undefined || sources.length === 0 || sources.some(({ exact }) => !exact)) return;
  if (isMove) for (const source of sources) put('deleted', source);
  const source = sources[0];
  if (sources.length > 1 || source === undefined || target.text.endsWith('/')) return;
  const ending = (path: string): string => /[^/]\.(\w+)$/.exec(path)?.[1] ?? '';
  const name = (path: string): string => path.replace(/^.*\//, '');
  const isFile =
    ending(target.text) !== '' &&
    (ending(target.text) === ending(source.text) || ending(source.text) === '' || name(target.text) !== name(source.text));
  if (isFile) put('written', target);
}

function withoutWrappers(words: readonly ShellWord[]): readonly ShellWord[] {
  let from = 0;
  for (;;) {
    const text = words[from]?.text ?? '';
    if (/^(?:sudo|time|command|builtin|exec|nohup|env|then|do|else|if|elif|while|until|!|\{|\}|rtk)$/.test(text) || /^\w+=/.test(text))
      from++;
    else if (text === 'timeout') from += 2;
    else return words.slice(from);
  }
}

function plainOperands(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const takesValue =
    name === 'head' || name === 'tail' ? /^-[nc]$|^--(?:lines|bytes)$/ : name === 'sed' ? /^-[ef]$|^--expression$/ : /^\u0000$/;
  const plain: ShellWord[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === undefined) continue;
    if (takesValue.test(word.text)) i++;
    else if (!word.text.startsWith('-') && !((name === 'head' || name === 'tail') && word.text.startsWith('+'))) plain.push(word);
  }
  return plain;
}

function patchesIn(text: string): readonly string[] {
  // In a program the envelope stands in a literal with escaped line ends.
  return text.startsWith('*** Begin Patch') || !text.includes('\\n') || /^\*\*\* (?:Add|Update|Delete) File: /m.test(text)
    ? [text]
    : [text.replace(/\\n/g, '\n').replace(/\\(["'`\\])/g, '$1')];
}

function readPatch(text: string, base: string | undefined, add: Add): void {
  let last: string | undefined;
  for (const line of text.split('\n')) {
    const header = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/.exec(line.trimEnd());
    const path = header?.[2]?.trim();
    if (header === null || path === undefined) continue;
    if (header[1] === 'Add File') add('created', path, base);
    else if (header[1] === 'Delete File') add('deleted', path, base);
    else if (header[1] === 'Update File') {
      // A file that is moved is told by its move.
      const next = text.slice(text.indexOf(line) + line.length + 1);
      last = path;
      if (!next.startsWith('*** Move to: ')) add('changed', path, base);
    } else {
      if (last !== undefined) add('deleted', last, base);
      add('created', path, base);
    }
  }
}

function kindOf(tool: string, verb: string | undefined): Artifact['kind'] | undefined {
  const name = tool.replace(/^mcp__.*__/, '');
  if (/^(?:str_replace_editor|str_replace_based_edit_tool|edit_file_tool|file_editor|editor)$/.test(name) && verb !== undefined)
    return verb === 'view'
      ? 'read'
      : verb === 'create'
        ? 'written'
        : /^(?:str_replace|insert|undo_edit)$/.test(verb)
          ? 'changed'
          : undefined;
  return TOOL_KINDS.get(name);
}

function pathsOf(args: JsonRecord): readonly string[] {
  for (const key of ['file_path', 'filePath', 'notebook_path', 'absolute_path', 'target_file', 'filename', 'path']) {
    const value = stringOf(args, key);
    if (value !== undefined && value !== '') return [value];
  }
  for (const key of ['paths', 'files', 'file_paths']) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (!Array.isArray(value)) continue;
    return value.flatMap((one) => (typeof one === 'string' ? [one] : isRecord(one) ? pathsOf(one) : []));
  }
  return [];
}

function writtenKind(output: string): Artifact['kind'] {
  const head = output.slice(0, 300);
  if (/^File created|created and wrote to new file|^Created file|created successfully/i.test(head)) return 'created';
  return /has been updated|overwrote file|^Updated file/i.test(head) ? 'changed' : 'written';
}

export function isRooted(path: string): boolean {
  return /^(?:[/~]|[A-Za-z]:[\\/])/.test(path);
}

const COMPLAINT = /No such file or directory|cannot open|Permission denied|Operation not permitted|Is a directory/;
const READERS: ReadonlySet<string> = new Set(['cat', 'nl', 'less', 'more', 'bat', 'head', 'tail']);
const TOOL_KINDS: ReadonlyMap<string, Artifact['kind']> = new Map<string, Artifact['kind']>([
  ...[
    'Read',
    'NotebookRead',
    'read',
    'view',
    'view_image',
    'read_file',
    'read_files',
    'read_many_files',
    'read_multiple_files',
    'open',
  ].map((name) => [name, 'read'] as const),
  ...['Write', 'write', 'write_file', 'create', 'create_file', 'write_to_file'].map((name) => [name, 'written'] as const),
  ...[
    'Edit',
    'edit',
    'MultiEdit',
    'multiedit',
    'NotebookEdit',
    'replace',
    'search_replace',
    'edit_file',
    'replace_in_file',
    'insert',
    'editor',
    'apply_diff',
  ].map((name) => [name, 'changed'] as const),
  ...['delete_file', 'remove_file'].map((name) => [name, 'deleted'] as const),
]);
