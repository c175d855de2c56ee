import type { Command } from '../command';
import { shortTokens } from '../l10n/numbers';
import { withoutIcons } from '../views/sessionText';
import { oneLine } from '../../core/util/text';
import { targetSession } from '../target';
import { vscode } from '../vscode';

/** Asks for a compaction boundary and shows it in the inspector. */
export const inspectBoundary: Command = async (services) => {
  const { t } = vscode.l10n;
  const session = await targetSession(services);
  const { boundaries } = await session.open();
  const tokens = (value: number | null): string => (value === null ? '?' : shortTokens(value, vscode.env.language));
  const items = boundaries.map((boundary) => ({
    label: t('Boundary {0} at message {1}', boundary.index + 1, boundary.rowIndex),
    description: t('{0} · {1} → {2}', withoutIcons(oneLine(boundary.trigger, 40)), tokens(boundary.preTokens), tokens(boundary.postTokens)),
    ...(boundary.timestamp === null ? {} : { detail: withoutIcons(oneLine(boundary.timestamp, 40)) }),
    boundary,
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(t('This session has not been compacted yet.'));
    return;
  }
  const choice = await vscode.window.showQuickPick(items.reverse(), { title: t('Inspect Compaction Boundary'), matchOnDescription: true });
  if (choice === undefined) return;
  const page = await services.panels.open(session.path);
  page.tell('row/reveal', { messageId: choice.boundary.id, index: choice.boundary.rowIndex });
};
