// How a summary states what happened to files, and how that is read back. Both directions stand here, so that they cannot drift apart.
//
//   **Created and changed:**            what happened to the files of the lines below it
//   - …/src/core/: a.ts, b.ts           `…/` stands for the root that the section names
//   - (in /other) lib/: c.ts            a path meant from another folder
//   - README.md                         a path without a folder
import { codeSpan } from './markdown';
import type { FileAction, FileFact } from './sessionFacts';
import { isAbsolute } from './shellEffects';

export interface FileStatement {
  readonly path: string;
  readonly base: string | undefined;
  readonly action: FileAction;
}

/** One line about files of one folder that had the same fate. */
export interface FileLine {
  readonly label: string;
  readonly actions: readonly FileAction[];
  readonly text: string;
  readonly files: number;
  /** Index of the newest message that touched one of them. */
  readonly newest: number;
}

export const FILES_HEADING = 'Files';
const ROOT_MARK = '…/';
const ROOT_LINE = /^`…\/` stands for (`+) ?(.+?) ?\1\.$/;

/** The line that names the root. */
export function rootLine(root: string): string {
  return `\`${ROOT_MARK}\` stands for ${codeSpan(root)}.`;
}

/** The folder whose name is worth shortening: the one that saves most characters over all absolute paths; undefined when none does. */
export function commonRoot(files: readonly FileFact[]): string | undefined {
  const folders = new Set(
    files.filter(({ base, path }) => base === undefined && isAbsolute(path)).map(({ path }) => splitPath(path).folder),
  );
  const counts = new Map<string, number>();
  for (const folder of folders) {
    for (const above of foldersAbove(folder)) counts.set(above, (counts.get(above) ?? 0) + 1);
  }
  let best: string | undefined;
  let saved = MIN_SAVED;
  for (const [folder, count] of counts) {
    const saves = (count - 1) * (folder.length - ROOT_MARK.length);
    if (saves > saved) [best, saved] = [folder, saves];
  }
  return best;
}

/** The folder itself and those above it, each with its separator at the end. */
function foldersAbove(folder: string): string[] {
  const found: string[] = [];
  for (let i = 1; i < folder.length && found.length < MAX_DEPTH; i++) {
    if (folder[i] === '/' || folder[i] === '\\') found.push(folder.slice(0, i + 1));
  }
  return found;
}

/** Lines about all files, grouped by what happened and by folder, each with at most twelve names. */
export function fileLines(files: readonly FileFact[], root: string | undefined): FileLine[] {
  const groups = new Map<string, FileFact[]>();
  for (const file of files) {
    const key = `${file.actions.join(' ')}\u0000${file.base ?? ''}\u0000${splitPath(file.path).folder}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  const lines: FileLine[] = [];
  for (const group of groups.values()) {
    for (let i = 0; i < group.length; i += NAMES_PER_LINE) lines.push(fileLine(group.slice(i, i + NAMES_PER_LINE), root));
  }
  return lines.sort((a, b) => rankOf(a.actions) - rankOf(b.actions));
}

function fileLine(files: readonly FileFact[], root: string | undefined): FileLine {
  const first = files[0];
  const actions = first?.actions ?? [];
  const { folder } = splitPath(first?.path ?? '');
  const place = root !== undefined && first?.base === undefined && folder.startsWith(root) ? ROOT_MARK + folder.slice(root.length) : folder;
  const base = first?.base === undefined ? '' : `(in ${safe(first.base)}) `;
  const names = files.map(({ path }) => safe(splitPath(path).name)).join(', ');
  return {
    label: labelOf(actions),
    actions,
    text: `- ${base}${place === '' ? '' : `${safe(place)}: `}${names}`,
    files: files.length,
    newest: files.reduce((newest, file) => Math.max(newest, file.lastSource.index), 0),
  };
}

/** Reads the statements about files out of a summary. Lines that are not of this form state nothing. */
export function readFileStatements(summary: string): FileStatement[] {
  const statements: FileStatement[] = [];
  let inSection = false;
  let root = '';
  let actions: readonly FileAction[] = [];
  let fence: string | undefined;
  for (const line of summary.split('\n')) {
    // A quoted text may look like this section; what stands in a fence states nothing.
    if (/^`{3,}$/.test(line)) fence = fence === undefined ? line : fence === line ? undefined : fence;
    if (fence !== undefined) continue;
    if (line.startsWith('## ')) inSection = line.slice(3).trim() === FILES_HEADING;
    if (!inSection) continue;
    root = ROOT_LINE.exec(line)?.[2] ?? root;
    actions = actionsOf(line) ?? actions;
    if (!line.startsWith('- ') || actions.length === 0) continue;
    for (const { path, base } of pathsIn(line.slice(2), root)) for (const action of actions) statements.push({ path, base, action });
  }
  return statements;
}

