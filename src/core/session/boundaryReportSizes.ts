// How full the context was on both sides of a compaction, and with what.
import type { Transcript } from '../model/transcript';
import { promptTokens } from '../model/usage';
import { isProviderReport } from '../tokens/responses';
import type { MessageSizes } from '../tokens/sizes';
import { contextUsage } from '../window/contextUsage';
import type { BoundaryContexts } from './boundaryReportContexts';
import { sizeCategories, type CategorySize } from './inspection';

/** The context at one moment. */
export interface ContextSize {
  readonly tokens: number;
  /** Only categories with tokens, in the fixed order; their sum is `tokens`. */
  readonly categories: readonly CategorySize[];
}

export interface BoundarySizes {
  readonly before: ContextSize;
  readonly after: ContextSize;
}

/**
 * Sizes by category right before and right after a boundary, in tokens. Before it as the gauge would have shown it then: the newest report and what
 * came since. After it the estimates of the messages, with what the next request had beyond them, else what the context before had.
 */
export function boundarySizes(
  transcript: Transcript,
  contexts: BoundaryContexts,
  { tokens, bandOf }: Pick<MessageSizes, 'tokens' | 'bandOf'>,
  mediaTokens: number,
): BoundarySizes {
  const { messages, boundaries, reports } = transcript;
  const { boundary, kept, summary, added } = contexts;
  const view = {
    messages,
    context: contexts.before,
    boundaries: boundaries.filter(({ index }) => index < boundary.index),
    reports: reports?.filter(({ afterIndex }) => afterIndex <= boundary.index),
  };
  const usage = contextUsage(view, tokens, bandOf);
  const before = sizeCategories(view, tokens, usage, mediaTokens);
  const after = [...kept, ...(summary === undefined ? [] : [summary]), ...added];
  const stated = after.reduce((sum, index) => sum + (tokens[index] ?? 0), 0);
  const beyond = beyondMessages(transcript, contexts, after, tokens) ?? before.unattributedTokens;
  const plain = sizeCategories({ messages, context: after }, tokens, { ...usage, ...UNREPORTED, usedTokens: stated }, mediaTokens);
  const rest: readonly CategorySize[] = beyond === 0 ? [] : [{ category: 'unattributed', tokens: beyond, measurement: 'localEstimate' }];
  return {
    before: { tokens: usage.usedTokens, categories: before.categories },
    after: { tokens: stated + beyond, categories: [...plain.categories, ...rest] },
  };
}

const UNREPORTED = { reportedTokens: undefined, estimatedTailTokens: 0, tailFrom: 0 } as const;

/** What the first request behind the boundary held beyond the messages; undefined without a report of it. */
function beyondMessages(
  { messages, reports }: Transcript,
  { boundary, added, later }: BoundaryContexts,
  after: readonly number[],
  tokens: readonly number[],
): number | undefined {
  const sizeUpTo = (end: number): number => [...after, ...later].reduce((sum, index) => sum + (index < end ? (tokens[index] ?? 0) : 0), 0);
  if (reports !== undefined) {
    const end = (later.at(-1) ?? added.at(-1) ?? boundary.index) + 1;
    const first = reports.find(({ afterIndex, isAgentEstimate }) => afterIndex > boundary.index && afterIndex <= end && !isAgentEstimate);
    return first === undefined ? undefined : Math.max(0, first.contextTokens - sizeUpTo(first.afterIndex));
  }
  for (const index of later) {
    const message = messages[index];
    if (message?.usage === undefined || !isProviderReport(message) || message.isCompactionReply === true) continue;
    const prompt = promptTokens(message.usage);
    if (prompt > 0) return Math.max(0, prompt - sizeUpTo(index));
  }
  return undefined;
}
