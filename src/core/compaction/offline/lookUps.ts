// Tells commands that only read, search or list from those that do something.
import type { Word } from './shell';

/** True for a command that changes nothing but may make a folder. An unknown command is none. */
export function isLookUpCommand(name: string, rest: readonly Word[]): boolean {
  if (name === 'git') {
    const words = rest
      .map(({ text }) => text)
      .filter((_, i, all) => all[i] !== '-C' && all[i] !== '-c' && all[i - 1] !== '-C' && all[i - 1] !== '-c');
    const verb = words.find((word) => !word.startsWith('-')) ?? '';
    if (verb === 'branch') return words.every((word) => word === 'branch' || (word.startsWith('-') && !/^-[dDmMcCfu]/.test(word)));
    return GIT_LOOK_UPS.has(verb);
  }
  const verbs = LOOK_UP_VERBS.get(name);
  if (verbs !== undefined) {
    const words = rest.map(({ text }) => text).filter((text) => !text.startsWith('-'));
    if (verbs.has(words[0] ?? '') || (name === 'gh' && verbs.has(words[1] ?? ''))) return true;
  }
  if (rest.some(({ text }) => text === '--help' || text === '--version')) return true;
  if (name === 'xargs') return LOOK_UPS.has(baseName(rest.find(({ text }) => !text.startsWith('-'))?.text ?? ''));
  if (name === 'sed') return !rest.some(({ text }) => /^-[a-zA-Z]*i/.test(text) || text.startsWith('--in-place'));
  if (name === 'find' || name === 'fd') return !rest.some(({ text }) => text === '-delete' || text === '-exec');
  return name === '' || LOOK_UPS.has(name);
}

/** Last part of a path. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

const LOOK_UPS: ReadonlySet<string> = new Set([
  'ls',
  'cat',
  'head',
  'tail',
  'nl',
  'less',
  'more',
  'bat',
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'ag',
  'ack',
  'wc',
  'pwd',
  'which',
  'whereis',
  'type',
  'echo',
  'printf',
  'tree',
  'stat',
  'file',
  'sort',
  'uniq',
  'cut',
  'awk',
  'tr',
  'jq',
  'yq',
  'du',
  'df',
  'ps',
  'env',
  'printenv',
  'date',
  'sleep',
  'true',
  'false',
  'test',
  '[',
  '[[',
  'diff',
  'cmp',
  'comm',
  'column',
  'xxd',
  'hexdump',
  'od',
  'strings',
  'basename',
  'dirname',
  'realpath',
  'readlink',
  'uname',
  'whoami',
  'id',
  'lsof',
  'fi',
  'done',
  'esac',
  'for',
  'case',
  'read',
  'return',
  'exit',
  'set',
  'export',
  'source',
  '.',
  'wait',
  'tac',
  'rev',
  'seq',
  'nproc',
  'free',
  'uptime',
  'history',
  'man',
  'help',
  'plutil',
  'locale',
  'mkdir',
]);
/** Tools with some verbs that only look; for `gh` the second word is the verb. */
const LOOK_UP_VERBS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['gh', new Set(['view', 'list', 'checks', 'diff', 'status', 'watch'])],
  ['npm', new Set(['ls', 'list', 'view', 'outdated', 'why', 'root', 'bin'])],
  ['pnpm', new Set(['ls', 'list', 'view', 'outdated', 'why'])],
  ['pip', new Set(['show', 'list', 'freeze'])],
  ['go', new Set(['version', 'env', 'list', 'doc'])],
  ['cargo', new Set(['tree', 'metadata', 'search'])],
  ['docker', new Set(['ps', 'images', 'logs', 'inspect'])],
  ['kubectl', new Set(['get', 'describe', 'logs'])],
]);
const GIT_LOOK_UPS: ReadonlySet<string> = new Set([
  '',
  'status',
  'log',
  'show',
  'diff',
  'blame',
  'rev-parse',
  'rev-list',
  'ls-files',
  'ls-tree',
  'ls-remote',
  'cat-file',
  'grep',
  'describe',
  'shortlog',
  'reflog',
  'for-each-ref',
  'merge-base',
  'remote',
  'config',
  'name-rev',
  'show-ref',
  'var',
  'check-ignore',
  'count-objects',
]);
