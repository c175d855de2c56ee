import type { AutomaticMode } from './automatic/automaticMode';
import { registerAutomatic } from './automatic/registerAutomatic';
import { createApi, type InspectorApi } from './api';
import { registerCommands } from './commands';
import { ContextKeys } from './contextKeys';
import { registerNotifications } from './notifications/notifications';
import { openAtStart } from './openAtStart';
import { registerTranscriptEditor } from './panels/transcriptEditor';
import { createServices, type Services } from './services';
import { StatusBar } from './status/statusBar';
import { cpuMs } from './util/cpuTime';
import { registerGaugeView } from './views/gaugeView';
import { SessionTree } from './views/sessionTree';
import { vscode } from './vscode';

/** What the in-host tests reach besides the API; only there in a test run. */
export interface TestSurface {
  readonly services: Services;
  readonly statusBar: StatusBar;
  readonly tree: SessionTree;
  readonly automatic: AutomaticMode;
  /** Processor time of `activate`, in milliseconds. */
  readonly activationCpuMs: number;
}

export function activate(context: vscode.ExtensionContext): InspectorApi & { readonly testing?: TestSurface } {
  const begun = cpuMs();
  const services = createServices(context);
  const statusBar = new StatusBar(services);
  const tree = new SessionTree(services);
  const automatic = registerAutomatic(services);
  const api = createApi(services, context.subscriptions);
  context.subscriptions.push(
    statusBar,
    tree,
    automatic,
    new ContextKeys(services),
    registerCommands(services),
    registerGaugeView(services),
    registerTranscriptEditor(services),
    registerNotifications(services),
  );
  openAtStart(services);
  const activationCpuMs = cpuMs() - begun;
  services.log.info(`Activated in ${activationCpuMs.toFixed(1)} ms of processor time.`);
  if (context.extensionMode !== vscode.ExtensionMode.Test) return api;
  return { ...api, testing: { services, statusBar, tree, automatic, activationCpuMs } };
}
