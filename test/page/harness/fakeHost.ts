// The host's side of the page, in the page's own document: `acquireVsCodeApi` as VS Code gives it, and an endpoint that answers from a
// made-up session. A test steers it by `window.harness`.
import { emit, serve, RpcError, type Frame, type Port } from '../../../src/core/protocol/channel';
import type { Handlers, PageEvents, PageRequests } from '../../../src/core/protocol/contract';
import { checkPageRequest } from '../../../src/core/protocol/guards';
import type { RowView, SessionView, UiSettings } from '../../../src/core/protocol/viewModel';
import type { CostView, HistoryEntryView, LostView, PlanRequestView, PlanView, RunView } from '../../../src/core/protocol/planView';
import { fakePlan, usualLost } from './fakePlans';
import { boundaryAnswers, type BoundaryOptions } from './boundaryAnswers';
import {
  blockedSession,
  otherAgentSession,
  emptySession,
  freshSession,
  hostileSession,
  longSession,
  problemSession,
  unknownWindow,
  usualSession,
  type Scenario,
} from './sessions';
import { THEMES, type ThemeName } from './themes';

export interface HarnessOptions extends BoundaryOptions {
  readonly scenario?:
    'usual' | 'long' | 'unknown' | 'blocked' | 'otherAgent' | 'fresh' | 'empty' | 'problem' | 'hostile' | 'none' | 'broken' | 'slow';
  readonly theme?: ThemeName;
  readonly surface?: 'panel' | 'editor' | 'sidebar';
  readonly text?: string;
  readonly count?: number;
  readonly settings?: Partial<UiSettings>;
  /** What `getState` answers at first. */
  readonly state?: unknown;
  /** The run stops at this stage until it is cancelled. */
  readonly holdRun?: boolean;
  readonly runOutcome?: 'written' | 'refused' | 'failed' | 'throws' | 'notSupported' | 'offerOffline';
  /** Milliseconds that a plan takes: of its figures, and of all of it. */
  readonly planMs?: { readonly figures: number; readonly all: number };
  readonly cost?: CostView | null;
  readonly ofSummary?: boolean;
  readonly moreResults?: number;
  readonly history?: readonly HistoryEntryView[];
  readonly undo?: { readonly outcome: 'undone' | 'kept'; readonly message: string | null };
  readonly reduceMotion?: boolean;
  /** Ids of pinned messages; plans keep them. */
  readonly pinned?: readonly string[];
  /** What plan and run say is lost. */
  readonly lost?: LostView;
}

export interface Asked {
  readonly name: string;
  readonly params: unknown;
}

export class Harness {
  readonly asked: Asked[] = [];
  readonly refused: string[] = [];
  readonly violations: string[] = [];
  readonly spoken: string[] = [];
  /** Menu contexts of the rows that a contextmenu event reached the window from, as VS Code would read them. */
  readonly menus: string[] = [];
  state: unknown;
  view: SessionView;
  settings: UiSettings;
  #scenario: Scenario;
  #rows = new Map<number, RowView>();
  #lastPlan: PlanRequestView | undefined;
  readonly #port: Port;

