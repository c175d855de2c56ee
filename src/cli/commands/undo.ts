import { resolve } from 'node:path';
import { historyOf } from '../../node/engine/historyFiles';
import { undoCompaction } from '../../node/engine/historyUndo';
import { createNodeFileSystem } from '../../node/fs/nodeFileSystem';
import { copyState } from '../../node/engine/historyStates';
import { flag, onlyFile, parse } from '../args';
import { CliError, EXIT, printJson, type CliIo, type ExitCode } from '../io';

/** `undo COPY [--changed] [--json]`: removes a compacted copy and its note. A copy in which an agent went on is kept unless `--changed` is said. */
export async function undo(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parse(args, { changed: { type: 'boolean' }, json: { type: 'boolean' } });
  const path = resolve(io.cwd, onlyFile('undo', positionals));
  const fs = createNodeFileSystem();
  const entry = (await historyOf(fs, path)).find(({ copyPath }) => copyPath === path);
  if (entry === undefined) {
    throw new CliError(EXIT.refused, 'notACopy', 'This file is not noted as a copy that Context Inspector made, so nothing was removed.');
  }
  const state = flag(values, 'changed') ? (await copyState(fs, entry)).sha256 : undefined;
  const { outcome } = await undoCompaction(fs, entry, state);
  if (outcome === 'changed') {
    throw new CliError(
      EXIT.refused,
      'changed',
      'The copy has changed since it was written, most likely because an agent went on in it. Nothing was removed; say --changed to remove it all the same.',
    );
  }
  if (flag(values, 'json')) printJson(io, { schema: 'context-inspector/undo/v1', removed: path, original: entry.sourcePath });
  else io.out(`Removed: ${path}\nThe original was not touched: ${entry.sourcePath}\n`);
  return EXIT.done;
}
