import type { Command } from '../command';
import { targetRow } from '../target';
import { vscode } from '../vscode';

/** Pins the row's message, so that every compaction keeps it word for word with all that belongs to it, or takes its pin away. */
export const togglePinMessage: Command = async (services, args, signal) => {
  const { t } = vscode.l10n;
  const { session, messageId } = await targetRow(services, args, signal);
  const isPinned = await services.pins.toggle(session.path, messageId);
  void vscode.window.setStatusBarMessage(
    isPinned ? t('The message is pinned: a compaction keeps it word for word.') : t('The message is not pinned any more.'),
    5000,
  );
};
