import type { ViewMeasurement, WindowState } from '../core/protocol/viewModel';
import type { Disposable } from '../core/util/disposable';
import type { InspectReport } from '../core/view/inspectReport';
import { inspectOptions } from './config/configuration';
import { filePathOf } from './panels/filePath';
import type { Services } from './services';
import { vscode } from './vscode';

/** Usage of the current session. Unknown is null; 0 never means unknown. */
export interface UsageChange {
  readonly uri: vscode.Uri;
  readonly usedTokens: number;
  readonly measurement: ViewMeasurement;
  readonly windowTokens: number | null;
  readonly percentUsed: number | null;
  readonly state: WindowState;
}

/** What `activate` answers to other extensions. */
export interface InspectorApi {
  readonly apiVersion: 1;
  /** Inspects a transcript file of this machine; the answer has the form of `inspect --json --messages`. */
  inspect(uri: vscode.Uri): Promise<InspectReport>;
  /** The usage of the current session changed, or another session became the current one. */
  readonly onDidChangeUsage: vscode.Event<UsageChange>;
}

/** Makes the API; its event ends with the store. */
export function createApi(services: Services, store: Disposable[]): InspectorApi {
  const changed = new vscode.EventEmitter<UsageChange>();
  const listening = services.current.onDidChange((view) => {
    const path = services.current.session?.path;
    if (view === undefined || path === undefined) return;
    const { usedTokens, measurement, windowTokens, percentUsed, state } = view.gauge;
    changed.fire({ uri: vscode.Uri.file(path), usedTokens, measurement, windowTokens, percentUsed, state });
  });
  store.push(changed, listening);
  return {
    apiVersion: 1,
    onDidChangeUsage: changed.event,
    async inspect(uri) {
      const path = filePathOf(uri);
      return services.engine.request('inspect', { path, options: inspectOptions(services.configuration.current), messages: true });
    },
  };
}
