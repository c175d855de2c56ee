import { randomBytes, randomUUID } from 'node:crypto';
import type { CompactionPlan, PlanRefusal, PlanRequest } from '../../core/compaction/plan';
import { planMicro, type MicroPlan, type MicroRequest } from '../../core/compaction/microPlan';
import type { PlanInput } from '../../core/compaction/planInput';
import { LONGEST_PROMPT } from '../../core/compaction/modelSummary';
import { summarizeOffline, targetTokens } from '../../core/compaction/offline/offlineSummarizer';
import { zoneTokens } from '../../core/compaction/offline/zoneTokens';
import { planCompaction } from '../../core/compaction/strategies';
import { summaryRequest } from '../../core/compaction/summaryRequest';
import { summaryMessage } from '../../core/boundary/summaryMessage';
import { continuationFor } from '../../core/compaction/result';
import { CompactError } from '../../core/errors/compactError';
import type { Message } from '../../core/model/message';
import type { PlanView } from '../../core/protocol/planView';
import type { Summarizer } from '../../core/ports/summarizer';
import { outgoingRequest, type OutgoingRequest } from '../../core/privacy/outgoingRequest';
import { canWriteCopy } from '../../core/session/copy/copyWriter';
import type { Inspection } from '../../core/session/inspection';
import { planPreview } from '../../core/view/planPreview';
import type { TranscriptFile } from '../sources/transcriptFiles';
import { compactReport, type CompactReport } from './compactReport';
import { KnownOriginals } from './historyOriginals';
import { continuationOf, writeCompactedCopy, type CopyOptions, type WrittenCopy } from './writeCompactedCopy';

/** What a plan is made for: a copy in the agent's own form, or a text for any agent. */
export type PlanPurpose = 'copy' | 'prompt';

const KEPT_PLANS = 20;

/** The open session that is planned for, at its present revision. */
export interface PlannedSession {
  readonly path: string;
  readonly file: TranscriptFile;
  inspection(): Inspection;
  revision(): number;
}

/** The compactions of one open session: planned, shown, remembered, run. */
export class SessionPlans {
  readonly #of: PlannedSession;
  readonly #plans = new Map<string, CompactionPlan>();
  /** Id of an earlier summary → the messages that it stands for. */
  #originals: ReadonlyMap<string, readonly Message[]> = new Map();
  readonly #known = new KnownOriginals();

  constructor(of: PlannedSession) {
    this.#of = of;
  }

  /**
   * Finds the messages behind earlier summaries of the present revision, which are then summarized in the place of these. Without it, or where
   * `isWanted` is false, the summaries themselves are summarized. Never rejects.
   */
  async findOriginals(isWanted = true): Promise<void> {
    const { path } = this.#of;
    this.#originals = isWanted ? await this.#known.of(path, this.#of.inspection().transcript) : new Map();
  }

  /**
   * Plans a compaction of the present revision. Calls no model and writes nothing. Refuses with `notSupported` a session of which no copy can
   * be written, unless the plan is for a prompt.
   */
  plan(request: PlanRequest, purpose: PlanPurpose = 'copy'): CompactionPlan | PlanRefusal {
    return this.#unwritable(purpose) ?? planCompaction(request, this.#planInput());
  }

  /** Plans to clear tool results; as pure as any other plan. */
  planMicro(request: MicroRequest, purpose: PlanPurpose = 'copy'): MicroPlan | PlanRefusal {
    return this.#unwritable(purpose) ?? planMicro(request, this.#planInput(), this.#of.inspection().sizes.sizeOf);
  }

  /** Plans, remembers the plan for a later run, and shows what it would do. `messageOf` puts a refusal into words. */
  preview(request: PlanRequest, messageOf: (refusal: PlanRefusal) => string): PlanView {
    const plan = this.plan(request);
    if (plan.outcome === 'refusal') {
      return { outcome: 'refusal', code: plan.code, message: messageOf(plan), ...this.#promptInstead(request, plan) };
    }
    const planId = this.#remember(plan);
    const summary = this.#offlineSummary(plan);
    const { originals } = this.#planInput();
    return planPreview(this.#of.inspection(), plan, {
      planId,
      summary,
      summaryTokens: this.#summaryTokens(plan, summary),
      ...(originals === undefined ? {} : { originals }),
    });
  }

  /** The plan behind a preview; undefined when it was never made or is too old. */
  remembered(planId: string): CompactionPlan | undefined {
    return this.#plans.get(planId);
  }

  /**
   * The request that a run would send to a model, but for its nonce. Pure. Throws CompactError `staleSource` for a plan of another revision, and
   * `promptTooLong` for a text that is never sent.
   */
  outgoing(plan: CompactionPlan, instructions: string): OutgoingRequest {
    const input = this.#planInput();
    if (plan.revision !== input.revision) throw new CompactError('staleSource');
    const outgoing = outgoingRequest(summaryRequest(plan, input, { instructions }), randomBytes(16).toString('hex'));
    if (outgoing.user.length > LONGEST_PROMPT) throw new CompactError('promptTooLong');
    return outgoing;
  }

