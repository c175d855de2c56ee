import * as vscode from 'vscode';
import type { Command } from '../command';
import type { Services } from '../services';
import { configuredEndpoint, type UsableEndpoint } from '../summarizer/openaiSetup';

/** Asks for the key of the configured server and keeps it in VS Code's secret storage. */
export const setApiKey: Command = (services) => askForKey(services, configuredEndpoint(services.configuration.current));

/** As the command, for a given server. */
export async function askForKey(services: Services, endpoint: UsableEndpoint): Promise<void> {
  const { t } = vscode.l10n;
  const key = await vscode.window.showInputBox({
    title: t('Set API Key'),
    prompt: t('Key for {0}. It is kept in VS Code’s secret storage and sent to this server only.', endpoint.host),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? t('Write the key, or press Escape to leave it as it is.') : undefined),
  });
  if (key !== undefined) await services.keys.set(endpoint.origin, key.trim());
}
