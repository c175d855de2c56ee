// Collects what happened to each file. A path is kept as the transcript writes it; two spellings are one file only where calls state the folder.
import type { CallEffect } from './fileEffects';
import type { FileAction, FileFact, Source } from './sessionFacts';
import { isAbsolute } from './shellEffects';

interface Entry {
  readonly path: string;
  readonly base: string | undefined;
  readonly actions: Set<FileAction>;
  lastSource: Source;
}

export interface FileLedger {
  add(effect: CallEffect, source: Source): void;
  /** Files in the order in which they were first touched. `folder` is the session's usual folder: paths below it need no other. */
  facts(folder: string | undefined): FileFact[];
}

/** Makes an empty ledger. */
export function createFileLedger(): FileLedger {
  const entries = new Map<string, Entry>();
  return {
    add: ({ kind, path: written, base }, source) => {
      const path = written.startsWith('./') && written.length > 2 ? written.slice(2) : written;
      const key = keyOf(path, base);
      const entry = entries.get(key) ?? { path, base, actions: new Set<FileAction>(), lastSource: source };
      entries.set(key, entry);
      entry.lastSource = source;
      const action = kind === 'written' ? writtenAction(entry.actions) : kind;
      // A set keeps the order of its last additions this way, so that the newest fate of the file is known.
      entry.actions.delete(action);
      entry.actions.add(action);
    },
    facts: (folder) => merged([...entries.values()], folder),
  };
}

/** Writing to a path that was seen before changes it, unless it was deleted in between. */
function writtenAction(actions: ReadonlySet<FileAction>): FileAction {
  return actions.size === 0 || lastFate(actions) === 'deleted' ? 'created' : 'changed';
}

/** The newest thing that happened to a file, reading left aside. */
function lastFate(actions: ReadonlySet<FileAction>): FileAction | undefined {
  return [...actions].filter((action) => action !== 'read').at(-1);
}

/** Actions in the order in which they are told: a deletion last, unless the file was made again after it. */
function inOrder(actions: ReadonlySet<FileAction>): FileAction[] {
  const order = lastFate(actions) === 'deleted' ? DELETED_LAST : DELETED_FIRST;
  return order.filter((action) => actions.has(action));
}

/** Puts entries together that name one file: relative ones with a known folder and absolute ones. */
function merged(entries: readonly Entry[], folder: string | undefined): FileFact[] {
  const byKey = new Map<string, Entry>();
  const absolute = new Map<string, Entry>();
  for (const entry of entries) if (isAbsolute(entry.path)) absolute.set(entry.path, entry);
  const relative = new Set(entries.filter(({ path, base }) => !isAbsolute(path) && (base ?? folder) === folder).map(({ path }) => path));
  for (const entry of entries) {
    const base = isAbsolute(entry.path) || entry.base === folder ? undefined : entry.base;
    const place = placeOf({ ...entry, base }, folder, absolute, relative);
    const key = keyOf(place.path, place.base);
    const known = byKey.get(key);
    if (known === undefined)
      byKey.set(key, { path: place.path, base: place.base, actions: new Set(entry.actions), lastSource: entry.lastSource });
    else {
      for (const action of entry.actions) known.actions.add(action);
      if (entry.lastSource.index > known.lastSource.index) known.lastSource = entry.lastSource;
    }
  }
  return [...byKey.values()].map(({ path, base, actions, lastSource }) => ({
    path,
    base,
    actions: inOrder(actions),
    lastSource,
  }));
}

function placeOf(
  entry: Pick<Entry, 'path' | 'base'>,
  folder: string | undefined,
  absolute: ReadonlyMap<string, Entry>,
  relative: ReadonlySet<string>,
): { readonly path: string; readonly base: string | undefined } {
  const { path, base } = entry;
  if (base !== undefined && isAbsolute(base)) {
    const full = joined(base, path);
    if (absolute.has(full)) return { path: full, base: undefined };
    const short = below(full, folder);
    return short !== undefined && relative.has(short) ? { path: short, base: undefined } : { path, base };
  }
  if (base !== undefined) return { path, base };
  const short = below(path, folder);
  return short !== undefined && relative.has(short) ? { path: short, base: undefined } : { path, base: undefined };
}

function below(path: string, folder: string | undefined): string | undefined {
  return folder !== undefined && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

function joined(base: string, path: string): string {
  return `${base.replace(/\/$/, '')}/${path}`;
}

function keyOf(path: string, base: string | undefined): string {
  return base === undefined ? path : `${base}\u0000${path}`;
}

const DELETED_LAST = ['created', 'changed', 'deleted', 'read'] as const;
const DELETED_FIRST = ['deleted', 'created', 'changed', 'read'] as const;
