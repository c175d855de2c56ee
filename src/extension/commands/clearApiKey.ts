import type { Command } from '../command';
import { serverAt } from '../summarizer/openaiSetup';
import { vscode } from '../vscode';

/** Removes the key of the configured server from the secret storage. */
export const clearApiKey: Command = async (services) => {
  const { origin, host } = serverAt(services.configuration.current['openai.baseUrl']);
  await services.keys.clear(origin);
  void vscode.window.setStatusBarMessage(vscode.l10n.t('The API key for {0} was removed.', host), 5000);
};
