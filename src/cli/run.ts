import { CompactError } from '../core/errors/compactError';
import { exitCodeFor, messageFor } from '../core/errors/messages';
import { compact } from './commands/compact';
import { history } from './commands/history';
import { inspect } from './commands/inspect';
import { sessions } from './commands/sessions';
import { undo } from './commands/undo';
import { watch } from './commands/watch';
import { CliError, EXIT, printJson, usageError, type CliIo, type ExitCode } from './io';

const COMMANDS: ReadonlyMap<string, (args: readonly string[], io: CliIo) => Promise<ExitCode>> = new Map([
  ['inspect', inspect],
  ['compact', compact],
  ['sessions', sessions],
  ['watch', watch],
  ['history', history],
  ['undo', undo],
]);

/** Commands that the contract names and this version does not have yet. */
const LATER = new Set(['stats', 'report', 'mcp']);

const HELP = `context-inspector: how full a coding agent's context is, and compacted copies of its sessions

  inspect FILE [--window N] [--model ID] [--messages | --boundary N] [--json]
  compact FILE (--full [--keep N] | --up-to ID | --from ID | --micro [--keep N]) [--pin ID]…
               [--summarizer offline|openai] [--base-url URL --model ID --allow-send HOST] [--instructions TEXT]
               [--of-summary] [--detail brief|normal|full] [--out FILE] [--dry-run | --as-prompt] [--json]
  sessions [--all] [--json]
  watch FILE [--json]
  history FILE [--json]
  undo COPY [--changed] [--json]

FILE is never changed. Exit status: 0 done, 1 failed, 2 wrong usage, 3 refused.
`;

/** Runs one command and answers its exit status. Every failure ends as one sentence and a code, never as a stack. */
export async function run(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  const [name, ...args] = argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    io.out(HELP);
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  try {
    const command = COMMANDS.get(name);
    if (command !== undefined) return await command(args, io);
    if (LATER.has(name)) throw new CliError(EXIT.refused, 'notSupported', `“${name}” is not available in this version.`);
    throw usageError(`There is no command “${name}”; say help for the list.`);
  } catch (error) {
    // Whatever an interrupt broke off, to the user it is one thing: cancelled.
    return fail(io.signal.aborted ? new CompactError('aborted') : error, args.includes('--json'), io);
  }
}

function fail(error: unknown, json: boolean, io: CliIo): ExitCode {
  const exit = error instanceof CliError ? error.exit : exitCodeFor(error);
  const code = codeOf(error);
  const message = error instanceof CliError ? error.message : messageFor(error);
  if (json) printJson(io, { schema: 'context-inspector/error/v1', code, message });
  else io.err(`${message}\n`);
  return exit;
}

function codeOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') return error.code;
  return 'internal';
}
