// A session gone through request by request, once as it was and once with old tool results cleared by the product's own planner, with its
// defaults, before each request. Definitions: docs/replay.md.
import { planMicro, DEFAULT_KEEP_RESULTS } from '../../../src/core/compaction/microPlan';
import { withClearedResults } from '../../../src/core/compaction/clearCandidates';
import { isToolResult } from '../../../src/core/model/message';
import type { Transcript } from '../../../src/core/model/transcript';
import type { TokenCounter } from '../../../src/core/ports/tokenCounter';
import { inspectTranscript } from '../../../src/core/session/inspection';
import { billsOfStretch, reportedStretches } from './billing';
import { requestsOf } from './requests';
import { quotesOf, type ClearedAt } from './sessionQuotes';

export interface MicroReplay {
  readonly requests: number;
  /** Sums of the prompts: as the session went, and with old results cleared. */
  readonly prompts: number;
  readonly cleared: number;
  /** Estimates: all messages of the session, and the tool results among them. */
  readonly messageTokens: number;
  readonly resultTokens: number;
  /** Tool results in the prompts, summed as `prompts` is. */
  readonly resultsInPrompts: number;
  readonly clearedResults: number;
  /** Cleared results that a later message quotes by a run of text, and by such a run or a name. */
  readonly quotedRuns: number;
  readonly quoted: number;
  /** Dollars of the prompts with a cache that never forgets: as the session went, and cleared before each request; undefined without prices. */
  readonly wentUsd: number | undefined;
  readonly clearedUsd: number | undefined;
}

/** Goes through a session; undefined where no request was made. */
export function replayMicro(transcript: Transcript, counter: TokenCounter): MicroReplay | undefined {
  const whole = inspectTranscript(transcript, { counter });
  const { sizes } = whole;
  const requests = requestsOf(transcript);
  const results = transcript.messages.map(({ content }, index) => (content.some(isToolResult) ? (sizes.tokens[index] ?? 0) : 0));
  const view = [...transcript.messages];
  const tokens = [...sizes.tokens];
  const totals = { requests: 0, prompts: 0, cleared: 0, resultsInPrompts: 0 };
  const log: ClearedAt[] = [];
  /** Request before which a message first lost a result, and its sizes from then on. */
  const changes = new Map<number, { readonly at: number; readonly tokens: number }[]>();
  requests.forEach(({ context, reported }, at) => {
    const input = { messages: view, context, tokens, unattributedTokens: 0, revision: 1 };
    const plan = planMicro({ keepResults: DEFAULT_KEEP_RESULTS }, input, sizes.sizeOf);
    if (plan.outcome === 'plan') {
      log.push({ at, keys: plan.cleared.map(({ messageIndex, blockIndex }) => `${messageIndex}.${blockIndex}`) });
      for (const [index, blocks] of plan.blocks) {
        const message = view[index];
        if (message === undefined) continue;
        view[index] = withClearedResults(message, blocks);
        tokens[index] = sizes.sizeOf(view[index]);
        changes.set(index, [...(changes.get(index) ?? []), { at, tokens: tokens[index] }]);
      }
    }
    const sum = (list: readonly number[]): number => context.reduce((total, index) => total + (list[index] ?? 0), 0);
    const estimate = sum(sizes.tokens);
    const prompt = reported?.prompt ?? estimate;
    if (prompt === 0) return;
    totals.requests += 1;
    totals.prompts += prompt;
    totals.cleared += Math.max(0, prompt - (estimate - sum(tokens)));
    totals.resultsInPrompts += sum(results);
  });
  if (totals.requests === 0) return undefined;
  const main = transcript.messages.flatMap(({ isSidechain }, index) => (isSidechain === true ? [] : [index]));
  const quotes = quotesOf(transcript, requests, log);
  const order = new Map(requests.map((request, at) => [request, at]));
  const bills = reportedStretches(requests).map((stretch) =>
    billsOfStretch(stretch, whole, (index, request) => {
      const change = changes.get(index)?.findLast(({ at }) => at <= (order.get(request) ?? -1));
      return change === undefined ? undefined : { key: `cleared ${index} at ${change.at}`, tokens: change.tokens };
    }),
  );
  return {
    ...totals,
    messageTokens: main.reduce((sum, index) => sum + (sizes.tokens[index] ?? 0), 0),
    resultTokens: main.reduce((sum, index) => sum + (results[index] ?? 0), 0),
    clearedResults: log.reduce((sum, { keys }) => sum + keys.length, 0),
    quotedRuns: quotes.filter((kind) => kind === 'run').length,
    quoted: quotes.length,
    wentUsd: sumOrUnknown(bills.map((bill) => bill?.went)),
    clearedUsd: sumOrUnknown(bills.map((bill) => bill?.changed)),
  };
}

function sumOrUnknown(values: readonly (number | undefined)[]): number | undefined {
  return values.length === 0 || values.includes(undefined) ? undefined : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}
