import type { Disposable } from '../../core/util/disposable';
import type { HistoryItem } from '../../node/engine/contract';
import type { Services } from '../services';
import type { SharedSession } from '../sessions/sharedSession';
import { vscode } from '../vscode';

export const COMPARE_SCHEME = 'context-inspector-compare';

/** Shows two texts side by side as documents that cannot be changed. They are kept as long as their tab is open. */
export class ComparedTexts implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(COMPARE_SCHEME, {
      provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? '',
    }),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const { input } of closed) {
        if (!(input instanceof vscode.TabInputTextDiff)) continue;
        for (const uri of [input.original, input.modified]) this.#texts.delete(uri.toString());
      }
    }),
  );
  #next = 1;

  /** Opens both texts in a tab of their own. The names are shown and mean no file. */
  async show(left: { readonly name: string; readonly text: string }, right: typeof left, title: string): Promise<void> {
    const query = String(this.#next++);
    const [original, modified] = [left, right].map(({ name, text }, side) => {
      // The ending keeps VS Code from reading a long text as code.
      const uri = vscode.Uri.from({ scheme: COMPARE_SCHEME, path: `/${side === 0 ? 'original' : 'copy'}/${plain(name)}.txt`, query });
      this.#texts.set(uri.toString(), text);
      return uri;
    });
    await vscode.commands.executeCommand('vscode.diff', original, modified, title, { preview: false });
  }

  dispose(): void {
    this.#registered.dispose();
    this.#texts.clear();
  }
}

/** Opens what a model sees of a copy beside what it sees of the original. Rejects where one of them cannot be read. */
export async function compareTexts(services: Services, session: SharedSession, { view }: HistoryItem, signal?: AbortSignal): Promise<void> {
  const { handle } = await session.open();
  const { source, copy } = await services.engine.request('history/texts', { handle, id: view.id }, signal);
  const title = vscode.l10n.t('Original ↔ Copy: {0}', view.fileName);
  await services.comparisons.show({ name: view.sourceName, text: source }, { name: view.fileName, text: copy }, title);
}

function plain(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_');
}
