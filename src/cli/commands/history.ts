import { resolve } from 'node:path';
import { historyItems } from '../../node/engine/historyHandlers';
import type { HistoryItem } from '../../node/engine/contract';
import { createNodeFileSystem } from '../../node/fs/nodeFileSystem';
import { flag, onlyFile, parse } from '../args';
import { shortTokens, table } from '../format';
import { EXIT, printJson, type CliIo, type ExitCode } from '../io';

/** `history FILE [--json]`: the compactions that a session is the copy or the original of, newest first. */
export async function history(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parse(args, { json: { type: 'boolean' } });
  const file = resolve(io.cwd, onlyFile('history', positionals));
  const items = await historyItems(createNodeFileSystem(), file);
  if (flag(values, 'json')) printJson(io, { schema: 'context-inspector/history-list/v1', file, compactions: items.map(wireItem) });
  else
    io.out(items.length === 0 ? 'No compaction of this session by Context Inspector is noted beside it.\n' : `${table(items.map(row))}\n`);
  return EXIT.done;
}

function wireItem({ view, copyPath, sourcePath }: HistoryItem): unknown {
  return { ...view, copyFile: copyPath, sourceFile: sourcePath };
}

const STATES = { present: '', changed: 'changed since', missing: 'missing' } as const;
const KINDS = { full: 'full', partialUpTo: 'up to', partialFrom: 'from', micro: 'micro' } as const;

function row({ view, copyPath, sourcePath }: HistoryItem): readonly string[] {
  const [what, path, state] = view.role === 'copy' ? ['made of', sourcePath, view.source] : ['copy', copyPath, view.copy];
  return [
    view.createdAt.slice(0, 16).replace('T', ' '),
    KINDS[view.kind],
    `${shortTokens(view.tokensBefore)} → ${shortTokens(view.tokensAfter)}`,
    view.model ?? view.summarizer,
    [what, path, STATES[state] === '' ? '' : `(${STATES[state]})`].join(' ').trimEnd(),
  ];
}
