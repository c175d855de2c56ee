import { PANEL_TYPE } from './panels/inspectorPanels';
import type { Services } from './services';
import { vscode } from './vscode';

/** Environment variable with the path of a transcript, for whoever starts VS Code from a script (`npm start`). */
const OPEN = 'CONTEXT_INSPECTOR_OPEN';

/** Opens the inspector on the transcript that the environment names. Does nothing without one, or when the window brings a panel back. */
export function openAtStart(services: Services): void {
  const path = process.env[OPEN];
  if (path === undefined || path === '' || hasPanel()) return;
  vscode.commands.executeCommand('contextInspector.openTranscriptFrom', vscode.Uri.file(path)).then(undefined, services.report);
}

/** True when the window has a tab of the inspector, which VS Code restores. */
function hasPanel(): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  // VS Code puts a prefix of its own before the type.
  return tabs.some(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(PANEL_TYPE));
}
