import type { Command } from '../command';
import { receiverName, showRequest, wishes } from '../compaction/showRequest';
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
  const receiver = receiverName(services);
  await showRequest(services, { session, planId: plan.planId, instructions: wishes(services, ''), receiver, asksAgain: false }, signal);
};