  /** What a run would give, by the offline summary; writes nothing and calls no model. */
  dryRun(plan: CompactionPlan | MicroPlan): { readonly report: CompactReport } {
    if (plan.kind === 'micro') {
      const tokensAfter = plan.tokensAfter + plan.unattributedTokens;
      const nothing = { summary: '', boundary: null, written: null, resume: null };
      return { report: compactReport(this.#of.inspection(), plan, { ...nothing, tokensAfter }) };
    }
    const summary = this.#offlineSummary(plan);
    return {
      report: compactReport(this.#of.inspection(), plan, {
        summary,
        tokensAfter: plan.tokensKept + this.#summaryTokens(plan, summary) + plan.unattributedTokens,
        boundary: null,
        written: null,
        resume: null,
        originals: this.#planInput().originals,
      }),
    };
  }

  /** Summarizes, checks and writes a compacted copy. Rejects with CompactError, StoreError or ReadError; then nothing was written. */
  async run(
    plan: CompactionPlan | MicroPlan,
    summarizer: Summarizer,
    options: CopyOptions,
    signal?: AbortSignal,
  ): Promise<{ readonly report: CompactReport; readonly copy: WrittenCopy }> {
    const inspection = this.#of.inspection();
    const input = this.#planInput();
    const copy = await writeCompactedCopy({ file: this.#of.file, inspection, input, plan, summarizer, options }, signal);
    return {
      copy,
      report: compactReport(inspection, plan, {
        summary: copy.summary,
        notes: copy.notes,
        tokensAfter: copy.tokensAfter,
        call: copy.call,
        boundary: copy.boundary,
        written: copy.path,
        resume: copy.resume,
        originals: input.originals,
      }),
    };
  }

  /** Summarizes and answers the new context as a text that any agent can be given. Writes nothing. Rejects with CompactError. */
  async prompt(
    plan: CompactionPlan | MicroPlan,
    summarizer: Summarizer,
    options: CopyOptions,
    signal?: AbortSignal,
  ): Promise<{ readonly report: CompactReport; readonly prompt: string }> {
    const inspection = this.#of.inspection();
    const input = this.#planInput();
    const { prompt, ...content } = await continuationOf({ file: this.#of.file, inspection, input, plan, summarizer, options }, signal);
    const nothing = { boundary: null, written: null, resume: null };
    return { prompt, report: compactReport(inspection, plan, { ...content, ...nothing, originals: input.originals }) };
  }

  /** Those of the ids whose messages are in the context now. */
  inContext(ids: readonly string[]): readonly string[] {
    if (ids.length === 0) return [];
    const { messages, context } = this.#of.inspection().transcript;
    const present = new Set(context.map((index) => messages[index]?.id));
    return ids.filter((id) => present.has(id));
  }

  /** Remembers a plan for a later run and answers its id. */
  #remember(plan: CompactionPlan): string {
    const planId = randomUUID();
    this.#plans.set(planId, plan);
    const oldest = this.#plans.keys().next();
    if (this.#plans.size > KEPT_PLANS && oldest.done !== true) this.#plans.delete(oldest.value);
    return planId;
  }

  /** Where no copy can be written, the same plan still gives a text that any agent can go on from. */
  #promptInstead(request: PlanRequest, { detail }: PlanRefusal): { readonly promptPlanId?: string } {
    const plan = detail === 'noCopy' ? this.plan(request, 'prompt') : undefined;
    return plan?.outcome === 'plan' ? { promptPlanId: this.#remember(plan) } : {};
  }

  /** Forgets all plans. */
  clear(): void {
    this.#plans.clear();
  }

  #unwritable(purpose: PlanPurpose): PlanRefusal | undefined {
    const isWritable = purpose === 'prompt' || canWriteCopy(this.#of.inspection().transcript.format);
    return isWritable ? undefined : { outcome: 'refusal', code: 'notSupported', detail: 'noCopy' };
  }

  #planInput(): PlanInput {
    const inspection = this.#of.inspection();
    return {
      messages: inspection.transcript.messages,
      context: inspection.transcript.context,
      tokens: inspection.sizes.tokens,
      unattributedTokens: inspection.unattributedTokens,
      revision: this.#of.revision(),
      ...(this.#originals.size === 0 ? {} : { originals: this.#originalsByIndex() }),
    };
  }

  #originalsByIndex(): ReadonlyMap<number, readonly Message[]> {
    const { messages, context } = this.#of.inspection().transcript;
    return new Map(
      context.flatMap((index) => {
        const message = messages[index];
        const behind = message === undefined ? undefined : this.#originals.get(message.id);
        return behind === undefined ? [] : [[index, behind] as const];
      }),
    );
  }

  /** The summary that the offline summarizer writes for this plan. */
  #offlineSummary(plan: CompactionPlan): string {
    const { messages, direction, maxOutputTokens } = summaryRequest(plan, this.#planInput(), { instructions: '' });
    return summarizeOffline(messages, { direction, targetTokens: Math.min(targetTokens(zoneTokens(messages)), maxOutputTokens) });
  }

  #summaryTokens(plan: CompactionPlan, summary: string): number {
    return this.#of.inspection().sizes.sizeOf(summaryMessage(continuationFor(plan, summary, this.#of.path)));
  }
}