  constructor(readonly options: HarnessOptions) {
    this.#scenario = scenarioOf(options);
    this.view = this.#scenario.view;
    this.state = options.state;
    this.settings = {
      locale: 'en',
      summarizer: 'offline',
      openaiLabel: 'gpt-5-mini at api.example.com',
      vscodeLabel: 'copilot/gpt-5-mini',
      keepMessages: 10,
      canAct: true,
      ...options.settings,
    };
    const listeners = new Set<(frame: unknown) => void>();
    this.#port = {
      post: (frame) => setTimeout(() => window.postMessage(structuredClone(frame), '*'), 0),
      onFrame(listener) {
        listeners.add(listener);
        return { dispose: () => void listeners.delete(listener) };
      },
    };
    this.receive = (frame) => {
      for (const listener of listeners) listener(structuredClone(frame));
    };
    serve<PageRequests>(this.#port, this.#handlers(), (name, params) => {
      const passes = checkPageRequest(name, params);
      if (!passes) this.refused.push(`${name} ${JSON.stringify(params)}`);
      return passes;
    });
  }

  readonly receive: (frame: unknown) => void;

  row(index: number): RowView {
    return this.#rows.get(index) ?? this.#scenario.row(index);
  }

  /** Changes the view, and says so by a patch unless `lose`. */
  patch(changes: Partial<SessionView>, rowsFrom: number | null = null, lose = false): void {
    const from = this.view.revision;
    this.view = { ...this.view, ...changes, revision: from + 1 };
    if (!lose) this.emit('session/patched', { handle: this.view.handle, from, to: from + 1, changes, rowsFrom });
  }

  /** Appends a row and says so. */
  append(row: Partial<RowView>): void {
    const index = this.view.rows.count;
    this.#rows.set(index, { ...this.row(index - 1), id: `m-${index}`, index, active: true, canCompact: true, ...row });
    this.patch({ rows: { ...this.view.rows, count: index + 1, activeCount: this.view.rows.activeCount + 1 } }, index);
  }

  /** Shows another session under another handle, without telling the page: its next request fails. */
  forget(): void {
    this.view = { ...this.view, handle: `${this.view.handle}-new`, revision: 1 };
  }

  replace(options: HarnessOptions): void {
    this.#scenario = scenarioOf(options);
    this.#rows = new Map();
    this.view = { ...this.#scenario.view, handle: `${this.view.handle}-next` };
    this.emit('session/replaced', this.view);
  }

  emit<K extends keyof PageEvents>(name: K, value: PageEvents[K]): void {
    emit<PageEvents, K>(this.#port, name, value);
  }

  #check(handle: string): void {
    if (handle !== this.view.handle) throw new Error('This session is not open any more.');
  }

  #handlers(): Handlers<PageRequests> {
    const note = (name: string, params: unknown): void => void this.asked.push({ name, params });
    const plain =
      (name: string) =>
      (params: unknown): Promise<null> => {
        note(name, params);
        return Promise.resolve(null);
      };
    return {
      'session/open': async (params) => {
        note('session/open', params);
        if (this.options.scenario === 'none') throw new CodedError('noSession', 'There is no session of a coding agent for this folder.');
        if (this.options.scenario === 'broken') throw new Error('The file is not a transcript of a known agent.');
        if (this.options.scenario === 'slow') await new Promise<never>(() => undefined);
        return { session: this.view, settings: this.settings, pinned: this.options.pinned ?? [] };
      },
      'rows/read': ({ handle, from, to }) => {
        note('rows/read', { from, to });
        this.#check(handle);
        const end = Math.min(to, this.view.rows.count);
        const rows = Array.from({ length: Math.max(0, end - from) }, (_, offset) => this.row(from + offset));
        return Promise.resolve({ revision: this.view.revision, rows });
      },
      'compaction/preview': async ({ handle, request }, signal) => {
        note('compaction/preview', request);
        this.#check(handle);
        this.#lastPlan = request;
        const answer = this.#plan(request);
        const { planMs } = this.options;
        if (planMs !== undefined) await pause(request.figuresOnly === true ? planMs.figures : planMs.all, signal);
        return answer;
      },
      'compaction/run': async ({ handle, planId, ...given }, signal) => {
        note('compaction/run', { planId, ...given });
        this.#check(handle);
        const { runOutcome } = this.options;
        // The offline summary always passes.
        const outcome = runOutcome === 'offerOffline' && given.summarizer === 'offline' ? 'written' : runOutcome;
        if (outcome === 'throws') throw new Error('The disk is full.');
        for (const stage of ['reading', 'summarizing'] as const) {
          this.emit('compaction/progress', { planId, stage, received: stage === 'summarizing' ? 1_204 : null });
          await pause(20, signal);
        }
        if (this.options.holdRun === true) await pause(60_000, signal);
        for (const stage of ['checking', 'writing'] as const) {
          this.emit('compaction/progress', { planId, stage, received: null });
          await pause(20, signal);
        }
        return this.#ran(outcome);
      },
      'selection/changed': plain('selection/changed'),
      'transcript/reveal': plain('transcript/reveal'),
      'message/copy': plain('message/copy'),
      'copy/open': plain('copy/open'),
      'copy/resume': plain('copy/resume'),
      'copy/run': plain('copy/run'),
      'compaction/request': plain('compaction/request'),
      'compaction/putBack': async (params, signal) => {
        note('compaction/putBack', params);
        this.#check(params.handle);
        await pause(20, signal);
        const again = this.#ran('written');
        if (again.outcome !== 'written') return again;
        const groups = again.lost.groups.map((group) => ({
          ...group,
          items: group.items.filter(({ value }) => !params.items.some((item) => item.value === value)),
        }));
        const lost = { count: again.lost.count - params.items.length, groups };
        return { ...again, newSessionId: 'c3f52d18', fileName: 'c3f52d18-compacted.jsonl', lost };
      },
      'compaction/prompt': (params) => {
        note('compaction/prompt', params);
        return Promise.resolve({ copied: true, message: 'The prompt is on the clipboard.' });
      },
      'history/list': (params) => {
        note('history/list', params);
        return Promise.resolve(this.options.history ?? []);
      },
      'history/undo': (params) => {
        note('history/undo', params);
        return Promise.resolve(this.options.undo ?? { outcome: 'undone', message: null });
      },
      'history/compare': plain('history/compare'),
      'history/again': plain('history/again'),
      ...boundaryAnswers(
        this.options,
        (handle) => {
          this.#check(handle);
          return this.view;
        },
        note,
      ),
      'session/pick': plain('session/pick'),
      'window/set': plain('window/set'),
      'summarizer/select': plain('summarizer/select'),
    };
  }

  #ran(outcome: HarnessOptions['runOutcome']): RunView {
    if (outcome === 'refused' || outcome === 'offerOffline') {
      const offerOffline = outcome === 'offerOffline';
      const message = 'The summary would not be smaller than what it replaces.';
      return { outcome: 'refused', code: 'notSmaller', message, ...(offerOffline ? { offerOffline } : {}) };
    }
    if (outcome === 'notSupported') {
      return { outcome: 'refused', code: 'notSupported', message: 'Sessions of this agent can be read, but not written.' };
    }
    if (outcome === 'failed') return { outcome: 'failed', code: 'api', message: 'The server did not answer.' };
    return {
      outcome: 'written',
      kind: this.#lastPlan?.kind ?? 'partialUpTo',
      fileName: 'b2e41c07-compacted.jsonl',
      newSessionId: 'b2e41c07',
      tokensBefore: this.view.gauge.usedTokens,
      tokensAfter: 58_900,
      summary: this.#lastPlan?.kind === 'micro' ? '' : 'The counter drifts because images are counted by the length of their base64 text.',
      lost: this.options.lost ?? usualLost(this.options.text),
      resume: 'claude --resume b2e41c07',
    };
  }

  #plan(request: PlanRequestView): PlanView {
    const { options, view } = this;
    const rows = Array.from({ length: view.rows.count }, (_, index) => this.row(index));
    return fakePlan(request, {
      planId: `plan-${this.asked.length}`,
      revision: view.revision,
      rowCount: view.rows.count,
      rows,
      gauge: view.gauge,
      pinned: new Set(options.pinned),
      lost: options.lost,
      text: options.text,
      cost: options.cost,
      ofSummary: options.ofSummary ?? false,
      moreResults: options.moreResults ?? 0,
    });
  }
}

