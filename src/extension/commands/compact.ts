import type { SummarizerChoice } from '../../core/protocol/viewModel';
import type { PlanRefusalView, SummaryPlanView } from '../../core/protocol/planView';
import type { Command } from '../command';
import type { CommandId } from '../commandIds';
import type { RunOutcome } from '../compaction/runCompaction';
import { runWithProgress } from '../compaction/runWithProgress';
import { shortTokens } from '../l10n/numbers';
import { historyItem } from '../history/historyItems';
import { resumeInTerminal } from '../history/resumeTerminal';
import type { Services } from '../services';
import type { SharedSession } from '../sessions/sharedSession';
import { editorModelLabel } from '../summarizer/editorModels';
import { openaiLabel } from '../summarizer/openaiSetup';
import { chooseSummarizer } from './selectSummarizer';
import { targetSession } from '../target';
import { vscode } from '../vscode';

type Choice = SummarizerChoice | 'preview' | 'setup';

/** Compacts the whole session without the page: shows what it would do, asks for a summarizer, and writes a copy. */
export const compact: Command = async (services, _args, signal) => {
  const session = await targetSession(services);
  const keepMessages = services.configuration.current['compaction.keepMessages'];
  const request = { kind: 'full', keepMessages } as const;
  const plan = await session.preview(request, signal);
  if (plan.outcome !== 'plan') {
    // The command is over; the answer to its message may come much later or never.
    if (plan.outcome === 'refusal') offerPrompt(plan).catch(services.report);
    return;
  }
  const choice = await choose(services, plan);
  if (choice === undefined) return;
  if (choice === 'setup') {
    await chooseSummarizer(services);
    return;
  }
  if (choice === 'preview') {
    const page = await services.panels.open(session.path);
    page.tell('preview/show', { request });
    return;
  }
  const run = (summarizer: SummarizerChoice): Promise<RunOutcome> =>
    runWithProgress(services, { session, planId: plan.planId, summarizer, instructions: '' }, signal);
  const outcome = await run(choice);
  report(services, session, outcome, choice === 'offline' ? undefined : () => run('offline')).catch(services.report);
};

async function choose(services: Services, plan: SummaryPlanView): Promise<Choice | undefined> {
  const { t } = vscode.l10n;
  const settings = services.configuration.current;
  const label = openaiLabel(settings);
  const offline = { label: t('Create Compacted Copy, Offline Summary'), description: t('on this machine'), choice: 'offline' as Choice };
  const openai =
    label === ''
      ? { label: t('Set Up an OpenAI-Compatible Server…'), description: '', choice: 'setup' as Choice }
      : { label: t('Create Compacted Copy, Summary by a Model'), description: label, choice: 'openai' as Choice };
  const editor = editorModelLabel(settings);
  const vscodeRun = { label: t('Create Compacted Copy, Summary by a VS Code Model'), description: editor, choice: 'vscode' as Choice };
  const preview = { label: t('Show Preview'), description: t('in the inspector'), choice: 'preview' as Choice };
  const byProvider = { offline: [offline, openai], openai: [openai, offline], vscode: [offline, openai] };
  const runs = byProvider[settings['summarizer.provider']];
  const all = editor === '' ? runs : settings['summarizer.provider'] === 'vscode' ? [vscodeRun, ...runs] : [...runs, vscodeRun];
  const size = (tokens: number): string => shortTokens(tokens, vscode.env.language);
  const answer = await vscode.window.showQuickPick([...all, preview], {
    title: t('Compact: {0} → ~{1} tokens', size(plan.tokensBefore), size(plan.tokensAfter)),
    placeHolder:
      plan.resumable === false
        ? t('No agent has a command that goes on from a copy of this kind; “Copy as Prompt” gives a text for any agent')
        : t('{0} messages are summarized, {1} are kept; the original is never changed', plan.summarizedCount, plan.keptCount),
  });
  return answer?.choice;
}

/** Tells what came of a run. Where a model failed, the same plan can be run with the offline summary. */
async function report(
  services: Services,
  session: SharedSession,
  { view, path }: RunOutcome,
  runOffline: (() => Promise<RunOutcome>) | undefined,
): Promise<void> {
  const { t } = vscode.l10n;
  if (view.outcome === 'cancelled') return void vscode.window.setStatusBarMessage(view.message, 5000);
  if (view.outcome !== 'written') {
    const useOffline = t('Use the Offline Summary');
    const chosen = await vscode.window.showErrorMessage(view.message, ...(runOffline === undefined ? [] : [useOffline]));
    if (chosen === useOffline && runOffline !== undefined) await report(services, session, await runOffline(), undefined);
    return;
  }
  const size = (tokens: number): string => shortTokens(tokens, vscode.env.language);
  const open = t('Open Copy');
  const resume = t('Copy Resume Command');
  const terminal = t('Resume in Terminal');
  const answer = await vscode.window.showInformationMessage(
    t('A compacted copy was created: {0} → {1} tokens. The original is unchanged.', size(view.tokensBefore), size(view.tokensAfter)),
    open,
    ...(view.resume === null ? [] : [resume, terminal]),
  );
  if (answer === open && path !== null) await services.panels.open(path);
  if (answer === resume && view.resume !== null) await vscode.env.clipboard.writeText(view.resume);
  if (answer !== terminal) return;
  try {
    await resumeInTerminal(await historyItem(services, session, view.newSessionId));
  } catch (error) {
    void vscode.window.showErrorMessage(services.describe(error).message);
  }
}

/** Where no copy can be written, a prompt for any agent can. */
async function offerPrompt({ message, promptPlanId }: PlanRefusalView): Promise<void> {
  const title = vscode.l10n.t('Copy as Prompt');
  const answer = await vscode.window.showInformationMessage(message, ...(promptPlanId === undefined ? [] : [title]));
  if (answer === title) await vscode.commands.executeCommand('contextInspector.copyAsPrompt' satisfies CommandId);
}
