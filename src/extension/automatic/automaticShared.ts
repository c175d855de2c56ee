import type { Disposable } from '../../core/util/disposable';
import { Emitter } from '../../core/util/emitter';
import type { AutomaticStatus } from './automaticMode';
import { UntouchedCopies } from './untouchedCopies';

/** What automatic mode tells the rest of the extension: what it is doing, and which copies it has made. */
export class AutomaticShared implements Disposable {
  readonly copies = new UntouchedCopies();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #status: AutomaticStatus | undefined;

  /** Undefined while the mode is off, or there is no session. */
  get status(): AutomaticStatus | undefined {
    return this.#status;
  }

  show(status: AutomaticStatus | undefined): void {
    if (JSON.stringify(status) === JSON.stringify(this.#status)) return;
    this.#status = status;
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