class CodedError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

function scenarioOf({ scenario = 'usual', text = '', count = 100_000 }: HarnessOptions): Scenario {
  switch (scenario) {
    case 'long':
      return longSession(count);
    case 'unknown':
      return unknownWindow();
    case 'otherAgent':
      return otherAgentSession();
    case 'blocked':
      return blockedSession();
    case 'fresh':
      return freshSession();
    case 'empty':
      return emptySession();
    case 'problem':
      return problemSession();
    case 'hostile':
      return hostileSession(text);
    case 'usual':
    case 'none':
    case 'broken':
    case 'slow':
      return usualSession();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new RpcError('cancelled', 'cancelled'));
    });
  });
}

declare global {
  interface Window {
    harnessOptions?: HarnessOptions;
    harness: Harness;
    acquireVsCodeApi?: () => { postMessage(message: unknown): void; getState(): unknown; setState(state: unknown): void };
  }
}

install();

function install(): void {
  const options = window.harnessOptions ?? {};
  const harness = new Harness(options);
  window.harness = harness;
  document.addEventListener('securitypolicyviolation', (event) =>
    harness.violations.push(`${event.violatedDirective} ${event.blockedURI}`),
  );
  window.addEventListener('contextmenu', (event) => {
    const target = event.target instanceof Element ? event.target.closest('[data-vscode-context]') : null;
    if (target !== null) harness.menus.push(target.getAttribute('data-vscode-context') ?? '');
  });
  dress(options);
  let given = false;
  window.acquireVsCodeApi = () => {
    if (given) throw new Error('An instance of the VS Code API has already been acquired');
    given = true;
    return {
      postMessage: (message) => setTimeout(() => harness.receive(message satisfies unknown as Frame), 0),
      getState: () => harness.state,
      setState: (state) => void (harness.state = structuredClone(state)),
    };
  };
}

/** What VS Code does to the document of a page: variables on the root element, classes and data on the body. */
function dress({ theme = 'dark', surface = 'panel', reduceMotion = false }: HarnessOptions): void {
  const { bodyClass, variables } = THEMES[theme];
  for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(`--vscode-${name}`, value);
  document.body.className = reduceMotion ? `${bodyClass} vscode-reduce-motion` : bodyClass;
  document.body.dataset['vscodeThemeKind'] = bodyClass.split(' ')[0] ?? '';
  document.body.dataset['surface'] = surface;
}
