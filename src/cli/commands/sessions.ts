import type { SessionEntry } from '../../node/engine/contract';
import { listSessions } from '../../node/engine/listSessions';
import { agentFolders } from '../../node/sources/discovery';
import { flag, parse } from '../args';
import { shortTokens, STATE_WORDS, table } from '../format';
import { EXIT, printJson, usageError, type CliIo, type ExitCode } from '../io';

const LIMIT = 200;

/** `sessions [--all] [--json]`: the sessions of this folder, or of this machine. */
export async function sessions(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parse(args, { all: { type: 'boolean' }, json: { type: 'boolean' } });
  if (positionals.length > 0) throw usageError('sessions takes no file; say --all for the sessions of this machine.');
  const found = await listSessions(
    { folders: [io.cwd], all: flag(values, 'all'), extraPaths: {}, limit: LIMIT },
    agentFolders(io.env),
    io.signal,
  );
  if (flag(values, 'json')) {
    printJson(io, {
      schema: 'context-inspector/sessions/v1',
      sessions: found.sessions.map(wireEntry),
      lookedIn: found.lookedIn,
    });
    return EXIT.done;
  }
  if (found.sessions.length === 0) {
    io.out(`No sessions found for this folder. Looked in:\n${found.lookedIn.map((folder) => `  ${folder}`).join('\n')}\n`);
    return EXIT.done;
  }
  const rows = found.sessions
    .flatMap((entry) => [entry, ...(entry.subagents ?? [])])
    .map((entry) => [
      new Date(entry.lastActivityMs).toISOString().slice(0, 16).replace('T', ' '),
      entry.agent,
      entry.usedTokens === null ? '?' : shortTokens(entry.usedTokens),
      entry.windowTokens === null ? '?' : shortTokens(entry.windowTokens),
      STATE_WORDS[entry.state] ?? entry.state,
      entry.parentPath === undefined ? entry.path : `  └ ${entry.path}`,
    ]);
  io.out(`${table(rows)}\n`);
  return EXIT.done;
}

function wireEntry(entry: SessionEntry): unknown {
  return {
    agent: entry.format,
    file: entry.path,
    sessionId: entry.sessionId,
    title: entry.title,
    model: entry.model,
    usedTokens: entry.usedTokens,
    measurement: entry.measurement,
    windowTokens: entry.windowTokens,
    state: entry.state,
    lastActivity: new Date(entry.lastActivityMs).toISOString(),
    ...(entry.subagents === undefined ? {} : { subagents: entry.subagents.map(wireEntry) }),
  };
}
