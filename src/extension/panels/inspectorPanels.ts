import { basename } from 'node:path';
import { isRecord, stringOf } from '../../core/util/json';
import type { Disposable } from '../../core/util/disposable';
import { oneLine } from '../../core/util/text';
import type { Services } from '../services';
import { attachPanel } from './attachPanel';
import type { WebviewHost } from './webviewHost';
import { vscode } from '../vscode';

export const PANEL_TYPE = 'contextInspector.panel';
const SHOWN_KEY = 'contextInspector.shownPanels';
/** Panels whose file is remembered for the next start. */
const MAX_REMEMBERED = 50;
const MAX_TITLE = 40;

interface Remembered {
  readonly handle: string;
  readonly path: string;
}

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly page: WebviewHost;
}

export interface OpenOptions {
  readonly toSide?: boolean;
}

/** The inspector's panels: one for each file, made on demand and restored with the window. */
export class InspectorPanels implements Disposable {
  readonly #open = new Set<OpenPanel>();
  readonly #serializer = vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
    deserializeWebviewPanel: (panel, state) => {
      this.#attach(panel, this.#pathOf(state) ?? this.services.current.session?.path);
      return Promise.resolve();
    },
  });

  constructor(private readonly services: Services) {}

  /** Shows the panel of a file, a new one when there is none, and answers its page. */
  async open(path: string, { toSide = false }: OpenOptions = {}): Promise<WebviewHost> {
    const existing = [...this.#open].find(({ page }) => page.path === path);
    const column = toSide ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    if (existing !== undefined) {
      existing.panel.reveal(toSide ? column : undefined);
      // VS Code tells of it later; what the caller does next is about this page already.
      this.services.pages.used(existing.page);
      await existing.page.open();
      return existing.page;
    }
    // The file is opened first: what can't be read gets a message and no empty panel.
    const lease = await this.services.hub.acquire(path);
    try {
      const panel = vscode.window.createWebviewPanel(PANEL_TYPE, basename(path), column, { enableFindWidget: true });
      const page = this.#attach(panel, path);
      await page.open();
      return page;
    } finally {
      lease.dispose();
    }
  }

  dispose(): void {
    this.#serializer.dispose();
    for (const { panel } of [...this.#open]) panel.dispose();
  }

  #attach(panel: vscode.WebviewPanel, path: string | undefined): WebviewHost {
    const page = attachPanel(this.services, panel, 'panel', path);
    const entry = { panel, page };
    this.#open.add(entry);
    const listening = this.services.pages.onDidChange(() => this.#follow(entry));
    panel.onDidDispose(() => {
      listening.dispose();
      this.#open.delete(entry);
    });
    return page;
  }

  /** Keeps the panel's title and what is remembered of it in step with the session that it shows. */
  #follow({ panel, page }: OpenPanel): void {
    const view = page.session?.view;
    if (view === undefined || page.path === undefined) return;
    const title = oneLine(view.title === '' ? view.fileName : view.title, MAX_TITLE);
    if (panel.title !== title) panel.title = title;
    const remembered = this.#remembered();
    if (remembered.some(({ handle }) => handle === view.handle)) return;
    const next = [{ handle: view.handle, path: page.path }, ...remembered].slice(0, MAX_REMEMBERED);
    void this.services.context.workspaceState.update(SHOWN_KEY, next);
  }

  /** The file of a panel that is being restored: its page kept the handle, we kept which file that was. */
  #pathOf(state: unknown): string | undefined {
    const handle = isRecord(state) ? stringOf(state, 'handle') : undefined;
    return this.#remembered().find((entry) => entry.handle === handle)?.path;
  }

  #remembered(): readonly Remembered[] {
    const stored = this.services.context.workspaceState.get<unknown>(SHOWN_KEY);
    return Array.isArray(stored) ? stored.filter(isRemembered) : [];
  }
}

function isRemembered(value: unknown): value is Remembered {
  return isRecord(value) && stringOf(value, 'handle') !== undefined && stringOf(value, 'path') !== undefined;
}
