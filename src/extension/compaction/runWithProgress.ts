import type { ProgressStage } from '../../core/protocol/planView';
import type { Services } from '../services';
import { signalOf } from '../util/abort';
import { runCompaction, type RunInput, type RunOutcome } from './runCompaction';
import { vscode } from '../vscode';

/** Runs a plan with a notification that shows the stage and can cancel. */
export async function runWithProgress(services: Services, input: RunInput, signal: AbortSignal): Promise<RunOutcome> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Creating a compacted copy'),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    const listening = input.session.onProgress(({ planId, stage }) => {
      if (planId === input.planId) progress.report({ message: stageWords(stage) });
    });
    try {
      return await runCompaction(services, input, AbortSignal.any([signal, signalOf(token)]));
    } finally {
      listening.dispose();
    }
  });
}

function stageWords(stage: ProgressStage): string {
  const { t } = vscode.l10n;
  switch (stage) {
    case 'reading':
      return t('reading the transcript');
    case 'summarizing':
      return t('writing the summary');
    case 'checking':
      return t('checking the result');
    case 'writing':
      return t('writing the copy');
  }
}
