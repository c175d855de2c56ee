import type { Command } from '../command';
import { chosenEditorModel } from '../summarizer/editorModels';
import { openaiSpec } from '../summarizer/openaiSetup';
import { probeServer } from '../summarizer/probeServer';
import { signalOf } from '../util/abort';
import { vscode } from '../vscode';

/** Asks the configured server for its models, with the key and without any text of a session, and says what came of it. */
export const testConnection: Command = async (services) => {
  const { t } = vscode.l10n;
  const settings = services.configuration.current;
  if (settings['summarizer.provider'] === 'offline') {
    void vscode.window.showInformationMessage(t('The offline summarizer runs on this machine and needs no connection.'));
    return;
  }
  if (settings['summarizer.provider'] === 'vscode') {
    const model = await chosenEditorModel(settings);
    void vscode.window.showInformationMessage(t('{0} is available. VS Code asks for your leave when it is used first.', model.name));
    return;
  }
  const { spec, host } = await openaiSpec(settings, services.keys);
  const outcome = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Testing the connection to {0}…', host), cancellable: true },
    (_progress, token) => probeServer(spec, signalOf(token)),
  );
  switch (outcome.kind) {
    case 'ok':
      return void vscode.window.showInformationMessage(t('{0} answers and knows the model {1}.', host, spec.model));
    case 'modelMissing':
      return void vscode.window.showWarningMessage(t('{0} answers, but its list of models does not hold {1}.', host, spec.model));
    case 'noList':
      return void vscode.window.showInformationMessage(t('{0} answers, but it has no list of models, so the model was not checked.', host));
    case 'status':
      return void vscode.window.showErrorMessage(
        outcome.status === 401 || outcome.status === 403
          ? t('{0} does not accept the key (status {1}). Store another one with “Set API Key…”.', host, outcome.status)
          : t('{0} answered with status {1}. Check the address and try again.', host, outcome.status),
      );
    case 'unreachable':
      return void vscode.window.showErrorMessage(t('{0} cannot be reached. Check the address and the network, then try again.', host));
    case 'cancelled':
      return;
  }
};
