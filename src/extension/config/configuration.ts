import type { Disposable } from '../../core/util/disposable';
import type { InspectOptions } from '../../node/engine/contract';
import { readSettings, type SettingKey, type Settings } from './settings';
import { vscode } from '../vscode';

const SECTION = 'contextInspector';

/** The settings as they are now, and word of their changes. */
export class Configuration implements Disposable {
  #current = read();
  readonly #changed = new vscode.EventEmitter<Settings>();
  readonly #listening = vscode.workspace.onDidChangeConfiguration((event) => {
    if (!event.affectsConfiguration(SECTION)) return;
    this.#current = read();
    this.#changed.fire(this.#current);
  });
  readonly onDidChange = this.#changed.event;

  get current(): Settings {
    return this.#current;
  }

  /** Writes a setting for the user. It holds in all workspaces. */
  async update<K extends SettingKey>(key: K, value: Settings[K] | undefined): Promise<void> {
    await vscode.workspace.getConfiguration(SECTION).update(key, value, vscode.ConfigurationTarget.Global);
    this.#current = read();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}

/** What the engine has to know of the settings to count. */
export function inspectOptions(settings: Settings): InspectOptions {
  return {
    windowOverrides: settings['window.overrides'],
    limitsProfile: settings['limits.profile'],
    imageTokens: settings['tokenizer.imageTokens'],
    tokenizer: settings['tokenizer.encoding'],
    ofSummary: settings['compaction.ofSummary'],
    pricing: settings['pricing.overrides'],
    maxOutputTokens: settings['summarizer.maxOutputTokens'],
    ...(settings['openai.model'] === '' ? {} : { summarizerModel: settings['openai.model'] }),
  };
}

function read(): Settings {
  const section = vscode.workspace.getConfiguration(SECTION);
  return readSettings((key) => section.inspect(key) ?? {});
}
