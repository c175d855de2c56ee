import type { Command } from '../command';
import type { Services } from '../services';
import { serverAt, type Server } from '../summarizer/openaiSetup';
import { vscode } from '../vscode';

/** Asks for the key of the configured server and keeps it in VS Code's secret storage. */
export const setApiKey: Command = (services) => askForKey(services, serverAt(services.configuration.current['openai.baseUrl']));

/** As the command, for a given server. */
export async function askForKey(services: Services, server: Server): Promise<void> {
  const { t } = vscode.l10n;
  const key = await vscode.window.showInputBox({
    title: t('Set API Key'),
    prompt: t('Key for {0}. It is kept in VS Code’s secret storage and sent to this server only.', server.host),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? t('Write the key, or press Escape to leave it as it is.') : undefined),
  });
  if (key !== undefined) await services.keys.set(server.origin, key.trim());
}
