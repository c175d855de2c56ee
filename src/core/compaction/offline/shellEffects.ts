// What a shell command does to files, as far as its words alone make it certain.
import { baseName, isLookUpCommand } from './lookUps';
import { parseShell, type Word } from './shell';

/** `written` is a file that is created or replaced; which of them depends on what was there. */
export type FileEffectKind = 'read' | 'written' | 'changed' | 'deleted';

export interface FileEffect {
  readonly kind: FileEffectKind;
  readonly path: string;
  /** Folder that a relative path is meant from, when the command changed into it. */
  readonly base: string | undefined;
}

export interface ShellReading {
  readonly effects: readonly FileEffect[];
  /** Nothing but reading, searching and listing. */
  readonly isLookUp: boolean;
}

/** Reads a command line. Commands after `||` and words that the shell expands state nothing. */
export function readShell(script: string, folder: string | undefined): ShellReading {
  const effects: FileEffect[] = [];
  let base = folder;
  let isLookUp = true;
  for (const command of parseShell(script)) {
    const words = withoutPrefixes(command.words);
    const name = baseName(words[0]?.text ?? '');
    const rest = words.slice(1);
    if (name === 'cd') {
      base = changedFolder(base, rest[0]);
      continue;
    }
    const writes = command.redirects.filter(({ target }) => target.literal && !target.text.startsWith('/dev/'));
    if (!isLookUpCommand(name, rest) || writes.length > 0) isLookUp = false;
    if (command.after === '||' || base === UNKNOWN_FOLDER) continue;
    for (const { kind, target } of writes) effects.push({ kind: kind === 'append' ? 'changed' : 'written', path: target.text, base });
    for (const { kind, path } of effectsOf(name, rest)) effects.push({ kind, path, base });
  }
  return { effects: effects.filter(({ path }) => isPath(path)).map(withOwnBase), isLookUp };
}

/** A folder that cannot be known: `cd "$X"`. Relative paths behind it name nothing. */
const UNKNOWN_FOLDER = '\u0000';

function changedFolder(base: string | undefined, target: Word | undefined): string | undefined {
  if (target === undefined || !target.literal || target.text === '-' || target.text === '') return UNKNOWN_FOLDER;
  if (isAbsolute(target.text)) return target.text;
  if (base === UNKNOWN_FOLDER) return base;
  return base === undefined ? target.text : `${base.replace(/\/$/, '')}/${target.text}`;
}

function effectsOf(name: string, rest: readonly Word[]): { kind: FileEffectKind; path: string }[] {
  const all = (kind: FileEffectKind, words: readonly Word[]): { kind: FileEffectKind; path: string }[] =>
    words.filter(({ literal, text }) => literal && text !== '').map(({ text }) => ({ kind, path: text }));
  switch (name) {
    case 'cat':
    case 'nl':
    case 'less':
    case 'more':
    case 'bat':
      return all('read', operands(rest, NO_VALUES));
    case 'head':
    case 'tail':
      return all('read', operands(rest, HEAD_VALUES));
    case 'sed':
      return sedEffects(rest, all);
    case 'rm':
    case 'unlink':
      return all('deleted', operands(rest, NO_VALUES));
    case 'tee':
      return all(rest.some(({ text }) => text === '-a') ? 'changed' : 'written', operands(rest, NO_VALUES));
    case 'touch':
      return all('written', operands(rest, TOUCH_VALUES));
    case 'mv':
      return moveEffects(operands(rest, NO_VALUES), true);
    case 'cp':
      return moveEffects(operands(rest, NO_VALUES), false);
    case 'git':
      if (rest[0]?.text === 'rm' && !rest.some(({ text }) => text === '--cached'))
        return all('deleted', operands(rest.slice(1), NO_VALUES));
      if (rest[0]?.text === 'mv') return moveEffects(operands(rest.slice(1), NO_VALUES), true);
      return [];
    default:
      return [];
  }
}

