import { DisposableStore, type Disposable } from '../../core/util/disposable';
import { WebviewHost } from '../panels/webviewHost';
import type { Services } from '../services';
import { vscode } from '../vscode';

export const GAUGE_VIEW = 'contextInspector.gauge';

/** The small page in the side bar. It follows the session of the status bar. */
export function registerGaugeView(services: Services): Disposable {
  return vscode.window.registerWebviewViewProvider(GAUGE_VIEW, {
    async resolveWebviewView(view) {
      const store = new DisposableStore();
      view.onDidDispose(() => store.dispose());
      await services.sessions.first().catch(services.report);
      const page = store.add(new WebviewHost(view.webview, 'sidebar', services, services.current.session?.path));
      store.add(services.current.onDidChange(() => void page.show(services.current.session?.path).catch(services.report)));
      store.add(view.onDidChangeVisibility(() => (view.visible ? undefined : page.hidden())));
    },
  });
}
