import * as vscode from 'vscode';
import type { Command } from '../command';

/** Opens VS Code's settings at those of this extension. */
export const openSettings: Command = async (services) =>
  vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${services.context.extension.id}`);
