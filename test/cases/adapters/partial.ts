import { messagesAfterBoundary } from '../../../src/core/boundary/activeSlice';
import type { PlanInput } from '../../../src/core/compaction/planInput';
import { summarizePlan } from '../../../src/core/compaction/runPlan';
import { viewOrder } from '../../../src/core/compaction/result';
import { partitionFor } from '../../../src/core/compaction/strategies';
import { partialDirection } from '../../../src/core/compaction/strategies/partial';
import { planOf } from '../../../src/core/compaction/strategies/partition';
import { findViolations } from '../../../src/core/cut/invariants';
import { isCompactError, type CompactErrorCode } from '../../../src/core/errors/compactError';
import type { Message } from '../../../src/core/model/message';
import type { Summarizer } from '../../../src/core/ports/summarizer';
import { summaryFromReply } from '../../../src/core/prompts/summaryReply';
import { estimateMessageTokens } from '../../../src/core/tokens/charHeuristic';
import { field, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../../../src/core/util/json';
import type { CaseAdapter, CaseCall } from '../caseTypes';

export const partial: CaseAdapter = {
  functions: { partialCompact },
  properties: {
    P01: ({ messages }, result) => {
      const { kept } = sidesOf(result);
      const view = kept.flatMap((index) => messages[index] ?? []);
      const broken = findViolations(view, messages).filter(({ kind }) => kind !== 'opensOnResult');
      return broken.length === 0 ? undefined : `the kept part has a ${broken[0]?.kind ?? ''}`;
    },
    P02: ({ messages }, result) => {
      const { kept, summarized, refused } = sidesOf(result);
      const all = [...kept, ...summarized].sort((a, b) => a - b);
      return refused || all.join() === contextOf(messages).join() ? undefined : 'a message is on no side or on both';
    },
    P03: ({ messages }, result) => {
      const { kept, summarized, refused } = sidesOf(result);
      const isFrom = (kept[0] ?? 0) < (summarized[0] ?? 0);
      const inOrder = isFrom ? [...kept, ...summarized] : [...summarized, ...kept];
      return refused || inOrder.join() === contextOf(messages).join() ? undefined : 'the order of the messages changed';
    },
    P04: (_, result) => {
      const { view, kept, summarized, refused } = sidesOf(result);
      const places = kept.map((index) => `kept:${index}`);
      const expected = (kept[0] ?? 0) < (summarized[0] ?? 0) ? ['boundary', ...places, 'summary'] : ['boundary', 'summary', ...places];
      return refused || view.join() === expected.join() ? undefined : 'the new view has another order';
    },
  },
};

async function partialCompact({ messages, args, stubs }: CaseCall): Promise<JsonRecord> {
  const before = JSON.stringify(messages);
  const stub = stubSummarizer(recordOf(stubs, 'summarizer') ?? {});
  const outcome = await attempt(messages, args, stub.summarizer);
  return { ...outcome, summarizerCalls: stub.calls(), historyUnchanged: JSON.stringify(messages) === before };
}

async function attempt(messages: readonly Message[], args: JsonRecord, summarizer: Summarizer): Promise<JsonRecord> {
  const word = field(args, 'direction');
  const direction = typeof word === 'string' || word === null || word === undefined ? partialDirection(word) : undefined;
  if (direction === undefined) return { throws: errorName('notSupported') };
  const input: PlanInput = {
    messages,
    context: contextOf(messages),
    tokens: messages.map(estimateMessageTokens),
    unattributedTokens: 0,
    revision: 0,
  };
  const pivotId = String(numberOf(args, 'pivot') ?? '');
  const partition = partitionFor(direction === 'from' ? { kind: 'partialFrom', pivotId } : { kind: 'partialUpTo', pivotId }, input);
  if (partition.outcome === 'refusal') return { throws: errorName(partition.code) };
  const plan = planOf(input, partition);
  try {
    const ports = { summarizer, tokensOf: estimateMessageTokens };
    const run = await summarizePlan(plan, input, ports, { signal: new AbortController().signal });
    if (run.outcome === 'refusal') return { throws: errorName(run.code) };
    return {
      throws: null,
      keptIndexes: plan.kept,
      summarizedIndexes: plan.summarized,
      viewOrder: viewOrder(plan).map((item) => (item.kind === 'kept' ? `kept:${item.index}` : item.kind)),
    };
  } catch (error) {
    if (isCompactError(error)) return { throws: errorName(error.code) };
    throw error;
  }
}

/** A model that gives the case's raw answer, read as every structured summarizer reads it. */
function stubSummarizer(answer: JsonRecord): { readonly summarizer: Summarizer; calls(): number } {
  let calls = 0;
  const summarize: Summarizer['summarize'] = () => {
    calls += 1;
    return new Promise((resolve) => {
      const summary = summaryFromReply({ text: stringOf(answer, 'text') ?? '', stopReason: stringOf(answer, 'stopReason') });
      resolve({ text: summary, usage: undefined });
    });
  };
  return { summarizer: { capabilities: { label: 'stub', host: undefined }, summarize }, calls: () => calls };
}

/** The cases' names of the codes that are spelled otherwise there. */
const NAMES: ReadonlyMap<CompactErrorCode, string> = new Map([
  ['aborted', 'user_abort'],
  ['api', 'api_error'],
]);

function errorName(code: CompactErrorCode): string {
  return NAMES.get(code) ?? code.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What a reader would put into the context: the main conversation after the latest boundary. */
function contextOf(messages: readonly Message[]): readonly number[] {
  const first = messages.length - messagesAfterBoundary(messages).length;
  return messages.flatMap(({ isSidechain }, index) => (isSidechain === true || index < first ? [] : [index]));
}

interface Sides {
  readonly kept: readonly number[];
  readonly summarized: readonly number[];
  readonly view: readonly string[];
  readonly refused: boolean;
}

function sidesOf(result: unknown): Sides {
  const record = isRecord(result) ? result : {};
  const list = (name: string): readonly unknown[] => {
    const value = field(record, name);
    return Array.isArray(value) ? value : [];
  };
  return {
    kept: list('keptIndexes').filter((item) => typeof item === 'number'),
    summarized: list('summarizedIndexes').filter((item) => typeof item === 'number'),
    view: list('viewOrder').filter((item) => typeof item === 'string'),
    refused: field(record, 'throws') !== null,
  };
}
