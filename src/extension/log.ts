import type { Logger } from '../core/ports/logger';
import { vscode } from './vscode';

/** The log of the extension. At `info` it holds no text of a transcript, no key and no path; the user chooses the level. */
export function createLog(): vscode.LogOutputChannel & Logger {
  return vscode.window.createOutputChannel('Context Inspector', { log: true });
}
