import type { HistoryItem } from '../../node/engine/contract';
import { shortTokens } from '../l10n/numbers';
import { HostError } from '../hostError';
import type { Services } from '../services';
import type { SharedSession } from '../sessions/sharedSession';
import { vscode } from '../vscode';

/** Compactions that a session is the copy or the original of, newest first. */
export async function historyItems(services: Services, session: SharedSession, signal?: AbortSignal): Promise<readonly HistoryItem[]> {
  const { handle } = await session.open();
  return services.engine.request('history/list', { handle }, signal);
}

/** The compaction with an id; rejects with `unknownCopy`. */
export async function historyItem(services: Services, session: SharedSession, id: string): Promise<HistoryItem> {
  const item = (await historyItems(services, session)).find(({ view }) => view.id === id);
  if (item === undefined) throw new HostError('unknownCopy');
  return item;
}

/**
 * The compaction that a command without a target is about: the only one that fits, else the one that the user picks. Undefined when none is
 * picked; rejects with `noHistory` where none fits.
 */
export async function pickHistoryItem(
  services: Services,
  session: SharedSession,
  fits: (item: HistoryItem) => boolean,
): Promise<HistoryItem | undefined> {
  const items = (await historyItems(services, session)).filter(fits);
  const [only, ...more] = items;
  if (only === undefined) throw new HostError('noHistory');
  if (more.length === 0) return only;
  const { t } = vscode.l10n;
  const language = vscode.env.language;
  const answer = await vscode.window.showQuickPick(
    items.map((item) => ({
      label: item.view.fileName,
      description: new Date(item.view.createdAt).toLocaleString(language),
      detail: t('{0} → {1} tokens', shortTokens(item.view.tokensBefore, language), shortTokens(item.view.tokensAfter, language)),
      item,
    })),
    { title: t('Compactions of This Session'), matchOnDescription: true },
  );
  return answer?.item;
}
