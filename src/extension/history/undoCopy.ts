import type { HistoryItem } from '../../node/engine/contract';
import { HostError } from '../hostError';
import type { Services } from '../services';
import type { SharedSession } from '../sessions/sharedSession';
import { vscode } from '../vscode';

export interface Undone {
  readonly outcome: 'undone' | 'kept';
  /** Why it was kept; null when the user said no. */
  readonly message: string | null;
}

/**
 * Removes a compacted copy after asking in a modal dialog. A copy in which an agent went on is asked about in words of its own, and removed only
 * in the state that was asked about. The original is never touched.
 */
export async function undoCopy(services: Services, session: SharedSession, { view, sourcePath, copyPath }: HistoryItem): Promise<Undone> {
  if (!vscode.workspace.isTrusted) return { outcome: 'kept', message: services.describe(new HostError('untrustedWorkspace')).message };
  const { handle } = await session.open();
  const { t } = vscode.l10n;
  const remove = (sha256: string | null): ReturnType<typeof services.engine.request<'history/undo'>> =>
    services.engine.request('history/undo', { handle, id: view.id, sha256 });
  const original = t('The original stays as it is: {0}', sourcePath);
  if (view.copy !== 'changed') {
    const isMissing = view.copy === 'missing';
    const answer = await confirm(
      isMissing
        ? t('The copy {0} is not there any more. Remove it from the history?', view.fileName)
        : t('Undo this compaction and remove its copy {0}?', view.fileName),
      original,
      isMissing ? t('Remove from History') : t('Remove Copy'),
    );
    if (!answer) return { outcome: 'kept', message: null };
  }
  let outcome = await remove(null);
  // What is confirmed is one state; when the agent writes while the question is open, it is asked again.
  while (outcome.outcome === 'changed') {
    const isSure = await confirm(
      t(
        'The copy {0} has changed since it was written, most likely because an agent went on in it. Remove it with all that was added?',
        view.fileName,
      ),
      `${t('What was added is nowhere else and cannot be brought back.')} ${original}`,
      t('Remove with All That Was Added'),
    );
    if (!isSure) return { outcome: 'kept', message: null };
    outcome = await remove(outcome.sha256);
  }
  services.log.info('A compaction was undone.');
  services.refreshSessions();
  // Whoever looks at the copy looks at nothing now.
  if (session.path === copyPath && view.source !== 'missing') await services.panels.open(sourcePath).catch(services.report);
  return { outcome: 'undone', message: null };
}

async function confirm(question: string, detail: string, yes: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
