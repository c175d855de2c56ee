import { oneLine } from '../../core/util/text';
import type { Command } from '../command';
import { parseTokens } from '../config/parseTokens';
import type { Services } from '../services';
import type { SharedSession } from '../sessions/sharedSession';
import { targetSession } from '../target';
import { vscode } from '../vscode';

/** Asks for the context window of the session's model and keeps it in the setting `window.overrides`. */
export const setContextWindow: Command = async (services) => chooseContextWindow(services, await targetSession(services));

/** As the command, for a given session. An empty answer takes the own value away again; a session without a model is meant by `*`. */
export async function chooseContextWindow(services: Services, session: SharedSession): Promise<void> {
  const { t } = vscode.l10n;
  const { model, gauge } = await session.open();
  const overrides = services.configuration.current['window.overrides'];
  const key = model ?? '*';
  const answer = await vscode.window.showInputBox({
    title: t('Set Context Window for Model'),
    prompt: t(
      'Tokens of the context window of {0}, for example 200000, 200K or 1M. Leave empty to take your own value away.',
      oneLine(key, 80),
    ),
    value: String(overrides[key] ?? gauge.windowTokens ?? ''),
    validateInput: (text) =>
      text.trim() === '' || parseTokens(text) !== undefined ? undefined : t('Write a whole number of tokens, such as 200000 or 200K.'),
  });
  if (answer === undefined) return;
  const others = Object.entries(overrides).filter(([name]) => name !== key);
  const tokens = parseTokens(answer);
  await services.configuration.update('window.overrides', Object.fromEntries(tokens === undefined ? others : [...others, [key, tokens]]));
}
