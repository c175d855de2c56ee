import { isDeepStrictEqual } from 'node:util';
import { createCompactor } from '../../../src/core/compaction/compact';
import { installCompaction } from '../../../src/core/compaction/install';
import type { CompactionOutcome } from '../../../src/core/compaction/result';
import { isCompactError } from '../../../src/core/errors/compactError';
import { isToolResult, isToolUse, textOf, type ContentBlock, type Message } from '../../../src/core/model/message';
import type { SummaryRequest } from '../../../src/core/ports/summarizer';
import { flattenTranscript } from '../../../src/core/prompts/flattenTranscript';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { estimateConversation } from '../../../src/core/tokens/conversationEstimate';
import { field, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { caseErrorName, modelStub } from '../../support/stubCompactor';
import type { CaseAdapter, CaseCall } from '../caseTypes';
import { partial } from './partial';

/** Full compaction of a running session, installed into a history in memory. */
export const compactor: CaseAdapter = {
  functions: { compact },
  properties: {
    ...partial.properties,
    P07: ({ messages }, result) => {
      const summarized = indexes(result, 'summarizedIndexes').flatMap((index) => messages[index]?.content ?? []);
      const open = openCalls(messages);
      return summarized.some((block) => isToolUse(block) && open.has(block.id)) ? 'a running call is summarized' : undefined;
    },
    P08: (_, result) => {
      const told = isRecord(result) ? field(result, 'thinkingBlocks') : undefined;
      return Array.isArray(told) && !told.includes('edited') ? undefined : 'a thinking block was edited';
    },
    P27: async (call, result) => {
      const messages = call.messages.filter(({ isSidechain }) => isSidechain !== true);
      const without = await compact({ ...call, messages });
      return field(record(result), 'summarizerInput') === field(without, 'summarizerInput') ? undefined : 'side chains change the input';
    },
    P31: neverGrows,
  },
};

/** P31: whatever replaced messages is not larger than they were, up to 256 tokens. */
export function neverGrows(_: CaseCall, result: unknown): string | undefined {
  const [summary, replaced] = indexes(result, 'summaryAndReplacedTokens');
  if (summary === undefined || replaced === undefined) return undefined;
  return summary <= Math.max(256, replaced) ? undefined : `a summary of ${summary} tokens replaces ${replaced}`;
}

async function compact({ messages, args, stubs }: CaseCall): Promise<JsonRecord> {
  const before = JSON.stringify(messages);
  const controller = new AbortController();
  const aborted = stringOf(args, 'aborted');
  if (aborted === 'before') controller.abort();
  const stub = modelStub(recordOf(stubs, 'summarizer') ?? {}, () => {
    if (aborted === 'during') controller.abort();
  });
  const made = createCompactor({ summarizer: stub.summarizer, counter: BYTES_PER_FOUR });
  let history: readonly Message[] = messages;
  const answer = await attempt(async () => {
    const outcome = await installCompaction({
      session: { checkpoint: () => history, restore: (old) => (history = old) },
      run: () => made.compact(messages, { keepMessages: numberOf(args, 'keepRecent'), signal: controller.signal }),
      commit: (view) => {
        history = view;
        return Promise.resolve();
      },
      signal: controller.signal,
    });
    if (aborted === 'afterCommit') controller.abort();
    return outcome;
  });
  const request = stub.asked[0];
  const input = request === undefined ? '' : flattenTranscript(request.messages);
  return {
    throws: answer.throws,
    changed: history !== messages,
    summarizerCalls: stub.asked.length,
    historyUnchanged: JSON.stringify(history) === before,
    inputMessagesMutated: JSON.stringify(messages) !== before,
    summarizerInput: input,
    summarizerInputContainsBase64: /[A-Za-z0-9+/]{200}/.test(input),
    summarizerInputChars: input.length,
    summarizerInputMentions: Object.fromEntries(messages.map((message) => [textOf(message), input.includes(textOf(message))])),
    ...(request === undefined ? {} : { request: asked(request) }),
    thinkingBlocks: thinking(messages, history),
    ...(answer.outcome === undefined ? {} : shape(messages, answer.outcome, request)),
  };
}

interface Answer {
  readonly throws: string | null;
  readonly outcome: CompactionOutcome | undefined;
}

async function attempt(run: () => Promise<CompactionOutcome>): Promise<Answer> {
  try {
    return { throws: null, outcome: await run() };
  } catch (error) {
    if (!isCompactError(error)) throw error;
    return { throws: caseErrorName(error.code), outcome: undefined };
  }
}

/** The fields of a request that could make a model do more than write. */
function asked(request: SummaryRequest): JsonRecord {
  const fields: JsonRecord = { ...request };
  return { tools: field(fields, 'tools') ?? null, thinking: field(fields, 'thinking') ?? null };
}

/** Which message is where, by its place in the input. */
export function shape(messages: readonly Message[], outcome: CompactionOutcome, request: SummaryRequest | undefined): JsonRecord {
  const keptIndexes = outcome.kept.map((message) => messages.findIndex(({ id }) => id === message.id));
  const isChanged = outcome.outcome === 'compacted';
  const summarizedIndexes = isChanged ? (request?.messages ?? []).map((message) => messages.findIndex(({ id }) => id === message.id)) : [];
  const open = openCalls(messages);
  const places = keptIndexes.map((index) => `kept:${index}`);
  const keepsOpen = outcome.kept.some(({ content }) => content.some((block) => isToolUse(block) && open.has(block.id)));
  return {
    keptIndexes,
    summarizedIndexes,
    viewOrder: isChanged ? ['boundary', 'summary', ...places] : places,
    pendingToolUseKept: open.size > 0 && keepsOpen,
    ...(isChanged && request !== undefined
      ? { summaryAndReplacedTokens: [summaryTokens(outcome.summaries), tokens(request.messages)] }
      : {}),
  };
}

/** The summary alone: the continuation names it between its fixed sentences. */
function summaryTokens(summaries: readonly Message[]): number {
  const text = summaries.map(textOf).join('\n');
  const from = text.indexOf('Summary:\n') + 'Summary:\n'.length;
  return BYTES_PER_FOUR.count(text.slice(from, text.indexOf('\n\nThe full record', from)));
}

function tokens(messages: readonly Message[]): number {
  return estimateConversation(messages, BYTES_PER_FOUR).knownTotal;
}

function openCalls(messages: readonly Message[]): ReadonlySet<string> {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const answered = new Set(messages.flatMap(({ content }) => content.filter(isToolResult).map(({ toolUseId }) => toolUseId)));
  const calls = (last?.content ?? []).filter(isToolUse).map(({ id }) => id);
  return new Set(calls.filter((id) => !answered.has(id)));
}

/** What became of each thinking block of the input. */
function thinking(messages: readonly Message[], view: readonly Message[]): readonly string[] {
  const blocks = (list: readonly Message[]): readonly ContentBlock[] =>
    list.flatMap(({ content }) => content.filter((block) => block.type === 'thinking'));
  const after = blocks(view);
  return blocks(messages).map((block) => {
    if (after.some((one) => isDeepStrictEqual(one, block))) return 'identical';
    const signature = block.type === 'thinking' ? block.signature : undefined;
    return after.some((one) => one.type === 'thinking' && one.signature === signature) ? 'edited' : 'absent';
  });
}

function record(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

function indexes(result: unknown, name: string): readonly number[] {
  const list = field(record(result), name);
  return Array.isArray(list) ? list.filter((item) => typeof item === 'number') : [];
}
