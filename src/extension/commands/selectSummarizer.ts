import type { Command } from '../command';
import type { Services } from '../services';
import { HostError } from '../hostError';
import { shortTokens } from '../l10n/numbers';
import { editorModelLabel, modelKey } from '../summarizer/editorModels';
import { addressProblem, openaiLabel, serverAt } from '../summarizer/openaiSetup';
import { askForKey } from './setApiKey';
import { vscode } from '../vscode';

/** Chooses who writes summaries. */
export const selectSummarizer: Command = (services) => chooseSummarizer(services);

/** As the command. For a server it asks for what is missing: address, model, key. Nothing is sent. */
export async function chooseSummarizer(services: Services): Promise<void> {
  const { t } = vscode.l10n;
  const settings = services.configuration.current;
  const label = openaiLabel(settings);
  const items = [
    { label: t('Offline summary'), description: t('on this machine, no key, no network'), provider: 'offline' as const, ask: false },
    {
      label: t('VS Code Language Model…'),
      description: editorModelLabel(settings) === '' ? t('a model of an extension that you use') : editorModelLabel(settings),
      provider: 'vscode' as const,
      ask: true,
    },
    ...(label === '' ? [] : [{ label: t('OpenAI-compatible server'), description: label, provider: 'openai' as const, ask: false }]),
    {
      label: t('Set Up an OpenAI-Compatible Server…'),
      description: t('asks for address, model and key'),
      provider: 'openai' as const,
      ask: true,
    },
  ];
  const choice = await vscode.window.showQuickPick(items, { title: t('Select Summarizer'), placeHolder: t('Who writes summaries?') });
  if (choice === undefined) return;
  if (choice.ask && !(await (choice.provider === 'vscode' ? chooseEditorModel(services) : setUp(services)))) return;
  await services.configuration.update('summarizer.provider', choice.provider);
}

/** False when the user chose none. Throws HostError `noEditorModels` where VS Code offers none. */
async function chooseEditorModel(services: Services): Promise<boolean> {
  const { t } = vscode.l10n;
  const models = await vscode.lm.selectChatModels();
  if (models.length === 0) throw new HostError('noEditorModels');
  const items = models.map((model) => ({
    label: model.name,
    description: modelKey(model),
    detail: t('takes up to {0} tokens', shortTokens(model.maxInputTokens, vscode.env.language)),
    key: modelKey(model),
  }));
  const choice = await vscode.window.showQuickPick(items, { title: t('Select Language Model'), placeHolder: t('Who writes summaries?') });
  if (choice === undefined) return false;
  await services.configuration.update('vscodeLm.model', choice.key);
  return true;
}

/** False when the user stopped half-way; then nothing but complete answers is kept. */
async function setUp(services: Services): Promise<boolean> {
  const { t } = vscode.l10n;
  const settings = services.configuration.current;
  const title = t('Set Up an OpenAI-Compatible Server');
  const baseUrl = await vscode.window.showInputBox({
    title,
    prompt: t('Address of the server, up to and with /v1'),
    value: settings['openai.baseUrl'],
    ignoreFocusOut: true,
    validateInput: (text) => addressProblem(text.trim()),
  });
  if (baseUrl === undefined) return false;
  const model = await vscode.window.showInputBox({
    title,
    prompt: t('Name of the model, as the server knows it'),
    value: settings['openai.model'],
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? t('Write the name of a model.') : undefined),
  });
  if (model === undefined) return false;
  await services.configuration.update('openai.baseUrl', baseUrl.trim());
  await services.configuration.update('openai.model', model.trim());
  const server = serverAt(baseUrl.trim());
  if (!server.isLoopback && (await services.keys.get(server.origin)) === undefined) await askForKey(services, server);
  return true;
}
