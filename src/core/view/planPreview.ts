import type { LostItem } from '../compaction/lost';
import type { NeighbourCuts } from '../compaction/neighbours';
import { holdsBareSummary } from '../compaction/originals';
import type { CompactionPlan } from '../compaction/plan';
import type { PlanInput } from '../compaction/planInput';
import { safetyOf } from '../compaction/safety';
import { isTurnStart } from '../cut/turns';
import type { Transcript } from '../model/transcript';
import type { LostView, SummaryPlanView } from '../protocol/planView';
import { canResume } from '../session/copy/copyName';
import type { Inspection } from '../session/inspection';
import { cutToUnits } from '../util/text';
import { lostView } from './lostView';
import type { PlanOutlook } from './planOutlook';
import { planParts, tokensByCategory } from './planParts';
import { safetyView } from './safetyView';

const SUMMARY_UNITS = 2000;

export interface PlanFigureFacts {
  readonly planId: string;
  readonly input: PlanInput;
  readonly neighbours: NeighbourCuts;
  /** Estimate of the summary message, or the most that it may have. */
  readonly summaryTokens: number;
  readonly outlook: PlanOutlook;
}

export interface PlanSummaryFacts {
  /** The offline summary, which the preview shows; a model would write another. */
  readonly summary: string;
  /** What it loses. */
  readonly lost: readonly LostItem[];
}

/** Figures of a plan: what goes, what stays, and how full the window is afterwards. There at once, whatever the length of the session: linear. */
export function planFigures(inspection: Inspection, plan: CompactionPlan, facts: PlanFigureFacts): SummaryPlanView {
  return { ...figuresOf(inspection, plan, facts), figuresOnly: true };
}

/** The whole preview of a plan: its figures with the offline summary, what that loses, and what becomes of what people would miss most. */
export function planPreview(inspection: Inspection, plan: CompactionPlan, facts: PlanFigureFacts & PlanSummaryFacts): SummaryPlanView {
  const { messages } = inspection.transcript;
  // What stood behind an earlier summary may still stand before its boundary.
  const shown = facts.input.originals === undefined ? plan.summarized : [...messages.keys()];
  const rows = new Map(shown.map((index) => [messages[index]?.id ?? '', index]));
  return {
    ...figuresOf(inspection, plan, facts),
    summaryPreview: cutToUnits(facts.summary, SUMMARY_UNITS),
    safety: safetyView(safetyOf(plan, facts.input, facts.summary), messages),
    lost: lostView(facts.lost, (id) => rows.get(id)),
  };
}

/** Tokens of the context that a plan leaves, all in all. */
export function tokensAfterPlan(plan: CompactionPlan, summaryTokens: number): number {
  return plan.tokensKept + summaryTokens + plan.unattributedTokens;
}

function figuresOf(inspection: Inspection, plan: CompactionPlan, facts: PlanFigureFacts): SummaryPlanView {
  const { transcript } = inspection;
  const { outlook, neighbours, summaryTokens, input, planId } = facts;
  const idsOf = (indexes: readonly number[]): string[] => indexes.map((index) => transcript.messages[index]?.id ?? '');
  const residual = plan.unattributedTokens;
  const tokensAfter = tokensAfterPlan(plan, summaryTokens);
  const kept = tokensByCategory(inspection, plan.kept);
  const before = new Map(kept);
  for (const [category, tokens] of tokensByCategory(inspection, plan.summarized))
    before.set(category, (before.get(category) ?? 0) + tokens);
  const after = new Map(kept).set('summary', (kept.get('summary') ?? 0) + summaryTokens);
  return {
    outcome: 'plan',
    planId,
    revision: plan.revision,
    kind: plan.kind,
    pivotIndex: plan.kind === 'full' ? null : (rowAt(transcript, plan.requestedCut) ?? null),
    cutPosition: plan.cut,
    previousPosition: neighbours.previous ?? null,
    nextPosition: neighbours.next ?? null,
    contextCount: transcript.context.length,
    keptTurns: keptTurns(transcript, plan),
    ...outlook,
    resumable: canResume(transcript.format),
    ofSummary: holdsBareSummary(input, plan.summarized),
    safety: [],
    cutIndex: rowAt(transcript, plan.cut) ?? transcript.messages.length,
    movedBecause: plan.cut === plan.requestedCut ? null : 'keptTogether',
    summarizedIds: idsOf(plan.summarized),
    keptIds: idsOf(plan.kept),
    summarizedCount: plan.summarized.length,
    keptCount: plan.kept.length,
    summarizedFrom: plan.summarized.reduce((least, index) => Math.min(least, index), Infinity),
    summarizedTo: plan.summarized.reduce((most, index) => Math.max(most, index), -1),
    tokensBefore: plan.tokensBefore + residual,
    tokensKept: plan.tokensKept,
    tokensSummarized: plan.tokensSummarized,
    unattributedTokens: residual,
    summaryTokens,
    tokensAfter,
    before: planParts(before, residual),
    after: planParts(after, residual),
    stateAfter: inspection.stateAt(tokensAfter).state,
    summaryPreview: '',
    lost: NOTHING_LOST,
  };
}

const NOTHING_LOST: LostView = { count: 0, groups: [] };

/** Turns that stay whole: those that begin behind the cut, or end before it. */
function keptTurns({ messages, context }: Transcript, { kind, cut }: CompactionPlan): number {
  const isStart = (position: number): boolean => {
    const message = messages[context[position] ?? -1];
    return message !== undefined && isTurnStart(message);
  };
  const [from, to] = kind === 'partialFrom' ? [0, cut] : [cut, context.length];
  let turns = 0;
  for (let position = from; position < to; position++) if (isStart(position)) turns++;
  const isLastTorn = kind === 'partialFrom' && turns > 0 && cut < context.length && !isStart(cut);
  return isLastTorn ? turns - 1 : turns;
}

/** Row of a position in the context. */
function rowAt({ context }: Transcript, position: number): number | undefined {
  return context[position];
}
