import type { Command } from '../command';
import { copyAsPrompt as copyPlanAsPrompt } from '../compaction/copyAsPrompt';
import { targetSession } from '../target';
import { signalOf } from '../util/abort';
import { vscode } from '../vscode';

/**
 * Puts the new context of the compaction that was previewed last, else of one of the whole session, on the clipboard: a text that any agent can go
 * on from, also where no copy can be written.
 */
export const copyAsPrompt: Command = async (services, _args, signal) => {
  const session = await targetSession(services);
  const settings = services.configuration.current;
  const request = session.newestRequest ?? { kind: 'full', keepMessages: settings['compaction.keepMessages'] };
  const plan = await session.preview(request, signal);
  const planId = plan.outcome === 'refusal' ? plan.promptPlanId : plan.planId;
  if (planId === undefined) {
    if (plan.outcome === 'refusal') void vscode.window.showInformationMessage(plan.message);
    return;
  }
  const run = { session, planId, summarizer: settings['summarizer.provider'], instructions: '' };
  const { t } = vscode.l10n;
  const options = { location: vscode.ProgressLocation.Notification, title: t('Writing a prompt for any agent'), cancellable: true };
  const { copied, message } = await vscode.window.withProgress(options, (_, token) =>
    copyPlanAsPrompt(services, run, AbortSignal.any([signal, signalOf(token)])),
  );
  const show = copied ? vscode.window.showInformationMessage : vscode.window.showErrorMessage;
  void show(message);
};
