import type { ContextReport, SessionTotals } from '../../model/transcript';
import { isTokenCount, type Usage } from '../../model/usage';
import { field, recordOf, type JsonRecord } from '../../util/json';
import { usableUsage } from '../usage';

/** One `token_count` event: the last request, and the running total over the thread. */
export interface TokenReport {
  readonly usage: Usage | undefined;
  readonly contextTokens: number;
  /** Undefined when the event states none. Equal to the one before: the event repeats what was said. */
  readonly threadTokens: number | undefined;
  /** Made up by Codex after a compaction: no request stands behind it. */
  readonly isEstimate: boolean;
}

/**
 * Reads the `info` of a `token_count`; undefined when it states no usable last request. Codex' input includes the cached part and what was
 * written to the cache, and the output includes the reasoning.
 */
export function tokenReport(info: JsonRecord): TokenReport | undefined {
  const last = recordOf(info, 'last_token_usage');
  if (last === undefined) return undefined;
  const contextTokens = field(last, 'total_tokens');
  if (!isTokenCount(contextTokens) || contextTokens === 0) return undefined;
  const total = field(recordOf(info, 'total_token_usage') ?? {}, 'total_tokens');
  const threadTokens = isTokenTotal(total) ? total : undefined;
  const isEstimate = field(last, 'input_tokens') === 0 && field(last, 'output_tokens') === 0;
  if (isEstimate) return { usage: undefined, contextTokens, threadTokens, isEstimate };
  const usage = freshUsage(last);
  return usage === undefined ? undefined : { usage, contextTokens, threadTokens, isEstimate };
}

/** A running total may well pass the limit of a single report. */
function isTokenTotal(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function freshUsage(last: JsonRecord): Usage | undefined {
  const input = field(last, 'input_tokens');
  const cached = field(last, 'cached_input_tokens') ?? 0;
  const written = field(last, 'cache_write_input_tokens') ?? 0;
  if (!isTokenCount(input) || !isTokenCount(cached) || !isTokenCount(written)) return undefined;
  return usableUsage({
    input: input - cached - written,
    output: field(last, 'output_tokens'),
    cacheRead: cached,
    cacheCreation: written,
  });
}

export function contextReport(report: TokenReport, afterIndex: number, line: number): ContextReport {
  return {
    afterIndex,
    contextTokens: report.contextTokens,
    inputTokens: report.usage?.inputTokens ?? 0,
    outputTokens: report.usage?.outputTokens ?? 0,
    cacheReadTokens: report.usage?.cacheReadTokens ?? 0,
    isAgentEstimate: report.isEstimate,
    line,
  };
}

export const NO_TOTALS: SessionTotals = {
  responses: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
};

/** The sums with one more request. Each is reported once; repeats and estimates are not given. */
export function withRequest(totals: SessionTotals, usage: Usage): SessionTotals {
  return {
    responses: totals.responses + 1,
    inputTokens: totals.inputTokens + usage.inputTokens,
    outputTokens: totals.outputTokens + usage.outputTokens,
    cacheReadTokens: totals.cacheReadTokens + usage.cacheReadTokens,
    cacheCreationTokens: totals.cacheCreationTokens + usage.cacheCreationTokens,
  };
}