function pathsIn(line: string, root: string): { path: string; base: string | undefined }[] {
  let rest = line;
  let base: string | undefined;
  if (rest.startsWith('(in ')) {
    const [name, after] = readName(rest.slice(4), ') ');
    [base, rest] = [name, after];
  }
  const names: string[] = [];
  let folder = '';
  const [first, after, end] = readName(rest, FOLDER_END);
  if (end !== undefined) [folder, rest] = [first, after];
  while (rest !== '') {
    const [name, next] = readName(rest, ', ');
    names.push(name);
    rest = next;
  }
  const place = folder.startsWith(ROOT_MARK) ? root + folder.slice(ROOT_MARK.length) : folder;
  return names.map((name) => ({ path: place + name, base }));
}

/** Reads a name up to its end mark, in a code span or as it stands. */
function readName(text: string, end: string): [string, string, string | undefined] {
  const ticks = /^`+/.exec(text)?.[0];
  if (ticks !== undefined) {
    const close = text.indexOf(ticks, ticks.length);
    const name = close < 0 ? text : text.slice(ticks.length, close);
    const after = close < 0 ? '' : text.slice(close + ticks.length);
    const found = end === FOLDER_END ? (after.startsWith(': ') ? ': ' : undefined) : after.startsWith(end) ? end : undefined;
    return [ticks.length > 1 ? name.trim() : name, found === undefined ? after : after.slice(found.length), found];
  }
  if (end === FOLDER_END) {
    const at = /[/\\]: /.exec(text)?.index;
    return at === undefined ? [text, '', undefined] : [text.slice(0, at + 1), text.slice(at + 3), end];
  }
  const at = text.indexOf(end);
  return at < 0 ? [text, '', undefined] : [text.slice(0, at), text.slice(at + end.length), end];
}

/** A name in a code span where the line's own marks would be mistaken for parts of it. */
function safe(name: string): string {
  return /[`,]|: |^\s|\s$|^\(|\) /.test(name) ? codeSpan(name) : name;
}

function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const body = path.endsWith('/') || path.endsWith('\\') ? path.slice(0, -1) : path;
  const at = Math.max(body.lastIndexOf('/'), body.lastIndexOf('\\'));
  return { folder: path.slice(0, at + 1), name: path.slice(at + 1) };
}

function labelOf(actions: readonly FileAction[]): string {
  const words = actions.map((action, i) => (i === 0 ? WORDS[action] : WORDS[action].toLowerCase()));
  return `**${words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`}:**`;
}

/** The actions that a label line names; undefined when the line is no label. */
function actionsOf(line: string): FileAction[] | undefined {
  const words = /^\*\*([A-Za-z, ]+):\*\*$/
    .exec(line)?.[1]
    ?.toLowerCase()
    .split(/, | and /);
  const actions = words?.flatMap((word) => ACTIONS.filter((action) => action === word));
  return actions !== undefined && actions.length === words?.length ? actions : undefined;
}

/** Made files first, files that were only read last. */
function rankOf(actions: readonly FileAction[]): number {
  return actions.reduce((rank, action) => rank + RANKS[action], 0) || 100;
}

const ACTIONS = ['created', 'changed', 'deleted', 'read'] as const;
const WORDS = { created: 'Created', changed: 'Changed', deleted: 'Deleted', read: 'Read' } as const satisfies Record<FileAction, string>;
const RANKS = { created: -8, changed: -4, deleted: -2, read: 1 } as const satisfies Record<FileAction, number>;
const FOLDER_END = '/: ';
const NAMES_PER_LINE = 12;
const MAX_DEPTH = 16;
const MIN_SAVED = 40;
