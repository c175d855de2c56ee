import { watch, type FSWatcher } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Disposable } from '../../core/util/disposable';

/** Watches the folder, since a file that is replaced by another takes its own watch with it. A folder that cannot be watched is left to polling. */
export function watchFolder(path: string, onNotice: () => void): Disposable {
  const name = basename(path);
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(resolve(path)), { persistent: false }, (_, changed) => {
      if (changed === null || changed === name) onNotice();
    });
    watcher.on('error', () => watcher?.close());
  } catch {
    watcher = undefined;
  }
  return { dispose: () => watcher?.close() };
}

/** Watches one file; one that takes its place is not seen. */
export function watchFile(path: string, onNotice: () => void): Disposable {
  try {
    const watcher = watch(path, { persistent: false }, () => onNotice());
    watcher.on('error', () => watcher.close());
    return { dispose: () => watcher.close() };
  } catch {
    return { dispose: () => undefined };
  }
}

/** Calls a function at a distance, in ms. */
export function every(ms: number, run: () => void): Disposable {
  const timer = setInterval(run, ms);
  return { dispose: () => clearInterval(timer) };
}
