import { isToolResult, toolResultText, type Message, type ToolResultBlock } from '../../../src/core/model/message';
import { normalizeEmptyResult } from '../../../src/core/toolResults/emptyResult';
import { persistedOutputText } from '../../../src/core/toolResults/preview';
import { EMPTY_REPLACEMENTS, type ReplacementState } from '../../../src/core/toolResults/replacementState';
import { truncateToolResults } from '../../../src/core/toolResults/truncate';
import { arrayOf, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { isWellFormed, utf8Length } from '../../../src/core/util/text';
import { assistant, user } from '../../support/messages';
import {
  budgetProperty,
  forgeryProperty,
  frozenProperty,
  replayProperty,
  runBudget,
  truncationProperty,
  type BudgetRun,
} from '../../support/resultProperties';
import type { CaseAdapter, CaseCall } from '../caseTypes';

/** Budgets of tool results. */
export const budget: CaseAdapter = {
  functions: {
    applyToolResultBudget: (call) => applied(call),
    toolResultBudgetApply: ({ messages, args }) => truncated(messages, numberOf(args, 'maxCharsPerResult') ?? NaN),
    normalizeEmptyToolResult: ({ messages, args }) => normalized(messages, stringOf(args, 'toolName') ?? ''),
  },
  properties: {
    P50: async (call) => forgeryProperty((await run(call)).run),
    P60: async (call) => budgetProperty((await run(call)).run),
    P61: async (call) => frozenProperty((await run(call)).run, LATER),
    P62: async (call) => replayProperty((await run(call)).run),
    P64: ({ messages, args }) => {
      const texts = resultsOf(messages).map(toolResultText);
      return texts
        .map((text) => truncationProperty(text, numberOf(args, 'maxCharsPerResult') ?? NaN))
        .find((broken) => broken !== undefined);
    },
  },
};

/** What comes after the case: a fragmentless answer and a turn with results of its own. */
const LATER: readonly Message[] = [
  assistant([{ type: 'toolUse', id: 'later', name: 'Read', input: {} }]),
  user('', { content: [{ type: 'toolResult', toolUseId: 'later', content: 'l'.repeat(210_000) }] }),
];

async function run(call: CaseCall): Promise<{ readonly run: BudgetRun; readonly writes: readonly string[] }> {
  const writes: string[] = [];
  const error = stringOf(call.args, 'storeError');
  const store = {
    saveReplacement: (id: string, text: string) => {
      if (error !== undefined) return Promise.reject(new Error(error));
      writes.push(id);
      return Promise.resolve(persistedOutputText(`/s/tool-results/${id}.txt`, utf8Length(text), text));
    },
  };
  const skipped = arrayOf(call.args, 'skipToolNames');
  const options = skipped === undefined ? {} : { skipToolNames: new Set(skipped.map(String)) };
  return { run: await runBudget({ messages: call.messages, state: stateOf(call.args), store, options }), writes };
}

async function applied(call: CaseCall): Promise<JsonRecord> {
  const { run: done, writes } = await run(call);
  const before = resultsOf(call.messages);
  const after = resultsOf(done.outcome.messages);
  const ids = (isChanged: boolean): readonly string[] =>
    before.filter((result, at) => (result !== after[at]) === isChanged).map(({ toolUseId }) => toolUseId);
  return {
    replaced: ids(true),
    unchanged: ids(false),
    contentOf: Object.fromEntries(after.map((result) => [result.toolUseId, toolResultText(result)])),
    newRecords: done.outcome.records.length,
    storeWrites: writes.length,
    seen: [...done.outcome.state.seen],
    errors: done.outcome.failures.length,
  };
}

function stateOf(args: JsonRecord): ReplacementState {
  const state = recordOf(args, 'state');
  if (state === undefined) return EMPTY_REPLACEMENTS;
  const replacements = recordOf(state, 'replacements') ?? {};
  return {
    seen: new Set((arrayOf(state, 'seen') ?? []).map(String)),
    replacements: new Map(Object.entries(isRecord(replacements) ? replacements : {}).map(([id, text]) => [id, String(text)])),
  };
}

function truncated(messages: readonly Message[], limit: number): JsonRecord {
  const [result] = resultsOf(truncateToolResults(messages, limit));
  const text = result === undefined ? '' : toolResultText(result);
  return {
    wellFormed: isWellFormed(text),
    contentChars: text.length,
    saysOriginalLength: Number(/(\d+) characters\]$/.exec(text)?.[1]),
  };
}

function normalized(messages: readonly Message[], toolName: string): JsonRecord {
  const [result] = resultsOf(messages);
  const text = result === undefined ? '' : toolResultText(normalizeEmptyResult(result, toolName));
  return { nonEmpty: text.trim() !== '', contains: text.includes(toolName) ? toolName : text };
}

function resultsOf(messages: readonly Message[]): readonly ToolResultBlock[] {
  return messages.flatMap(({ content }) => content.filter(isToolResult));
}
