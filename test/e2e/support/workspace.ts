// Throw-away folders: a workspace with copies of transcripts, and a home in which the agents' own folders are found.
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export interface Workspace {
  readonly root: string;
  /** Folder that the window opens. */
  readonly folder: string;
  /** Home of the user, in the environment of the extension host. */
  readonly home: string;
  remove(): void;
}

export function createWorkspace(): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'context-inspector-e2e-')));
  const folder = join(root, 'counter');
  const home = join(root, 'home');
  mkdirSync(folder);
  mkdirSync(home);
  return { root, folder, home, remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) };
}

/** Copies `source` into the workspace and answers the path of the copy. */
export function copyInto(workspace: Workspace, source: string, name = basename(source)): string {
  const path = join(workspace.folder, name);
  cpSync(source, path);
  return path;
}

/** Puts a session where Claude Code keeps those of the workspace's folder; `ageMs` is how long ago it was written to. */
export function addClaudeSession(workspace: Workspace, source: string, name = basename(source), ageMs = 0): string {
  const folder = join(workspace.home, '.claude/projects', workspace.folder.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  cpSync(source, path);
  const time = new Date(Date.now() - ageMs);
  utimesSync(path, time, time);
  return path;
}

/** Appends records as an agent does: one write, whole lines. */
export function appendRecords(path: string, records: readonly unknown[]): void {
  appendFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}
