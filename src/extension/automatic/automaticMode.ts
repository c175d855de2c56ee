import type { SessionView } from '../../core/protocol/viewModel';
import {
  attemptBegun,
  attemptEnded,
  decideAutomatic,
  INITIAL_AUTOMATIC_STATE,
  type AutomaticDecision,
  type AutomaticLook,
  type AutomaticOutcome,
} from '../../core/session/automaticPolicy';
import { DisposableStore, type Disposable } from '../../core/util/disposable';
import type { Event } from '../../core/util/emitter';

/** A copy that automatic mode has prepared. */
export interface PreparedCopy {
  readonly path: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Command that continues the agent from it; null where the agent has none. */
  readonly resume: string | null;
}

/** How an attempt ended; `code` names why there is no copy. */
export type Preparation =
  | { readonly kind: 'prepared'; readonly copy: PreparedCopy }
  | { readonly kind: Exclude<AutomaticOutcome['kind'], 'prepared'>; readonly code: string };

export type AutomaticStatus = AutomaticDecision | { readonly action: 'preparing' };

/** What automatic mode needs of VS Code and the engine. */
export interface AutomaticHost {
  /** The setting is on and the workspace is trusted. */
  isOn(): boolean;
  maxPerHour(): number;
  readonly onDidChangeSettings: Event<void>;
  /** The session that is current now. */
  current(): { readonly path: string; readonly view: SessionView } | undefined;
  readonly onDidChangeCurrent: Event<void>;
  /** Plans and writes a copy of the current session. Never rejects. */
  prepare(path: string, signal: AbortSignal): Promise<Preparation>;
  /** Shows a copy to the user, once. */
  tell(copy: PreparedCopy, session: string): void;
  /** Says once that it has stopped by itself. */
  tellStopped(): void;
  show(status: AutomaticStatus | undefined): void;
  log(line: string): void;
  now(): number;
}

/** A session is looked at when it was quiet for so long: an agent writes its messages in bursts. */
const QUIET_MS = 5000;
/** One that never is quiet is looked at all the same. */
const LATEST_MS = 30_000;
/** What waits for a time to pass is looked at again. */
const AGAIN_MS = 60_000;

/**
 * Watches the current session while the mode is on, prepares a copy when the policy says so, and tells of it once. Off, it listens to the settings
 * and does nothing else. Turning it off, or disposing it, ends a preparation that is running; nothing of it stays.
 */
export class AutomaticMode implements Disposable {
  readonly #store = new DisposableStore();
  #listening: DisposableStore | undefined;
  #state = INITIAL_AUTOMATIC_STATE;
  #running: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Time of the first change that was not looked at yet. */
  #changedAt: number | undefined;
  #lastLine = '';
  #toldStop = new Set<string>();

  constructor(private readonly host: AutomaticHost) {
    this.#store.add(host.onDidChangeSettings(() => this.#apply()));
    this.#apply();
  }

  /** Looks at the current session now, and prepares a copy when it is time. Resolves when that is done; never rejects. */
  async look(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changedAt = undefined;
    const current = this.host.current();
    if (this.#listening === undefined || this.#running !== undefined) return;
    if (current === undefined) {
      this.host.show(undefined);
      return;
    }
    const look = lookAt(current, this.host.now());
    const { decision, state } = decideAutomatic(this.#state, look, this.host.maxPerHour());
    this.#state = state;
    this.#note(decision, look);
    if (decision.action === 'prepare') await this.#prepare(look);
    else if (decision.action === 'wait' && (decision.reason === 'settling' || decision.reason === 'hourlyLimit')) this.#later(AGAIN_MS);
  }

  dispose(): void {
    this.#stop();
    this.#store.dispose();
  }

  #apply(): void {
    const isOn = this.host.isOn();
    if (isOn === (this.#listening !== undefined)) return;
    if (!isOn) {
      this.#stop();
      this.host.log('Automatic mode: off.');
      return;
    }
    this.host.log('Automatic mode: on.');
    this.#listening = new DisposableStore();
    this.#listening.add(this.host.onDidChangeCurrent(() => this.#changed()));
    this.#changed();
  }

  #stop(): void {
    if (this.#listening === undefined) return;
    this.#listening.dispose();
    this.#listening = undefined;
    this.#running?.abort();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changedAt = undefined;
    this.#state = INITIAL_AUTOMATIC_STATE;
    this.#lastLine = '';
    this.#toldStop = new Set();
    this.host.show(undefined);
  }

  #changed(): void {
    const now = this.host.now();
    this.#changedAt ??= now;
    this.#later(Math.max(0, Math.min(QUIET_MS, this.#changedAt + LATEST_MS - now)));
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.look(), ms);
  }

  async #prepare(look: AutomaticLook): Promise<void> {
    const controller = new AbortController();
    this.#running = controller;
    this.#state = attemptBegun(this.#state, look.now);
    this.host.show({ action: 'preparing' });
    const preparation = await this.host.prepare(look.session, controller.signal);
    this.#running = undefined;
    // Turned off meanwhile: all was forgotten then, and it may be on again.
    if (controller.signal.aborted) {
      if (this.#listening !== undefined) this.#changed();
      return;
    }
    const ended: AutomaticOutcome =
      preparation.kind === 'prepared' ? { kind: 'prepared', tokensAfter: preparation.copy.tokensAfter } : { kind: preparation.kind };
    this.#state = attemptEnded(this.#state, look, ended, this.host.now());
    this.host.log(`Automatic mode: ${preparation.kind}${preparation.kind === 'prepared' ? '' : ` (${preparation.code})`}.`);
    if (preparation.kind === 'prepared') this.host.tell(preparation.copy, look.session);
    // What it means for the next look is shown at once.
    await this.#settle();
  }

  async #settle(): Promise<void> {
    const current = this.host.current();
    if (current === undefined) return;
    const look = lookAt(current, this.host.now());
    const { decision, state } = decideAutomatic(this.#state, look, this.host.maxPerHour());
    this.#state = state;
    if (decision.action === 'prepare') this.#later(AGAIN_MS);
    else await this.look();
  }

  /** Every decision has a line in the log; one that is the same as before is not repeated. */
  #note(decision: AutomaticDecision, look: AutomaticLook): void {
    this.host.show(decision);
    const words =
      decision.action === 'prepare' ? 'prepares a copy' : `${decision.action === 'wait' ? 'waits' : 'has stopped'} (${decision.reason})`;
    const key = `${look.session} ${words}`;
    if (key !== this.#lastLine) {
      const of = look.compactsAt === undefined ? '' : ` of ${look.compactsAt}`;
      this.host.log(`Automatic mode: ${words} at ${look.usedTokens}${of} tokens.`);
    }
    this.#lastLine = key;
    if (decision.action !== 'stopped' || decision.reason !== 'breakerOpen' || this.#toldStop.has(look.session)) return;
    this.#toldStop.add(look.session);
    this.host.tellStopped();
  }
}

/** What the policy needs of a session. The rule of the agent itself wins over our own limit. */
export function lookAt({ path, view }: { readonly path: string; readonly view: SessionView }, now: number): AutomaticLook {
  const { gauge, rows, boundaries } = view;
  const own = gauge.limits.find(({ kind }) => kind === 'autoCompact')?.at;
  return {
    session: path,
    usedTokens: gauge.usedTokens,
    compactsAt: gauge.windowTokens === null || gauge.tooSmall ? undefined : (gauge.agentLimit?.at ?? own),
    contextMessages: rows.activeCount,
    boundaries: boundaries.length,
    isLive: view.live,
    canCompact: view.canCompact && !view.partial && view.problem === null,
    now,
  };
}
