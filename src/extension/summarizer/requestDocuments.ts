import type { Disposable } from '../../core/util/disposable';
import { vscode } from '../vscode';

export const REQUEST_SCHEME = 'context-inspector-request';

/** Shows texts as documents that cannot be changed or saved over anything. A text is kept as long as its tab is open. */
export class RequestDocuments implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(REQUEST_SCHEME, {
      provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? '',
    }),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const tab of closed) this.#texts.delete(uriOf(tab)?.toString() ?? '');
    }),
  );
  #next = 1;

  /** Opens a text in a tab of its own. */
  async show(text: string): Promise<vscode.Uri> {
    const uri = vscode.Uri.from({ scheme: REQUEST_SCHEME, path: `/${vscode.l10n.t('What Is Sent')}.txt`, query: String(this.#next++) });
    this.#texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(uri, { preview: false });
    return uri;
  }

  /** Resolves with true when the tab of a text is closed, and with false when the signal aborts before. */
  closed(uri: vscode.Uri, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isClosed: boolean): void => {
        listening.dispose();
        signal.removeEventListener('abort', onAbort);
        resolve(isClosed);
      };
      const onAbort = (): void => end(false);
      const listening = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some((tab) => uriOf(tab)?.toString() === uri.toString())) end(true);
      });
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }

  dispose(): void {
    this.#registered.dispose();
    this.#texts.clear();
  }
}

function uriOf(tab: vscode.Tab): vscode.Uri | undefined {
  return tab.input instanceof vscode.TabInputText ? tab.input.uri : undefined;
}
