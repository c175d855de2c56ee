import type { Command } from '../command';
import { showTextLine } from '../editor/revealMessageText';
import { targetSession } from '../target';
import { vscode } from '../vscode';

/** Opens the current session's file as text. */
export const openTranscript: Command = async (services) => {
  const { path } = await targetSession(services);
  await showTextLine(path, 0, vscode.ViewColumn.Active);
};
