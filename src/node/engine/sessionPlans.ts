import { randomBytes } from 'node:crypto';
import type { LostItem } from '../../core/compaction/lost';
import { chooseResults, planMicro, type MicroPlan, type MicroRequest } from '../../core/compaction/microPlan';
import { LONGEST_PROMPT } from '../../core/compaction/modelSummary';
import type { CompactionPlan, PlanRefusal, PlanRequest } from '../../core/compaction/plan';
import { planCompaction } from '../../core/compaction/strategies';
import { summaryRequest } from '../../core/compaction/summaryRequest';
import { CompactError } from '../../core/errors/compactError';
import { refusalMessage } from '../../core/errors/messages';
import type { Summarizer, SummaryForm } from '../../core/ports/summarizer';
import { outgoingRequest, type OutgoingRequest } from '../../core/privacy/outgoingRequest';
import type { MicroPlanView, PlanRefusalView, PlanRequestView, PlanView, PutBackView } from '../../core/protocol/planView';
import { lostItemsNamed } from '../../core/view/lostView';
import { microPreview } from '../../core/view/microPreview';
import { planOutlook } from '../../core/view/planOutlook';
import { compactReport, type CompactReport } from './compactReport';
import { PlannedState, type PlannedSession, type PlanPurpose } from './plannedState';
import { Newest, type ShownPlan, type WrittenRun } from './planMemory';
import { microRequestOf, planRequestOf } from './planRequests';
import { recording, replaying } from './replies';
import { figuresOf, lostOf, offlineSummary, summaryTokensOf, wholePreview, type PlanSettings } from './sessionPreview';
import { continuationOf, writeCompactedCopy, type CopyOptions, type WrittenCopy } from './writeCompactedCopy';

const KEPT_PLANS = 20;
const KEPT_RUNS = 10;

export interface RunResult {
  readonly report: CompactReport;
  readonly copy: WrittenCopy;
}

/** The compactions of one open session: planned, shown, remembered, run. */
export class SessionPlans {
  readonly #of: PlannedSession;
  readonly #state: PlannedState;
  readonly #shown = new Newest<ShownPlan>(KEPT_PLANS);
  readonly #runs = new Newest<WrittenRun>(KEPT_RUNS);
  #settings: PlanSettings = {};

  constructor(of: PlannedSession) {
    this.#of = of;
    this.#state = new PlannedState(of);
  }

  /** Takes over what is set beside the session; previews from now on show it. */
  useSettings(settings: PlanSettings): void {
    this.#settings = settings;
  }

  /** As `PlannedState.findOriginals`; the setting decides where nobody says. */
  async findOriginals(isWanted = this.#settings.ofSummary !== true): Promise<void> {
    await this.#state.findOriginals(isWanted);
  }

  /**
   * Plans a compaction of the present revision. Calls no model and writes nothing. Refuses with `notSupported` a session of which no copy can
   * be written, unless the plan is for a prompt.
   */
  plan(request: PlanRequest, purpose: PlanPurpose = 'copy'): CompactionPlan | PlanRefusal {
    return this.#state.unwritable(purpose) ?? planCompaction(request, this.#state.input);
  }

  /** Plans to clear tool results; as pure as any other plan. */
  planMicro(request: MicroRequest, purpose: PlanPurpose = 'copy'): MicroPlan | PlanRefusal {
    return this.#state.unwritable(purpose) ?? planMicro(request, this.#state.input, this.#of.inspection().sizes.sizeOf);
  }

