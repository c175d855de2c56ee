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

  /**
   * True when the host is allowed. Asks once, in a modal dialog that names the host and the amount; "no" is not remembered. `showRequest` lets
   * the user read what is sent: it resolves when they have, and then they are asked again; its false ends the question with "no".
   */
  async ask(host: string, tokens: number, showRequest: () => Promise<boolean>): Promise<boolean> {
    if (this.hosts.includes(host)) return true;
    const send = vscode.l10n.t('Send');
    const preview = vscode.l10n.t('Preview What Is Sent');
    const question = (): Thenable<string | undefined> =>
      vscode.window.showWarningMessage(
        vscode.l10n.t('Send ~{0} tokens of this session to {1}?', shortTokens(tokens, vscode.env.language), host),
        {
          modal: true,
          detail: vscode.l10n.t(
            'The messages to be summarized leave this machine. They may hold code, file contents and secrets. You are asked once for each host; “Withdraw Consent…” takes it back.',
          ),
        },
        send,
        preview,
      );
    let answer = await question();
    while (answer === preview) {
      if (!(await showRequest())) return false;
      answer = await question();
    }
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
