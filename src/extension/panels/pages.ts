import { Emitter } from '../../core/util/emitter';
import type { Disposable } from '../../core/util/disposable';
import type { WebviewHost } from './webviewHost';

/** All open pages, and the one that commands from menus and the palette are about: the one used last that is still visible. */
export class Pages implements Disposable {
  /** In the order of use, the last one used at the end. */
  #visible: readonly WebviewHost[] = [];
  readonly #changed = new Emitter<void>();
  /** Another page is the active one, or it shows another session. */
  readonly onDidChange = this.#changed.event;

  get active(): WebviewHost | undefined {
    return this.#visible.at(-1);
  }

  /** The visible page that shows the session of a handle, the one used last where there are several. */
  withHandle(handle: string): WebviewHost | undefined {
    return this.#visible.findLast((page) => page.session?.view?.handle === handle);
  }

  /** Notes that a page was shown or focused. */
  used(page: WebviewHost): void {
    if (this.active === page) return;
    this.#visible = [...this.#visible.filter((other) => other !== page), page];
    this.#changed.fire();
  }

  /** Notes that a page is visible without being focused. */
  shown(page: WebviewHost): void {
    if (this.#visible.includes(page)) return;
    this.#visible = [page, ...this.#visible];
    this.#changed.fire();
  }

  /** Notes that a page was hidden or closed. */
  remove(page: WebviewHost): void {
    if (!this.#visible.includes(page)) return;
    this.#visible = this.#visible.filter((other) => other !== page);
    this.#changed.fire();
  }

  /** A page shows another session. */
  changed(): void {
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
