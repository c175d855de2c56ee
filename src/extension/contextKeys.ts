import type { SessionView } from '../core/protocol/viewModel';
import { DisposableStore, type Disposable } from '../core/util/disposable';
import type { Services } from './services';
import { vscode } from './vscode';

/** Keeps the context keys of menus in step with the session that commands are about. */
export class ContextKeys implements Disposable {
  readonly #store = new DisposableStore();
  readonly #last = new Map<string, string>();

  constructor(private readonly services: Services) {
    const update = (): void => this.#update();
    this.#store.add(services.pages.onDidChange(update));
    this.#store.add(services.current.onDidChange(update));
    this.#store.add(services.sessions.onDidChange(update));
    update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const { pages, current, sessions } = this.services;
    const view: SessionView | undefined = pages.active?.session?.view ?? current.view;
    this.#set('hasSession', view !== undefined);
    this.#set('hasCurrentSession', current.view !== undefined);
    this.#set('hasSessions', sessions.found.shown.length > 0);
    this.#set('canCompact', view?.canCompact ?? false);
    this.#set('state', view?.gauge.state ?? 'unknown');
    this.#set('boundaryCount', view?.boundaries.length ?? 0);
  }

  #set(name: string, value: string | number | boolean): void {
    if (this.#last.get(name) === String(value)) return;
    this.#last.set(name, String(value));
    void vscode.commands.executeCommand('setContext', `contextInspector.${name}`, value);
  }
}