function sedEffects(
  rest: readonly Word[],
  all: (kind: FileEffectKind, words: readonly Word[]) => { kind: FileEffectKind; path: string }[],
) {
  const inPlace = rest.some(({ text }) => /^-[a-zA-Z]*i/.test(text) || text.startsWith('--in-place'));
  const hasScript = rest.some(({ text }) => text === '-e' || text === '-f' || text.startsWith('--expression'));
  const files = operands(rest, SED_VALUES).filter(({ text }) => text !== '');
  return all(inPlace ? 'changed' : 'read', hasScript ? files : files.slice(1));
}

/** Moving and copying: a target that may be a folder states nothing, since the new name is then not written anywhere. */
function moveEffects(files: readonly Word[], removesSource: boolean): { kind: FileEffectKind; path: string }[] {
  const target = files.at(-1);
  const sources = files.slice(0, -1);
  if (target === undefined || sources.length === 0 || sources.some(({ literal }) => !literal)) return [];
  const effects: { kind: FileEffectKind; path: string }[] = removesSource
    ? sources.map(({ text }) => ({ kind: 'deleted', path: text }))
    : [];
  const source = sources[0];
  if (sources.length === 1 && source !== undefined && target.literal && namesFile(target.text, source.text)) {
    effects.push({ kind: 'written', path: target.text });
  }
  return effects;
}

/** A target is surely a file name when it has the source's ending, or the source has none and neither has it. */
function namesFile(target: string, source: string): boolean {
  if (target.endsWith('/') || target === '.' || target === '..') return false;
  const ending = extension(target);
  return ending !== '' && (ending === extension(source) || extension(source) === '' || baseName(target) !== baseName(source));
}

function extension(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot);
}

/** Words that are no options; after `--` all of them. Options in `withValue` take the next word with them. */
function operands(words: readonly Word[], withValue: ReadonlySet<string>): Word[] {
  const found: Word[] = [];
  let onlyOperands = false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === undefined) continue;
    if (onlyOperands || !word.text.startsWith('-') || word.text === '-') {
      if (!(word.text.startsWith('+') && withValue === HEAD_VALUES)) found.push(word);
    } else if (word.text === '--') onlyOperands = true;
    else if (withValue.has(word.text)) i++;
  }
  return found;
}

/** Leaves out what only wraps a command: variables set for it, `sudo`, `time`, words of the shell's grammar. */
function withoutPrefixes(words: readonly Word[]): readonly Word[] {
  let i = 0;
  while (i < words.length) {
    const text = words[i]?.text ?? '';
    if (PREFIXES.has(text) || /^[A-Za-z_]\w*=/.test(text)) i++;
    else if (text === 'timeout' && /^\d/.test(words[i + 1]?.text ?? '')) i += 2;
    else break;
  }
  return words.slice(i);
}

function isPath(text: string): boolean {
  return (
    text.length > 0 && text.length <= MAX_PATH && !/[\n\r\u0000]/.test(text) && !/^[-+]?\d+$/.test(text) && text !== '-' && text !== '.'
  );
}

function withOwnBase(effect: FileEffect): FileEffect {
  return isAbsolute(effect.path) ? { ...effect, base: undefined } : effect;
}

/** True for a path that needs no folder to be found: of the root, of a drive, of the home folder. */
export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~') || path.startsWith('\\\\') || /^[A-Za-z]:[\\/]/.test(path);
}

const MAX_PATH = 1024;
const NO_VALUES: ReadonlySet<string> = new Set();
const HEAD_VALUES: ReadonlySet<string> = new Set(['-n', '-c', '--lines', '--bytes']);
const SED_VALUES: ReadonlySet<string> = new Set(['-e', '-f', '--expression', '--file']);
const TOUCH_VALUES: ReadonlySet<string> = new Set(['-d', '-t', '-r']);
const PREFIXES: ReadonlySet<string> = new Set([
  'sudo',
  'time',
  'command',
  'builtin',
  'exec',
  'nohup',
  'env',
  'then',
  'do',
  'else',
  'if',
  'elif',
  'while',
  'until',
  '!',
  '{',
  '}',
  'rtk',
]);
