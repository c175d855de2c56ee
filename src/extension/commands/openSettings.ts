import type { Command } from '../command';
import { vscode } from '../vscode';

/** Opens VS Code's settings at those of this extension. */
export const openSettings: Command = async (services) =>
  vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${services.context.extension.id}`);
