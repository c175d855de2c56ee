import type { Disposable } from '../../core/util/disposable';
import { HostError } from '../hostError';
import { hostMessage } from '../l10n/hostMessages';
import type { Services } from '../services';
import { filePathOf } from './filePath';
import { noticeHtml } from './html';
import { attachPanel } from './attachPanel';
import { vscode } from '../vscode';

export const EDITOR_TYPE = 'contextInspector.transcript';

/** Shows a transcript in place of its text, when the user asks for it with "Reopen Editor With…". It is never the default and never writes. */
export function registerTranscriptEditor(services: Services): Disposable {
  const provider: vscode.CustomReadonlyEditorProvider = {
    openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
    resolveCustomEditor(document, panel) {
      try {
        attachPanel(services, panel, 'editor', filePathOf(document.uri));
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        panel.webview.html = noticeHtml(hostMessage(error.code) ?? error.code, vscode.env.language);
      }
    },
  };
  return vscode.window.registerCustomEditorProvider(EDITOR_TYPE, provider, {
    supportsMultipleEditorsPerDocument: true,
    webviewOptions: { enableFindWidget: true },
  });
}
