import { lostItems } from '../compaction/lost';
import { holdsBareSummary, originalsAt } from '../compaction/originals';
import type { CompactionPlan } from '../compaction/plan';
import type { PlanInput } from '../compaction/planInput';
import type { Category } from '../model/category';
import { CATEGORIES } from '../model/category';
import type { Message } from '../model/message';
import type { LostView, PlanPartView, PlanView } from '../protocol/planView';
import { isTurnStart } from '../cut/turns';
import { categoryShares } from '../session/categories';
import type { Inspection } from '../session/inspection';
import { cutToUnits } from '../util/text';
import { lostView } from './lostView';

const SUMMARY_UNITS = 2000;

export interface PlanPreviewFacts {
  readonly planId: string;
  /** The offline summary, which the preview shows; a model would write another. */
  readonly summary: string;
  readonly summaryTokens: number;
  /** Messages behind earlier summaries (`PlanInput.originals`). */
  readonly originals?: ReadonlyMap<number, readonly Message[]>;
}

/** Makes the preview of a plan: what goes, what stays, and how full the window is afterwards. */
export function planPreview(inspection: Inspection, plan: CompactionPlan, facts: PlanPreviewFacts): PlanView {
  const { transcript } = inspection;
  const idsOf = (indexes: readonly number[]): string[] => indexes.map((index) => transcript.messages[index]?.id ?? '');
  const tokensAfter = plan.tokensKept + facts.summaryTokens + plan.unattributedTokens;
  const kept = partsOf(inspection, plan.kept);
  const after = new Map(kept);
  after.set('summary', (after.get('summary') ?? 0) + facts.summaryTokens);
  const residual = plan.unattributedTokens;
  return {
    outcome: 'plan',
    planId: facts.planId,
    revision: plan.revision,
    kind: plan.kind,
    pivotIndex: plan.kind === 'full' ? null : (rowAt(inspection, plan.requestedCut) ?? null),
    cutPosition: plan.cut,
    previousPosition: null,
    nextPosition: null,
    contextCount: transcript.context.length,
    keptTurns: plan.kept.filter((index) => isTurnStartAt(transcript, index)).length,
    refillTurns: null,
    cost: null,
    ofSummary: holdsBareSummary(behind(transcript, facts), plan.summarized),
    safety: [],
    cutIndex: rowAt(inspection, plan.cut) ?? transcript.messages.length,
    movedBecause: plan.cut === plan.requestedCut ? null : 'keptTogether',
    summarizedIds: idsOf(plan.summarized),
    keptIds: idsOf(plan.kept),
    summarizedCount: plan.summarized.length,
    keptCount: plan.kept.length,
    summarizedFrom: smallest(plan.summarized),
    summarizedTo: largest(plan.summarized),
    tokensBefore: plan.tokensBefore + residual,
    tokensKept: plan.tokensKept,
    tokensSummarized: plan.tokensSummarized,
    unattributedTokens: residual,
    summaryTokens: facts.summaryTokens,
    tokensAfter,
    before: parts(partsOf(inspection, transcript.context), residual),
    after: parts(after, residual),
    stateAfter: inspection.stateAt(tokensAfter).state,
    summaryPreview: cutToUnits(facts.summary, SUMMARY_UNITS),
    lost: lostOf(inspection, plan, facts),
  };
}

function lostOf({ transcript }: Inspection, plan: CompactionPlan, facts: PlanPreviewFacts): LostView {
  const rows = new Map(plan.summarized.map((index) => [transcript.messages[index]?.id ?? '', index]));
  const summarized = originalsAt(behind(transcript, facts), plan.summarized);
  const kept = plan.kept.flatMap((index) => transcript.messages[index] ?? []);
  return lostView(lostItems({ summarized, summary: facts.summary, kept }), (id) => rows.get(id));
}

function behind(
  { messages }: Inspection['transcript'],
  { originals }: Pick<PlanPreviewFacts, 'originals'>,
): Pick<PlanInput, 'messages' | 'originals'> {
  return originals === undefined ? { messages } : { messages, originals };
}

function isTurnStartAt({ messages }: Inspection['transcript'], index: number): boolean {
  const message = messages[index];
  return message !== undefined && isTurnStart(message);
}

/** Row of a position in the context. */
function rowAt(inspection: Inspection, position: number): number | undefined {
  return inspection.transcript.context[position];
}

function smallest(indexes: readonly number[]): number {
  return indexes.reduce((least, index) => Math.min(least, index), Infinity);
}

function largest(indexes: readonly number[]): number {
  return indexes.reduce((most, index) => Math.max(most, index), -1);
}

function partsOf(inspection: Inspection, indexes: readonly number[]): Map<Category, number> {
  const sums = new Map<Category, number>();
  for (const index of indexes) {
    const message = inspection.transcript.messages[index];
    if (message === undefined) continue;
    for (const { category, tokens } of categoryShares(message, inspection.sizes.tokens[index] ?? 0, inspection.mediaTokens)) {
      sums.set(category, (sums.get(category) ?? 0) + tokens);
    }
  }
  return sums;
}

function parts(sums: ReadonlyMap<Category, number>, unattributedTokens: number): readonly PlanPartView[] {
  return CATEGORIES.map((category) => ({
    category,
    tokens: category === 'unattributed' ? unattributedTokens : (sums.get(category) ?? 0),
  })).filter((part) => part.tokens > 0);
}
