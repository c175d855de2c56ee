// Composition root: every part of the extension is made here, by hand, in the order in which they need each other.
import type { UiSettings } from '../core/protocol/viewModel';
import { DisposableStore } from '../core/util/disposable';
import { startEngineWorker, type EngineClient } from '../node/engine/client';
import { AutomaticShared } from './automatic/automaticShared';
import { Configuration, inspectOptions } from './config/configuration';
import { describe, isExpected, outline, type Described } from './describe';
import { TranscriptPaths } from './editor/transcriptPaths';
import { createLog } from './log';
import { InspectorPanels } from './panels/inspectorPanels';
import { ComparedTexts } from './history/comparison';
import { Pages } from './panels/pages';
import { CurrentSession } from './sessions/currentSession';
import { MessagePins } from './sessions/messagePins';
import { SessionHub } from './sessions/sessionHub';
import { SessionList, type ListScope } from './sessions/sessionList';
import { SessionWatch } from './sessions/sessionWatch';
import { Consent } from './summarizer/consent';
import { editorModelLabel, serveEditorModels } from './summarizer/editorModels';
import { KeyStore } from './summarizer/keyStore';
import { openaiLabel } from './summarizer/openaiSetup';
import { RequestDocuments } from './summarizer/requestDocuments';
import { vscode } from './vscode';

const PIN_KEY = 'contextInspector.pinnedSession';
const MESSAGE_PINS_KEY = 'contextInspector.pinnedMessages';

export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly configuration: Configuration;
  readonly engine: EngineClient;
  readonly hub: SessionHub;
  readonly sessions: SessionList;
  readonly current: CurrentSession;
  readonly transcriptPaths: TranscriptPaths;
  readonly pages: Pages;
  readonly panels: InspectorPanels;
  readonly keys: KeyStore;
  readonly consent: Consent;
  readonly requests: RequestDocuments;
  readonly pins: MessagePins;
  readonly automatic: AutomaticShared;
  readonly comparisons: ComparedTexts;
  /** What pages need of settings, trust and language. */
  uiSettings(): UiSettings;
  readonly onDidChangeUiSettings: vscode.Event<UiSettings>;
  /** Looks for sessions again, without waiting. */
  refreshSessions(): void;
  /** Words for a failure, which is noted in the log. */
  describe(problem: unknown): Described;
  /** Notes a failure that nobody waits for. */
  readonly report: (problem: unknown) => void;
}

/** Makes all parts. Nothing is read, watched or started yet: the engine starts with its first request. */
export function createServices(context: vscode.ExtensionContext): Services {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const log = store.add(createLog());
  const report = (problem: unknown): void => {
    if (isExpected(problem)) {
      log.debug(outline(problem));
      return;
    }
    log.error(outline(problem));
    if (problem instanceof Error) log.debug(problem.stack ?? problem.message);
  };
  const configuration = store.add(new Configuration());
  const engine = store.add(startEngineWorker(context.asAbsolutePath('dist/node/engine.mjs')));
  store.add(
    engine.onDidStop(({ reason }) => {
      log.error('The engine stopped.');
      log.debug(reason);
    }),
  );
  store.add(serveEditorModels(engine, () => configuration.current, report));
  const state = context.workspaceState;
  const pins = store.add(
    new MessagePins({ get: () => state.get(MESSAGE_PINS_KEY), set: (value) => state.update(MESSAGE_PINS_KEY, value) }),
  );
  const hub = store.add(
    new SessionHub(
      engine,
      () => openParams(configuration),
      report,
      () => describe('engineStopped').message,
      (path) => pins.of(path),
    ),
  );
  const sessions = store.add(new SessionList(engine, () => listScope(configuration)));
  const pin = {
    get: () => state.get<string>(PIN_KEY),
    set: async (path: string | undefined) => state.update(PIN_KEY, path),
  };
  const automatic = store.add(new AutomaticShared());
  const current = store.add(new CurrentSession(hub, sessions, pin, report, (entry) => automatic.copies.has(entry)));
  const refreshSessions = (): void => void sessions.refresh().catch(report);
  const uiSettings = (): UiSettings => readUiSettings(configuration);
  const uiSettingsChanged = store.add(new vscode.EventEmitter<UiSettings>());
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => uiSettingsChanged.fire(uiSettings())));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(refreshSessions));
  store.add(
    configuration.onDidChange(() => {
      uiSettingsChanged.fire(uiSettings());
      hub.applySettings();
      if (sessions.hasLooked) refreshSessions();
    }),
  );
  store.add(new SessionWatch(sessions, configuration, report));
  const services: Omit<Services, 'panels'> = {
    context,
    log,
    configuration,
    engine,
    hub,
    sessions,
    current,
    transcriptPaths: store.add(new TranscriptPaths(sessions, hub)),
    pages: store.add(new Pages()),
    keys: new KeyStore(context.secrets),
    consent: new Consent(context.globalState),
    requests: store.add(new RequestDocuments()),
    pins,
    automatic,
    uiSettings,
    onDidChangeUiSettings: uiSettingsChanged.event,
    comparisons: store.add(new ComparedTexts()),
    refreshSessions,
    describe(problem) {
      if (problem instanceof Error) report(problem);
      return describe(problem);
    },
    report,
  };
  return withPanels(services, store);
}

/** Panels need all the rest, and the rest opens panels. */
function withPanels(services: Omit<Services, 'panels'>, store: DisposableStore): Services {
  const whole: Services = {
    ...services,
    get panels() {
      return panels;
    },
  };
  const panels = store.add(new InspectorPanels(whole));
  return whole;
}

function openParams(configuration: Configuration): { options: ReturnType<typeof inspectOptions>; watch: boolean; pollMs: number } {
  const settings = configuration.current;
  return { options: inspectOptions(settings), watch: settings['watch.enabled'], pollMs: settings['watch.pollInterval'] };
}

function listScope(configuration: Configuration): ListScope {
  const settings = configuration.current;
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  return {
    folders,
    all: settings['transcripts.include'] === 'all',
    extraPaths: settings['transcripts.paths'],
    formats: settings['agents.enabled'],
  };
}

function readUiSettings(configuration: Configuration): UiSettings {
  const settings = configuration.current;
  return {
    locale: vscode.env.language,
    summarizer: settings['summarizer.provider'],
    openaiLabel: openaiLabel(settings),
    vscodeLabel: editorModelLabel(settings),
    keepMessages: settings['compaction.keepMessages'],
    canAct: vscode.workspace.isTrusted,
  };
}
