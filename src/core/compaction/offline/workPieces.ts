// How the agent's work is stated: files, commands, problems, to-do items, calls without a result.
import type { Piece } from './budget';
import { commonRoot, fileLines, rootLine } from './fileStatements';
import { codeSpan, harmless, inOneLine } from './markdown';
import type { CommandFact, CommandStatus, LastCall, OpenCall, ProblemFact, SessionFacts, TodoItem } from './sessionFacts';
import { isCommitLine, shortened } from './telling';

export interface FilePieces {
  readonly intro: string | undefined;
  /** In the order of display. */
  readonly all: readonly Piece[];
  /** In order of importance: what was made or changed, newest first; then what was only read. */
  readonly changed: readonly Piece[];
  readonly read: readonly Piece[];
}

/** Pieces for files: one a folder and fate. */
export function filePieces(facts: SessionFacts): FilePieces {
  const root = commonRoot(facts.files);
  const lines = fileLines(facts.files, root).map((line) => ({
    ...line,
    piece: { forms: [harmless(line.text)], label: line.label, count: line.files },
  }));
  const byAge = [...lines].sort((a, b) => b.newest - a.newest);
  const isRead = (actions: readonly string[]): boolean => actions.length === 1 && actions[0] === 'read';
  return {
    intro: root === undefined ? undefined : harmless(rootLine(root)),
    all: lines.map(({ piece }) => piece),
    changed: byAge.filter(({ actions }) => !isRead(actions)).map(({ piece }) => piece),
    read: byAge.filter(({ actions }) => isRead(actions)).map(({ piece }) => piece),
  };
}

/** One piece a command, in the order of the last run. */
export function commandPieces(commands: readonly CommandFact[]): Piece[] {
  return commands.map((command) => {
    if (command.status === 'ok' && command.line !== undefined && isCommitLine(command.line)) {
      return { label: COMMITS_LABEL, forms: [`- ${harmless(command.line)}`] };
    }
    const text = harmless(inOneLine(command.command));
    const place = command.folder === undefined ? '' : ` (in ${harmless(command.folder)})`;
    const end = harmless(`${place}${outcomeOf(command)}`);
    const short = `- ${codeSpan(shortened(text, SHORT_COMMAND))}${end}`;
    const long = `- ${codeSpan(shortened(text, LONG_COMMAND))}${end}`;
    return { label: '**Commands:**', forms: short === long ? [short] : [short, long] };
  });
}

function outcomeOf({ status, exitCode, seconds, line, runs, failures, inBackground }: CommandFact): string {
  const exit = status === 'failed' && exitCode !== undefined && exitCode !== '0' ? ` with exit code ${exitCode}` : '';
  const words = [STATUS_WORDS[status] + (status === 'failed' ? exit : '')];
  if (inBackground && status === 'running') words[0] = 'left running in the background';
  const time = Number(seconds) >= SLOW_SECONDS ? ` in ${seconds ?? ''} s` : '';
  const earlier = status === 'failed' ? failures - 1 : failures;
  const counts = runs > 1 ? ` (${runs} runs${earlier > 0 ? `, ${earlier} earlier failed` : ''})` : '';
  const said = line === undefined || status === 'running' ? '' : `: ${line}`;
  return ` — ${words.join('')}${time}${counts}${said}`;
}

/** One piece a problem. */
export function problemPieces(problems: readonly ProblemFact[]): Piece[] {
  return problems.map(({ about, isCommand, line, count, fixed }) => {
    const text = harmless(inOneLine(about));
    const said = line === '' ? '' : `: ${codeSpan(harmless(line))}`;
    const times = count > 1 ? ` (${count} times)` : '';
    return {
      label: fixed ? '**Worked later:**' : '**Not seen to work since:**',
      forms: [`- ${isCommand ? codeSpan(shortened(text, SHORT_COMMAND)) : shortened(text, SHORT_COMMAND)}${times}${said}`],
    };
  });
}

/** Open items, each as it is written. */
export function todoPieces(todos: readonly TodoItem[]): { readonly open: Piece[]; readonly done: Piece[] } {
  const piece = ({ text, status }: TodoItem): Piece => ({
    forms: [`- [${status === 'done' ? 'x' : ' '}] ${harmless(inOneLine(text))}${status === 'active' ? ' (in progress)' : ''}`],
  });
  return {
    open: todos.filter(({ status }) => status !== 'done').map(piece),
    done: todos.filter(({ status }) => status === 'done').map(piece),
  };
}

/** Items that were done in lists that are gone. */
export function doneEarlierPieces(texts: readonly string[]): Piece[] {
  return texts.map((text) => ({ label: '**Done in earlier lists:**', forms: [`- [x] ${harmless(inOneLine(text))}`] }));
}

/** Calls whose result is not in the summarized part. */
export function openCallPieces(calls: readonly OpenCall[]): Piece[] {
  return calls.map(({ name, detail }) => {
    const text = harmless(detail);
    const shown = text === '' ? '' : ` ${codeSpan(shortened(inOneLine(text), OPEN_CALL))}`;
    return { label: '**Calls without a result here:**', forms: [`- ${harmless(inOneLine(name))}${shown}`] };
  });
}

/** The last things that the agent did, in one piece. */
export function lastCallsPiece(calls: readonly LastCall[]): Piece {
  const texts = calls.map(({ name, detail, status }) => {
    const about = shortened(harmless(inOneLine(detail)), SHORT_COMMAND);
    return `- ${harmless(inOneLine(name))}${about === '' ? '' : ` ${codeSpan(about)}`} — ${STATUS_WORDS[status]}`;
  });
  return { label: '**Last calls:**', forms: [texts.join('\n')] };
}

/** Processes that were started and not seen to end. */
export function runningPieces(commands: readonly CommandFact[]): Piece[] {
  return commands
    .filter(({ status }) => status === 'running')
    .slice(-MAX_RUNNING)
    .map(({ command }) => ({
      label: '**Started and not seen to end:**',
      forms: [`- ${codeSpan(shortened(harmless(inOneLine(command)), SHORT_COMMAND))}`],
    }));
}

const STATUS_WORDS = {
  ok: 'ok',
  failed: 'failed',
  running: 'left running',
  refused: 'refused by the user',
  unknown: 'outcome not stated',
} as const satisfies Record<CommandStatus, string>;
export const COMMITS_LABEL = '**Commits:**';
const SHORT_COMMAND = 120;
const LONG_COMMAND = 300;
const OPEN_CALL = 600;
const MAX_RUNNING = 5;
const SLOW_SECONDS = 10;
