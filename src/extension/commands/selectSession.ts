import type { Command } from '../command';
import type { Services } from '../services';
import { sessionIcon, sessionWords, withoutIcons } from '../views/sessionText';
import { vscode } from '../vscode';

interface SessionItem extends vscode.QuickPickItem {
  /** Undefined follows the newest session. */
  readonly path: string | undefined;
}

/** Chooses the session that the status bar and the gauge show. */
export const selectSession: Command = async (services) => {
  const choice = await pickSession(services);
  if (choice !== undefined) await services.current.setPinned(choice.path);
};

/** Asks for a session; undefined when nothing was chosen, a choice without a path for "the newest one". */
export async function pickSession(services: Services): Promise<{ readonly path: string | undefined } | undefined> {
  const { t } = vscode.l10n;
  const { shown } = await services.sessions.refresh();
  const nowMs = Date.now();
  const pinned = services.current.pinned;
  const newest: SessionItem = {
    label: `$(sync) ${t('Follow the newest session of this folder')}`,
    ...(pinned === undefined ? { description: t('chosen now') } : {}),
    path: undefined,
  };
  const items = shown.map((entry): SessionItem => {
    const words = sessionWords(entry, nowMs, vscode.env.language, t);
    return {
      label: `$(${sessionIcon(entry, nowMs)}) ${withoutIcons(words.label)}`,
      description: withoutIcons(words.description),
      detail: withoutIcons(words.tooltip[1] ?? ''),
      path: entry.path,
    };
  });
  return vscode.window.showQuickPick([newest, ...items], {
    title: t('Select Session'),
    placeHolder: items.length === 0 ? t('No session was found; “Inspect Transcript File…” opens any file.') : t('Session to show'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
}
