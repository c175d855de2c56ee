import { shortTokens } from '../l10n/numbers';
import { vscode } from '../vscode';

const KEY = 'contextInspector.consentedHosts';

/** Hosts that the user allowed text of sessions to be sent to, kept on this machine for all workspaces. */
export class Consent {
  constructor(private readonly state: vscode.Memento) {}

  get hosts(): readonly string[] {
    const stored = this.state.get<unknown>(KEY);
    return Array.isArray(stored) ? stored.filter((host) => typeof host === 'string') : [];
  }

  /** True when the host is allowed. Asks once, in a modal dialog that names the host and the amount; "no" is not remembered. */
  async ask(host: string, tokens: number): Promise<boolean> {
    if (this.hosts.includes(host)) return true;
    const send = vscode.l10n.t('Send');
    const answer = await vscode.window.showWarningMessage(
      vscode.l10n.t('Send ~{0} tokens of this session to {1}?', shortTokens(tokens, vscode.env.language), host),
      {
        modal: true,
        detail: vscode.l10n.t(
          'The messages to be summarized leave this machine. They may hold code, file contents and secrets. You are asked once for each host; “Withdraw Consent…” takes it back.',
        ),
      },
      send,
    );
    if (answer !== send) return false;
    await this.state.update(KEY, [...this.hosts, host]);
    return true;
  }

  async withdraw(host: string): Promise<void> {
    await this.state.update(
      KEY,
      this.hosts.filter((other) => other !== host),
    );
  }
}
