import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { HistoryItem } from '../../node/engine/contract';
import { HostError } from '../hostError';
import { vscode } from '../vscode';
import { isSafeInTerminal } from './terminalWords';

/**
 * Runs the command that continues an agent from a copy, in a new terminal in the session's folder. Rejects with `noResume` where there is none,
 * `unsafeResume` where this system's shells would not read it as it is meant, and `untrustedWorkspace`.
 */
export async function resumeInTerminal({ view, cwd }: HistoryItem): Promise<void> {
  if (!vscode.workspace.isTrusted) throw new HostError('untrustedWorkspace');
  if (view.resume === null) throw new HostError('noResume');
  if (!isSafeInTerminal(view.resume)) throw new HostError('unsafeResume');
  // The folder comes from the transcript: it is where the terminal starts, and no part of a command.
  const isFolder = cwd !== null && isAbsolute(cwd) && (await stat(cwd).catch(() => undefined))?.isDirectory() === true;
  const terminal = vscode.window.createTerminal({ name: vscode.l10n.t('Resume Session'), ...(isFolder ? { cwd } : {}) });
  terminal.show();
  terminal.sendText(view.resume, true);
}
