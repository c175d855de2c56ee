import { DisposableStore, type Disposable } from '../../core/util/disposable';
import type { Services } from '../services';
import { throttled } from '../util/throttle';
import { statusTooltip } from './statusTooltip';
import { statusWords } from './statusText';
import { vscode } from '../vscode';

/** At most two updates a second. */
const UPDATE_MS = 500;

const BACKGROUNDS = {
  none: undefined,
  warning: new vscode.ThemeColor('statusBarItem.warningBackground'),
  error: new vscode.ThemeColor('statusBarItem.errorBackground'),
} as const;

/** The gauge in the status bar: one item for the current session, hidden when there is none (setting `statusBar.visibility`). */
export class StatusBar implements Disposable {
  readonly #store = new DisposableStore();
  readonly item: vscode.StatusBarItem;
  #isVisible = false;

  constructor(private readonly services: Services) {
    this.item = this.#store.add(vscode.window.createStatusBarItem('contextInspector.usage', vscode.StatusBarAlignment.Right, 100));
    this.item.name = vscode.l10n.t('Context Usage');
    this.item.command = 'contextInspector.openInspector';
    const update = this.#store.add(throttled(UPDATE_MS, () => this.#update()));
    this.#store.add(services.current.onDidChange(update));
    this.#store.add(services.configuration.onDidChange(update));
    this.#store.add(services.automatic.onDidChange(update));
    update();
  }

  /** True while the item is shown. */
  get isVisible(): boolean {
    return this.#isVisible;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const settings = this.services.configuration.current;
    const view = this.services.current.view;
    const visibility = settings['statusBar.visibility'];
    this.#isVisible = visibility === 'always' || (visibility === 'whenActive' && view !== undefined);
    if (!this.#isVisible) {
      this.item.hide();
      return;
    }
    if (view === undefined) {
      this.item.text = '$(dashboard)';
      this.item.tooltip = vscode.l10n.t('No coding-agent session was found for this folder.');
      this.item.accessibilityInformation = { label: vscode.l10n.t('Context usage, no session') };
      this.item.backgroundColor = undefined;
    } else {
      const { text, label, severity } = statusWords(view, settings['statusBar.format'], vscode.env.language, vscode.l10n.t);
      this.item.text = text;
      this.item.accessibilityInformation = { label };
      this.item.backgroundColor = BACKGROUNDS[severity];
      this.item.tooltip = statusTooltip(view, vscode.env.language, this.services.automatic.status);
    }
    this.item.show();
  }
}