  /**
   * Plans, remembers the plan for a later run, and shows what it would do: the figures alone where only they are asked for. Pins that are not in
   * the context count for nothing. Rejects with CompactError `aborted` when it was given up.
   */
  async preview(request: PlanRequestView, signal: AbortSignal): Promise<PlanView> {
    const pins = { pinned: this.#state.inContext(request.pinned ?? []) };
    if (request.kind === 'micro') return this.#microPreview(microRequestOf(request, pins));
    const wanted = planRequestOf({ ...request, kind: request.kind }, pins);
    const plan = this.plan(wanted);
    if (plan.outcome === 'refusal') return { ...refusalView(plan), ...this.#promptInstead(wanted, plan) };
    const { summarizer = 'offline', detail = 'normal' } = request;
    const of = { ...this.#state.now, settings: this.#settings, plan, pins, summarizer, detail };
    const planId = this.#shown.keep({ plan, detail });
    if (request.figuresOnly === true) return figuresOf(of, planId);
    const { view, lost } = await wholePreview(of, planId, signal);
    this.#shown.keep({ plan, detail, lost }, planId);
    return view;
  }

  /** The plan behind a preview; undefined when it was never made or is too old, or when it is a choice that cannot be written. */
  remembered(planId: string): CompactionPlan | MicroPlan | undefined {
    const shown = this.#shown.get(planId);
    if (shown?.problem !== undefined) throw new CompactError(shown.problem.code, shown.problem.detail);
    return shown?.plan;
  }

  /** How a plan is run: its own detail where none is named. Throws CompactError `staleSource` for things put back that it does not lose. */
  wishes(planId: string, form: SummaryForm, putBack: readonly PutBackView[] = []): Pick<CopyOptions, 'form' | 'quotes'> {
    const shown = this.#shown.get(planId);
    return { form: { detail: shown?.detail ?? 'normal', ...form }, quotes: shown === undefined ? [] : named(this.#lostOf(shown), putBack) };
  }

  /**
   * The request that a run would send to a model, but for its nonce. Pure. Throws CompactError `staleSource` for a plan of another revision, and
   * `promptTooLong` for a text that is never sent.
   */
  outgoing(plan: CompactionPlan, instructions: string, form: SummaryForm = {}): OutgoingRequest {
    const input = this.#state.input;
    if (plan.revision !== input.revision) throw new CompactError('staleSource');
    const outgoing = outgoingRequest(summaryRequest(plan, input, { ...form, instructions }), randomBytes(16).toString('hex'));
    if (outgoing.user.length > LONGEST_PROMPT) throw new CompactError('promptTooLong');
    return outgoing;
  }

  /** What a run would give, by the offline summary; writes nothing and calls no model. */
  dryRun(plan: CompactionPlan | MicroPlan, form: SummaryForm = {}): { readonly report: CompactReport } {
    const { inspection, input, path } = this.#state.now;
    const nothing = { boundary: null, written: null, resume: null };
    if (plan.kind === 'micro') {
      const tokensAfter = plan.tokensAfter + plan.unattributedTokens;
      return { report: compactReport(inspection, plan, { ...nothing, summary: '', tokensAfter }) };
    }
    const summary = offlineSummary(plan, input, form);
    const tokensAfter = plan.tokensKept + summaryTokensOf({ inspection, plan, path }, summary) + plan.unattributedTokens;
    return { report: compactReport(inspection, plan, { ...nothing, summary, tokensAfter, originals: input.originals }) };
  }

  /** Summarizes, checks and writes a compacted copy. Rejects with CompactError, StoreError or ReadError; then nothing was written. */
  async run(plan: CompactionPlan | MicroPlan, summarizer: Summarizer, options: CopyOptions, signal?: AbortSignal): Promise<RunResult> {
    const { inspection, input } = this.#state.now;
    const { summarizer: asked, heard } = recording(summarizer);
    const { pricing: priceOverrides } = this.#settings;
    const job = { file: this.#of.file, inspection, input, plan, summarizer: asked, options: { ...options, priceOverrides } };
    const copy = await writeCompactedCopy(job, signal);
    const report = compactReport(inspection, plan, {
      summary: copy.summary,
      notes: copy.notes,
      tokensAfter: copy.tokensAfter,
      call: copy.call,
      priceOverrides,
      boundary: copy.boundary,
      written: copy.path,
      resume: copy.resume,
      originals: input.originals,
      quotes: options.quotes,
    });
    const reply = heard();
    if (plan.kind !== 'micro' && reply !== undefined) {
      this.#runs.keep({ plan, heard: reply, options, lost: report.lost ?? [] }, copy.sessionId);
    }
    return { copy, report };
  }

  /**
   * Writes another copy with the summary of one that was written, and with what that one lost quoted at its end; no model is asked. The first
   * copy stays. Rejects as `run` does, with `staleSource` for a copy or a lost item that is not known here.
   */
  async putBack(
    newSessionId: string,
    items: readonly PutBackView[],
    onProgress: CopyOptions['onProgress'],
    signal?: AbortSignal,
  ): Promise<RunResult & { readonly plan: CompactionPlan }> {
    const run = this.#runs.get(newSessionId);
    if (run === undefined) throw new CompactError('staleSource');
    const quotes = [...(run.options.quotes ?? []), ...named(run.lost, items)];
    const result = await this.run(run.plan, replaying(run.heard), { ...run.options, quotes, onProgress }, signal);
    return { ...result, plan: run.plan };
  }

  /** Summarizes and answers the new context as a text that any agent can be given. Writes nothing. Rejects with CompactError. */
  async prompt(
    plan: CompactionPlan | MicroPlan,
    summarizer: Summarizer,
    options: CopyOptions,
    signal?: AbortSignal,
  ): Promise<{ readonly report: CompactReport; readonly prompt: string }> {
    const { inspection, input } = this.#state.now;
    const { prompt, ...content } = await continuationOf({ file: this.#of.file, inspection, input, plan, summarizer, options }, signal);
    const nothing = { boundary: null, written: null, resume: null };
    const { originals } = input;
    return { prompt, report: compactReport(inspection, plan, { ...content, ...nothing, originals, quotes: options.quotes }) };
  }

  /** Forgets all plans and runs. */
  clear(): void {
    this.#shown.clear();
    this.#runs.clear();
  }

  #microPreview(request: MicroRequest): MicroPlanView | PlanRefusalView {
    const { inspection, input } = this.#state.now;
    const choice = this.#state.unwritable('copy') ?? chooseResults(request, input, inspection.sizes.sizeOf);
    if ('outcome' in choice) return refusalView(choice);
    const { plan, problem } = choice;
    const outlook = planOutlook(inspection, plan, plan.tokensAfter + plan.unattributedTokens, {
      summaryTokens: 0,
      priceOverrides: this.#settings.pricing,
    });
    const planId = this.#shown.keep({ plan, detail: 'normal', problem });
    return microPreview(inspection, choice, { planId, problem: problem === undefined ? undefined : refusalMessage(problem), outlook });
  }

  /** Where no copy can be written, the same plan still gives a text that any agent can go on from. */
  #promptInstead(request: PlanRequest, { detail }: PlanRefusal): { readonly promptPlanId?: string } {
    const plan = detail === 'noCopy' ? this.plan(request, 'prompt') : undefined;
    return plan?.outcome === 'plan' ? { promptPlanId: this.#shown.keep({ plan, detail: 'normal' }) } : {};
  }

  /** What a shown plan's offline summary loses. */
  #lostOf({ plan, detail, lost }: ShownPlan): readonly LostItem[] {
    if (lost !== undefined || plan.kind === 'micro') return lost ?? [];
    const input = this.#state.input;
    if (plan.revision !== input.revision) throw new CompactError('staleSource');
    return lostOf(plan, input, offlineSummary(plan, input, { detail }));
  }
}

function named(lost: readonly LostItem[], items: readonly PutBackView[]): readonly LostItem[] {
  const found = items.length === 0 ? [] : lostItemsNamed(lost, items);
  if (found === undefined) throw new CompactError('staleSource');
  return found;
}

function refusalView(refusal: PlanRefusal): PlanRefusalView {
  return { outcome: 'refusal', code: refusal.code, message: refusalMessage(refusal) };
}
