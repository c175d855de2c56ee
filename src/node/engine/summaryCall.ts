import { expectedSummaryCall, type SummaryCall } from '../../core/compaction/costSummary';
import type { CompactionPlan } from '../../core/compaction/plan';
import type { PlanInput } from '../../core/compaction/planInput';
import { summaryRequest, type SummaryRequestOptions } from '../../core/compaction/summaryRequest';
import type { Summarizer, SummaryReply } from '../../core/ports/summarizer';
import { priceListFor } from '../../core/window/prices';

/**
 * The call of a model that wrote a summary: what its provider reported, else what such a call is expected to take. Undefined where nobody was
 * asked. The prices are the user's for the model that was asked, else those that are published for it.
 */
export function summaryCallOf(
  asked: SummaryRequestOptions & {
    readonly plan: CompactionPlan;
    readonly input: PlanInput;
    readonly summarizer: Summarizer;
    readonly priceOverrides?: Readonly<Record<string, unknown>> | undefined;
  },
  usage: SummaryReply['usage'],
): SummaryCall | undefined {
  const { label: model, host } = asked.summarizer.capabilities;
  if (host === undefined) return undefined;
  const prices = priceListFor(model, asked.priceOverrides);
  if (usage !== undefined) return { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, prices };
  return expectedSummaryCall(summaryRequest(asked.plan, asked.input, asked), { model, prices });
}
