import type { Command } from '../command';
import { vscode } from '../vscode';

/** Takes back the consent to send text to a host; the next run asks again. */
export const withdrawConsent: Command = async (services) => {
  const { t } = vscode.l10n;
  const { hosts } = services.consent;
  if (hosts.length === 0) {
    void vscode.window.showInformationMessage(t('You have not allowed any host; nothing is sent.'));
    return;
  }
  const host = await vscode.window.showQuickPick(hosts, {
    title: t('Withdraw Consent'),
    placeHolder: t('Host that nothing is sent to any more'),
  });
  if (host === undefined) return;
  await services.consent.withdraw(host);
  void vscode.window.setStatusBarMessage(t('Nothing is sent to {0} before you allow it again.', host), 5000);
};
