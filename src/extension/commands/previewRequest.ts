import type { Command } from '../command';
import { showRequest, wishes } from '../compaction/showRequest';
import { editorModelLabel } from '../summarizer/editorModels';
import { openaiLabel } from '../summarizer/openaiSetup';
import { targetSession } from '../target';
import { vscode } from '../vscode';

/** Shows what a model would be sent for the compaction that was previewed last, else for one of the whole session. Sends nothing. */
export const previewRequest: Command = async (services, _args, signal) => {
  const session = await targetSession(services);
  const settings = services.configuration.current;
  const request = session.newestRequest ?? { kind: 'full', keepMessages: settings['compaction.keepMessages'] };
  const plan = await session.preview(request, signal);
  if (plan.outcome === 'refusal') {
    void vscode.window.showInformationMessage(plan.message);
    return;
  }
  const labels = { offline: '', vscode: editorModelLabel(settings), openai: openaiLabel(settings) };
  const receiver = labels[settings['summarizer.provider']] || vscode.l10n.t('a model');
  await showRequest(services, { session, planId: plan.planId, instructions: wishes(services, ''), receiver, asksAgain: false }, signal);
};
