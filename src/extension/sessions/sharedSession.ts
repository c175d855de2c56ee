import { RpcError } from '../../core/protocol/channel';
import { applyPatch } from '../../core/protocol/patch';
import type { SessionPatch, SessionView } from '../../core/protocol/viewModel';
import type { PlanRequestView, PlanView, ProgressView } from '../../core/protocol/planView';
import type { Disposable } from '../../core/util/disposable';
import { Emitter } from '../../core/util/emitter';
import type { EngineClient } from '../../node/engine/client';
import type { EngineRequests } from '../../node/engine/contract';

/** Previews whose size is remembered for the question before a run. */
const KEPT_PLANS = 20;

export type OpenParams = Omit<EngineRequests['session/open']['params'], 'path'>;

/**
 * One open file of the engine, whoever looks at it. It keeps the engine's present view by applying its patches in order; where a revision is
 * missing it asks for a snapshot and says "replaced" instead.
 */
export class SharedSession implements Disposable {
  readonly #patched = new Emitter<SessionPatch>();
  readonly #replaced = new Emitter<SessionView>();
  readonly #progress = new Emitter<ProgressView>();
  readonly onDidPatch = this.#patched.event;
  readonly onDidReplace = this.#replaced.event;
  readonly onProgress = this.#progress.event;
  #view: SessionView | undefined;
  #opening: Promise<SessionView> | undefined;
  /** A patch came while the file was being opened; it may have been for this session. */
  #hasMissed = false;
  /** The view is a remainder of an engine that is gone. */
  #isLost = false;
  /** What the file was opened with and is counted by. */
  #applied: OpenParams | undefined;
  readonly #plannedTokens = new Map<string, number>();
  #newestRequest: PlanRequestView | undefined;
  #closed = false;

  constructor(
    private readonly engine: EngineClient,
    readonly path: string,
    private readonly openParams: () => OpenParams,
    private readonly onFailure: (error: unknown) => void,
    private readonly pinsOf: (path: string) => readonly string[] = () => [],
  ) {}

  /** The present view; undefined until it was opened. */
  get view(): SessionView | undefined {
    return this.#view;
  }

  /** Opens the file in the engine, once. Rejects with the code of a ReadError as `inner`; the next call tries again. */
  async open(): Promise<SessionView> {
    if (this.#view !== undefined && !this.#isLost) return this.#view;
    this.#opening ??= this.#request().finally(() => (this.#opening = undefined));
    const view = await this.#opening;
    if (this.#closed) {
      this.#closeHandle(view.handle);
      throw new RpcError('disposed', 'the session was closed');
    }
    if (this.#view?.handle === view.handle) return this.#view;
    this.#view = view;
    this.#isLost = false;
    if (this.#hasMissed) this.#fetch('session/snapshot', { handle: view.handle });
    this.#hasMissed = false;
    return view;
  }

  /** Plans a compaction of the present revision that keeps what is pinned. */
  async preview(request: PlanRequestView, signal?: AbortSignal): Promise<PlanView> {
    const view = await this.open();
    const plan = await this.engine.request('compaction/preview', { handle: view.handle, request: this.#withPins(request) }, signal);
    if (plan.outcome === 'refusal') {
      // How much of it would be summarized is not told with a refusal; it is no more than all of it.
      if (plan.promptPlanId !== undefined) this.#remember(plan.promptPlanId, view.gauge.usedTokens);
      return plan;
    }
    this.#newestRequest = request;
    // Nothing is sent for clearing results.
    this.#remember(plan.planId, plan.outcome === 'plan' ? plan.tokensSummarized : 0);
    return plan;
  }

  /** What was previewed last; undefined before the first preview. */
  get newestRequest(): PlanRequestView | undefined {
    return this.#newestRequest;
  }

  /** Estimated tokens that a plan summarizes; undefined for a plan that was not previewed here or too long ago. */
  plannedTokens(planId: string): number | undefined {
    return this.#plannedTokens.get(planId);
  }

  /** Takes over a patch of the engine; one that is not for this session or not new is left alone. */
  applyPatch(patch: SessionPatch): void {
    const view = this.#view;
    if (patch.handle !== view?.handle) {
      this.#hasMissed ||= this.#opening !== undefined;
      return;
    }
    if (patch.to <= view.revision) return;
    const next = applyPatch(view, patch);
    if (next === undefined) {
      this.#fetch('session/snapshot', { handle: view.handle });
      return;
    }
    this.#view = next;
    this.#patched.fire(patch);
  }

  /** Shows why the file can't be read any more; the revision stays, since the engine's next patch follows on it. */
  showProblem(handle: string, message: string): void {
    if (this.#view?.handle !== handle) return;
    this.#replace({ ...this.#view, problem: message });
  }

  showProgress(handle: string, progress: ProgressView): void {
    if (this.#view?.handle === handle) this.#progress.fire(progress);
  }

  /** Takes over changed settings: counts anew, or opens the file anew when it is to be watched in another way. */
  applySettings(lost: string): void {
    const view = this.#view;
    const before = this.#applied;
    if (view === undefined || before === undefined || this.#isLost) return;
    const params = this.openParams();
    if (params.watch !== before.watch || params.pollMs !== before.pollMs) {
      this.reopen(lost);
      this.#closeHandle(view.handle);
    } else if (JSON.stringify(params.options) !== JSON.stringify(before.options)) {
      this.#applied = params;
      this.#fetch('session/options', { handle: view.handle, options: params.options });
    }
  }

  /** Opens the file again under a new handle; the old one is void. `lost` stands in the view when that fails. */
  reopen(lost: string): void {
    const old = this.#view;
    if (old === undefined) return;
    this.#isLost = true;
    this.open().then(
      (view) => this.#replaced.fire(view),
      (error: unknown) => {
        if (this.#closed) return;
        this.#replace({ ...old, problem: lost });
        this.onFailure(error);
      },
    );
  }

  dispose(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#view !== undefined) this.#closeHandle(this.#view.handle);
    this.#view = undefined;
    for (const emitter of [this.#patched, this.#replaced, this.#progress]) emitter.dispose();
  }

  #remember(planId: string, tokens: number): void {
    this.#plannedTokens.set(planId, tokens);
    const oldest = this.#plannedTokens.keys().next();
    if (this.#plannedTokens.size > KEPT_PLANS && oldest.done !== true) this.#plannedTokens.delete(oldest.value);
  }

  #withPins(request: PlanRequestView): PlanRequestView {
    const pinned = this.pinsOf(this.path);
    return pinned.length === 0 ? request : { ...request, pinned };
  }

  #request(): Promise<SessionView> {
    const params = this.openParams();
    this.#applied = params;
    return this.engine.request('session/open', { path: this.path, ...params });
  }

  #replace(view: SessionView): void {
    this.#view = view;
    this.#replaced.fire(view);
  }

  #fetch<K extends 'session/snapshot' | 'session/options'>(name: K, params: EngineRequests[K]['params']): void {
    this.engine.request(name, params).then(
      (view) => {
        // Patches that came in the meantime may have brought the view as far already, or further.
        if (!this.#closed && this.#view?.handle === view.handle && view.revision > this.#view.revision) this.#replace(view);
      },
      (error: unknown) => this.onFailure(error),
    );
  }

  #closeHandle(handle: string): void {
    this.engine.request('session/close', { handle }).catch((error: unknown) => {
      if (!(error instanceof RpcError && error.code === 'disposed')) this.onFailure(error);
    });
  }
}
