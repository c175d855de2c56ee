import { hostname } from 'node:os';
import type { Command } from '../command';
import { withoutIcons } from '../views/sessionText';
import { vscode } from '../vscode';

/** Says in which folders, on which machine, sessions were looked for. */
export const showSearchedFolders: Command = async (services) => {
  const { t } = vscode.l10n;
  const { lookedIn } = await services.sessions.refresh();
  const items = lookedIn.map((folder) => ({ label: withoutIcons(folder), folder }));
  const settings = { label: `$(gear) ${t('Add a folder in the settings…')}`, folder: undefined };
  const choice = await vscode.window.showQuickPick([...items, settings], {
    title: t('Folders on {0} where Sessions Were Looked For', hostname()),
  });
  if (choice === settings) await vscode.commands.executeCommand('workbench.action.openSettings', 'contextInspector.transcripts.paths');
};
