import { basename, resolve } from 'node:path';
import { CompactError } from '../../core/errors/compactError';
import type { Handlers } from '../../core/protocol/contract';
import type { FileSystem } from '../../core/ports/fileSystem';
import type { Inspection } from '../../core/session/inspection';
import { contextText } from '../../core/view/contextText';
import { historyEntryView, requestAgain } from '../../core/view/historyView';
import { createNodeFileSystem } from '../fs/nodeFileSystem';
import { openTranscript } from '../sources/transcriptFiles';
import type { EngineRequests, HistoryItem } from './contract';
import { historyOf, type HistoryEntry } from './historyFiles';
import { copyState, sourceState } from './historyStates';
import { undoCompaction } from './historyUndo';

type HistoryRequestName = 'history/list' | 'history/undo' | 'history/texts';

/** Answers about the compactions that an open session is the copy or the original of. Paths leave the engine, but never come back into it. */
export function historyHandlers(
  opened: (handle: string) => { readonly path: string; readonly inspection: Inspection },
  fs: FileSystem = createNodeFileSystem(),
): Pick<Handlers<EngineRequests>, HistoryRequestName> {
  const find = async (handle: string, id: string): Promise<HistoryEntry> => {
    const entry = (await historyOf(fs, opened(handle).path)).find(({ record }) => record.id === id);
    if (entry === undefined) throw new CompactError('unknownMessage', NO_ENTRY);
    return entry;
  };
  return {
    'history/list': async ({ handle }) => {
      const { path, inspection } = opened(handle);
      return historyItems(fs, path, inspection.transcript.cwd);
    },
    'history/undo': async ({ handle, id, sha256 }) => {
      const outcome = await undoCompaction(fs, await find(handle, id), sha256 ?? undefined);
      return outcome.outcome === 'changed' ? outcome : { outcome: 'removed', sha256: null };
    },
    'history/texts': async ({ handle, id }, signal) => {
      const { copyPath, sourcePath } = await find(handle, id);
      return { source: await textAt(sourcePath, signal), copy: await textAt(copyPath, signal) };
    },
  };
}

/** The compactions that a session is the copy or the original of, newest first, with the present states of their files. */
export async function historyItems(fs: FileSystem, path: string, cwd?: string): Promise<readonly HistoryItem[]> {
  const items: HistoryItem[] = [];
  for (const entry of await historyOf(fs, path)) {
    const source = await sourceState(fs, entry);
    const copy = await copyState(fs, entry).catch(() => ({ state: 'changed' as const }));
    items.push({
      view: historyEntryView(entry.record, {
        copyPath: entry.copyPath,
        sourceName: basename(entry.sourcePath),
        copy: copy.state,
        source: source === 'grown' ? 'changed' : source,
        role: entry.copyPath === resolve(path) ? 'copy' : 'original',
      }),
      copyPath: entry.copyPath,
      sourcePath: entry.sourcePath,
      cwd: cwd ?? null,
      again: requestAgain(entry.record),
    });
  }
  return items;
}

async function textAt(path: string, signal: AbortSignal): Promise<string> {
  const file = await openTranscript(path, { watch: false, pollMs: 0, signal });
  try {
    return contextText(file.transcript);
  } finally {
    file.dispose();
  }
}

const NO_ENTRY = 'This compaction is not in the history any more; its note was removed or moved, or belongs to another session.';
