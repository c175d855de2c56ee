import { lostItems, type LostItem } from '../../core/compaction/lost';
import type { SummaryCall } from '../../core/compaction/costSummary';
import type { MicroPlan } from '../../core/compaction/microPlan';
import type { CompactionPlan } from '../../core/compaction/plan';
import { withoutQuoted, type Quote } from '../../core/compaction/quotes';
import type { Message } from '../../core/model/message';
import type { SummaryNote } from '../../core/ports/summarizer';
import type { CostView } from '../../core/protocol/planView';
import { costOfPlan } from '../../core/session/costOfPlan';
import type { Inspection } from '../../core/session/inspection';
import { costView } from '../../core/view/costView';
import type { WireBoundary } from '../../core/view/inspectReport';

/** The JSON of `compact --json` (schema context-inspector/compact/v1): fields are added to, never renamed. */
export interface CompactReport {
  readonly schema: 'context-inspector/compact/v1';
  readonly kind: 'full' | 'partial_up_to' | 'partial_from' | 'micro';
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly measurement: 'local_estimate';
  readonly summarizedIds: readonly string[];
  readonly keptIds: readonly string[];
  readonly clearedToolUseIds: readonly string[];
  readonly summary: string;
  readonly boundary: WireBoundary | Record<string, never>;
  /** What neither the summary nor the kept messages state any more; null where results were cleared, whose transcript stays readable. */
  readonly lost: readonly LostItem[] | null;
  /** Its parts in tokens, and in dollars where prices are known; null for what is unknown. */
  readonly cost: CostView;
  /** What a reader of the summary should know: masked secrets, marked names. */
  readonly notes: readonly SummaryNote[];
  readonly written: string | null;
  readonly resume: string | null;
}

const KINDS = { full: 'full', partialUpTo: 'partial_up_to', partialFrom: 'partial_from', micro: 'micro' } as const;

/** Reports a run or a dry run. Both token numbers hold the same unattributed residual. */
export function compactReport(
  inspection: Inspection,
  plan: CompactionPlan | MicroPlan,
  result: {
    summary: string;
    notes?: readonly SummaryNote[];
    tokensAfter: number;
    boundary: WireBoundary | null;
    written: string | null;
    resume: string | null;
    /** Messages behind earlier summaries (`PlanInput.originals`). */
    originals?: ReadonlyMap<number, readonly Message[]> | undefined;
    /** What the summary quotes after all. */
    quotes?: readonly Quote[] | undefined;
    /** The model's call that wrote the summary; absent: none was made. */
    call?: SummaryCall | undefined;
    /** The user's table of prices. */
    priceOverrides?: Readonly<Record<string, unknown>> | undefined;
  },
): CompactReport {
  const { transcript } = inspection;
  const { call, priceOverrides } = result;
  const facts = { summaryTokens: summaryTokensOf(plan, result.tokensAfter), call, priceOverrides };
  const messages = (indexes: readonly number[]): Message[] => indexes.flatMap((index) => transcript.messages[index] ?? []);
  const ids = (indexes: readonly number[]): string[] => indexes.map((index) => transcript.messages[index]?.id ?? '');
  return {
    schema: 'context-inspector/compact/v1',
    kind: KINDS[plan.kind],
    tokensBefore: plan.tokensBefore + plan.unattributedTokens,
    tokensAfter: result.tokensAfter,
    measurement: 'local_estimate',
    summarizedIds: ids(plan.summarized),
    keptIds: ids(plan.kept),
    clearedToolUseIds: plan.kind === 'micro' ? plan.cleared.map(({ toolUseId }) => toolUseId) : [],
    summary: result.summary,
    boundary: result.boundary ?? {},
    lost:
      plan.kind === 'micro'
        ? null
        : withoutQuoted(
            lostItems({
              summarized: plan.summarized.flatMap((index) => result.originals?.get(index) ?? transcript.messages[index] ?? []),
              summary: result.summary,
              kept: messages(plan.kept),
            }),
            result.quotes ?? [],
          ),
    cost: costView(costOfPlan(inspection, plan, facts)),
    notes: result.notes ?? [],
    written: result.written,
    resume: result.resume,
  };
}

/** The summary's part of the new context. */
function summaryTokensOf(plan: CompactionPlan | MicroPlan, tokensAfter: number): number {
  return plan.kind === 'micro' ? 0 : Math.max(0, tokensAfter - plan.tokensKept - plan.unattributedTokens);
}
