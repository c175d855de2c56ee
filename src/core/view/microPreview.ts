import { withClearedResults, type ClearCandidate } from '../compaction/clearCandidates';
import type { MicroChoice } from '../compaction/microPlan';
import type { ClearableView, MicroPlanView } from '../protocol/planView';
import type { Inspection } from '../session/inspection';
import { oneLine } from '../util/text';
import type { PlanOutlook } from './planOutlook';
import { planParts, tokensByCategory } from './planParts';

/** Most results that a page gets; the rest is counted. */
export const MAX_CLEARABLE = 500;
const ABOUT_UNITS = 200;

export interface MicroPreviewFacts {
  readonly planId: string;
  /** Why the choice cannot be written, in words; undefined when it can. */
  readonly problem: string | undefined;
  readonly outlook: PlanOutlook;
}

/** Makes the preview of clearing tool results: each with what speaks for and against it, and how full the window is afterwards. Linear but for the order. */
export function microPreview(inspection: Inspection, choice: MicroChoice, { planId, problem, outlook }: MicroPreviewFacts): MicroPlanView {
  const { plan, candidates, sizes, freedTokens } = choice;
  const { context, messages } = inspection.transcript;
  const residual = plan.unattributedTokens;
  const tokensAfter = plan.tokensAfter + residual;
  const changed = new Map(
    [...plan.blocks].flatMap(([index, texts]) => {
      const message = messages[index];
      return message === undefined
        ? []
        : [[index, { message: withClearedResults(message, texts), tokens: sizes.get(index) ?? 0 }] as const];
    }),
  );
  return {
    outcome: 'micro',
    kind: 'micro',
    planId,
    revision: plan.revision,
    contextCount: context.length,
    tokensBefore: plan.tokensBefore + residual,
    unattributedTokens: residual,
    tokensAfter,
    before: planParts(tokensByCategory(inspection, context), residual),
    after: planParts(tokensByCategory(inspection, context, changed), residual),
    stateAfter: inspection.stateAt(tokensAfter).state,
    ...outlook,
    results: resultsOf(inspection, candidates, new Set(plan.cleared)).slice(0, MAX_CLEARABLE),
    resultCount: candidates.length,
    clearedCount: plan.cleared.length,
    freedTokens,
    problem: problem ?? null,
  };
}

/** Largest first; of equal ones the oldest. */
function resultsOf(
  { transcript, sizes }: Inspection,
  candidates: readonly ClearCandidate[],
  cleared: ReadonlySet<ClearCandidate>,
): readonly ClearableView[] {
  const unitsIn = new Map<number, number>();
  for (const { messageIndex, units } of candidates) unitsIn.set(messageIndex, (unitsIn.get(messageIndex) ?? 0) + units);
  const views = candidates.map((candidate): ClearableView => {
    const { messageIndex, units, protection } = candidate;
    // Results that share a message share its tokens by their length.
    const share = units / (unitsIn.get(messageIndex) ?? units);
    return {
      toolUseId: candidate.toolUseId,
      messageId: transcript.messages[messageIndex]?.id ?? '',
      index: messageIndex,
      tool: oneLine(candidate.tool, ABOUT_UNITS),
      about: oneLine(candidate.about, ABOUT_UNITS),
      tokens: Math.round((sizes.tokens[messageIndex] ?? 0) * share),
      turnsAgo: candidate.turnsAgo,
      reason: candidate.reason,
      protection: protection ?? null,
      chosen: cleared.has(candidate),
    };
  });
  return views.sort((a, b) => b.tokens - a.tokens);
}
