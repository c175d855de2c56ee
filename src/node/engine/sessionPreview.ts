// What a plan would do, as a page shows it: the figures at once, and with the offline summary in steps that can be given up in between.
import { summaryMessage } from '../../core/boundary/summaryMessage';
import { expectedAnswer, expectedSummaryCall, type SummaryCall } from '../../core/compaction/costSummary';
import { lostItems, type LostItem } from '../../core/compaction/lost';
import { neighbourCuts } from '../../core/compaction/neighbours';
import { summarizeOffline, targetTokens } from '../../core/compaction/offline/offlineSummarizer';
import { zoneTokens } from '../../core/compaction/offline/zoneTokens';
import { originalsAt } from '../../core/compaction/originals';
import type { CompactionPlan, Pins } from '../../core/compaction/plan';
import type { PlanInput } from '../../core/compaction/planInput';
import { continuationFor } from '../../core/compaction/result';
import { summaryRequest } from '../../core/compaction/summaryRequest';
import { DEFAULT_MAX_OUTPUT_TOKENS, largestSummary } from '../../core/compaction/summarySize';
import { CompactError } from '../../core/errors/compactError';
import type { SummaryDetail, SummaryForm } from '../../core/ports/summarizer';
import type { SummaryPlanView } from '../../core/protocol/planView';
import type { SummarizerChoice } from '../../core/protocol/viewModel';
import type { Inspection } from '../../core/session/inspection';
import { planOutlook } from '../../core/view/planOutlook';
import { planFigures, planPreview, tokensAfterPlan, type PlanFigureFacts } from '../../core/view/planPreview';
import { priceListFor } from '../../core/window/prices';

/** What is set beside a session for all its plans. */
export interface PlanSettings {
  /** The user's table of prices: model glob → dollars for a million tokens. */
  readonly pricing?: Readonly<Record<string, unknown>>;
  /** Model of the server that summarizes. */
  readonly summarizerModel?: string;
  readonly maxOutputTokens?: number;
  /** Earlier summaries are summarized themselves, and not what stands behind them. */
  readonly ofSummary?: boolean;
}

/** One plan of one state of a session. */
export interface PreviewedPlan {
  readonly inspection: Inspection;
  readonly input: PlanInput;
  readonly path: string;
  readonly settings: PlanSettings;
  readonly plan: CompactionPlan;
  readonly pins: Pins;
  readonly summarizer: SummarizerChoice;
  readonly detail: SummaryDetail;
}

/** The figures alone, fast enough for a hand that drags. */
export function figuresOf(of: PreviewedPlan, planId: string): SummaryPlanView {
  return planFigures(of.inspection, of.plan, figureFacts(of, planId, mostTokens(of), roughCall(of)));
}

/**
 * The whole preview. Between its steps other requests have their turn, and an aborted signal ends it with CompactError `aborted`. `lost` holds
 * all items that the page is shown a part of.
 */
export async function wholePreview(
  of: PreviewedPlan,
  planId: string,
  signal: AbortSignal,
): Promise<{ readonly view: SummaryPlanView; readonly lost: readonly LostItem[] }> {
  const { inspection, input, plan, detail } = of;
  const summary = offlineSummary(plan, input, { detail });
  await otherTurns(signal);
  const lost = lostOf(plan, input, summary);
  await otherTurns(signal);
  const summaryTokens = of.summarizer === 'offline' ? summaryTokensOf(of, summary) : mostTokens(of);
  const facts = figureFacts(of, planId, summaryTokens, wholeCall(of));
  return { view: planPreview(inspection, plan, { ...facts, summary, lost }), lost };
}

/** The summary that the offline summarizer writes for a plan. */
export function offlineSummary(plan: CompactionPlan, input: PlanInput, form: SummaryForm): string {
  const { messages, direction, maxOutputTokens } = summaryRequest(plan, input, { ...form, instructions: '' });
  const zone = zoneTokens(messages);
  return summarizeOffline(messages, {
    direction,
    zoneTokens: zone,
    targetTokens: Math.min(targetTokens(zone, form.detail), maxOutputTokens),
  });
}

/** What a summary of a plan loses. */
export function lostOf(plan: CompactionPlan, input: PlanInput, summary: string): readonly LostItem[] {
  const kept = plan.kept.flatMap((index) => input.messages[index] ?? []);
  return lostItems({ summarized: originalsAt(input, plan.summarized), summary, kept });
}

/** Tokens of the message that carries a summary. */
export function summaryTokensOf({ inspection, plan, path }: Pick<PreviewedPlan, 'inspection' | 'plan' | 'path'>, summary: string): number {
  return inspection.sizes.sizeOf(summaryMessage(continuationFor(plan, summary, path)));
}

function figureFacts(of: PreviewedPlan, planId: string, summaryTokens: number, call: SummaryCall | undefined): PlanFigureFacts {
  const { inspection, input, plan, pins, settings } = of;
  const outlook = planOutlook(inspection, plan, tokensAfterPlan(plan, summaryTokens), {
    summaryTokens,
    call,
    priceOverrides: settings.pricing,
  });
  return { planId, input, neighbours: neighbourCuts(plan, pins, input), summaryTokens, outlook };
}

function mostTokens({ plan, input, summarizer, detail, settings }: PreviewedPlan): number {
  const maxOutputTokens = settings.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS;
  return largestSummary(plan, input, { isModel: summarizer !== 'offline', detail, maxOutputTokens });
}

/** The model's call without its prompt, by the sizes of the messages that it holds. */
function roughCall(of: PreviewedPlan): SummaryCall | undefined {
  if (of.summarizer === 'offline') return undefined;
  const inputTokens = of.plan.tokensSummarized + PROMPT_TOKENS;
  return { inputTokens, outputTokens: expectedAnswer(inputTokens, formOf(of)), prices: pricesOf(of) };
}

function wholeCall(of: PreviewedPlan): SummaryCall | undefined {
  if (of.summarizer === 'offline') return undefined;
  const request = summaryRequest(of.plan, of.input, { ...formOf(of), instructions: '' });
  return expectedSummaryCall(request, { model: modelOf(of), prices: pricesOf(of) });
}

function formOf({ detail, settings }: PreviewedPlan): SummaryForm {
  return { detail, maxOutputTokens: settings.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS };
}

/** A model of the editor is paid for in another way. */
function modelOf({ summarizer, settings }: PreviewedPlan): string | undefined {
  return summarizer === 'openai' ? settings.summarizerModel : undefined;
}

function pricesOf(of: PreviewedPlan): SummaryCall['prices'] {
  return priceListFor(modelOf(of), of.settings.pricing);
}

/** Lets what has come in meanwhile have its turn: the second pause lies behind the reading of messages. Rejects when the work was given up. */
async function otherTurns(signal: AbortSignal): Promise<void> {
  for (let pause = 0; pause < 2; pause++) await new Promise((resolve) => setImmediate(resolve));
  if (signal.aborted) throw new CompactError('aborted');
}

/** The words around the messages of a prompt. */
const PROMPT_TOKENS = 1_200;
