import type { WebviewPanel } from 'vscode';
import { DisposableStore } from '../../core/util/disposable';
import type { Services } from '../services';
import type { Surface } from './html';
import { WebviewHost } from './webviewHost';

/** Gives a panel its page, and tells which page is in use. The page ends with the panel. */
export function attachPanel(services: Services, panel: WebviewPanel, surface: Surface, path: string | undefined): WebviewHost {
  const store = new DisposableStore();
  const page = store.add(new WebviewHost(panel.webview, surface, services, path));
  const note = (): void => {
    if (!panel.visible) {
      page.hidden();
      services.pages.remove(page);
    } else if (panel.active) services.pages.used(page);
    else services.pages.shown(page);
  };
  store.add(panel.onDidChangeViewState(note));
  store.add(panel.onDidDispose(() => store.dispose()));
  note();
  return page;
}
