import type { Command } from '../command';
import { pickHistoryItem } from '../history/historyItems';
import { undoCopy } from '../history/undoCopy';
import { targetSession } from '../target';
import { vscode } from '../vscode';

/** Removes a compacted copy of the session, or the copy that the session is, after asking. */
export const undoCompaction: Command = async (services) => {
  const session = await targetSession(services);
  const item = await pickHistoryItem(services, session, () => true);
  if (item === undefined) return;
  const { outcome, message } = await undoCopy(services, session, item);
  if (message !== null) void vscode.window.showInformationMessage(message);
  else if (outcome === 'undone')
    vscode.window.setStatusBarMessage(vscode.l10n.t('The compaction was undone; the original is as it was.'), 5000);
};
