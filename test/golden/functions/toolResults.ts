import { isToolResult, toolResultText, type Message } from '../../../src/core/model/message';
import { stripMedia } from '../../../src/core/prepare/stripMedia';
import {
  applyToolResultBudget,
  type BudgetOptions,
  type BudgetOutcome,
  type ReplacementStore,
} from '../../../src/core/toolResults/applyBudget';
import { normalizeEmptyResult } from '../../../src/core/toolResults/emptyResult';
import { enforceMessageBudget } from '../../../src/core/toolResults/messageBudget';
import { DEFAULT_OFFLOAD_CHARS, offloadThreshold } from '../../../src/core/toolResults/offloadThreshold';
import { previewOf } from '../../../src/core/toolResults/preview';
import { EMPTY_REPLACEMENTS, type ReplacementState } from '../../../src/core/toolResults/replacementState';
import { hasSafeForm } from '../../../src/core/toolResults/resultNames';
import { sizeText } from '../../../src/core/toolResults/resultSize';
import { truncateToolResults } from '../../../src/core/toolResults/truncate';
import { cutToBytes, utf8Length } from '../../../src/core/util/text';
import { field, stringOf } from '../../../src/core/util/json';
import { memoryResultStore, SESSION_FOLDER } from '../../support/resultStores';
import { seed2Metadata, seed2MessagesWithOutcomes, seed2Result, toSeed2Block, toSeed2Messages } from '../../support/seed2Results';
import type { GoldenFunctions } from '../goldenTypes';
import { listInput, numberInput, recordInput } from './input';

/** Budgets, store and empty results of seed 2. Words of the product are masked as the vectors mask them. */
export const toolResultFunctions: GoldenFunctions = {
  EnforcePerMessageBudget: (input) => sizes(enforceMessageBudget(messagesOf(input))),
  'ToolResultBudget.Apply': (input) => sizes(truncateToolResults(messagesOf(input))),
  'ApplyToolResultBudget twice, store returns REPL:id:len': (input) => twice(messagesOf(input), REPLACING),
  'ApplyToolResultBudget: store fails once, then works': (input) => failingOnce(messagesOf(input)),
  'ApplyToolResultBudget with SeenIDs={a}': (input) => once(messagesOf(input), { ...EMPTY_REPLACEMENTS, seen: new Set(['a']) }),
  'ApplyToolResultBudget skip={Read}': (input) => once(messagesOf(input), EMPTY_REPLACEMENTS, { skipToolNames: new Set(['Read']) }),
  'generatePreview(2000)': (input) => {
    const { text, hasMore } = previewOf(textInput(input, 'content'));
    return { hasMore, previewBytes: utf8Length(text) };
  },
  'formatFileSize(en)': (input) => sizeText(numberInput(input, 'size')),
  persistenceThreshold: (input) => {
    const threshold = offloadThreshold(seed2Metadata(field(recordInput(input), 'metadata')));
    return { persist: threshold !== undefined, threshold: threshold ?? DEFAULT_OFFLOAD_CHARS };
  },
  validateToolUseID: (input) => hasSafeForm(textInput(input, 'id')),
  NormalizeEmptyToolResult: (input) => emptyResult(input),
  StripImagesFromMessages: (input) => toSeed2Messages(stripMedia(messagesOf(input), 'user')),
  'ResultStore.ProcessResultForTool(dir=<DIR>)': (input) => offloaded(input),
};

const REPLACING: ReplacementStore = { saveReplacement: (id, text) => Promise.resolve(`REPL:${id}:${text.length}`) };
const FAILING: ReplacementStore = { saveReplacement: () => Promise.reject(new Error('the disk is full')) };

function messagesOf(input: unknown): readonly Message[] {
  return seed2MessagesWithOutcomes(listInput(input, 'messages'));
}

function textInput(input: unknown, key: string): string {
  return stringOf(recordInput(input), key) ?? '';
}

function sizes(messages: readonly Message[]): readonly unknown[] {
  const results = messages.flatMap(({ content }) => content.filter(isToolResult));
  return results.map((result) => ({ bytes: utf8Length(toolResultText(result)), id: result.toolUseId }));
}

function records({ records: made }: BudgetOutcome): unknown {
  if (made.length === 0) return null;
  return made.map(({ kind, toolUseId, replacement }) => ({ kind, tool_use_id: toolUseId, replacement }));
}

async function once(messages: readonly Message[], state: ReplacementState, options: BudgetOptions = {}): Promise<unknown> {
  const outcome = await applyToolResultBudget(messages, state, REPLACING, options);
  return { first: sizes(outcome.messages), records: records(outcome) };
}

async function twice(messages: readonly Message[], store: ReplacementStore): Promise<unknown> {
  const first = await applyToolResultBudget(messages, EMPTY_REPLACEMENTS, store);
  const second = await applyToolResultBudget(messages, first.state, store);
  return {
    first: sizes(first.messages),
    records: records(first),
    records2: records(second),
    second: sizes(second.messages),
    seen: first.state.seen.size,
  };
}

async function failingOnce(messages: readonly Message[]): Promise<unknown> {
  const first = await applyToolResultBudget(messages, EMPTY_REPLACEMENTS, FAILING);
  const second = await applyToolResultBudget(messages, first.state, REPLACING);
  return {
    errors: first.failures.length,
    first: sizes(first.messages),
    records: records(first),
    records2: records(second),
    second: sizes(second.messages),
  };
}

function emptyResult(input: unknown): unknown {
  const result = seed2Result(field(recordInput(input), 'block'));
  const normal = normalizeEmptyResult(result, textInput(input, 'toolName'));
  const shown = toSeed2Block(normal);
  if (normal === result || typeof normal.content !== 'string') return shown;
  return { ...shown, content: normal.content.replace(/^\((\S+) finished .*\)$/, '<EMPTY-MARKER tool=$1>') };
}

const PREFIX = 140;
const SUFFIX = 30;

async function offloaded(input: unknown): Promise<unknown> {
  const { store } = memoryResultStore();
  const { result, failure } = await store.offload(seed2Result(field(recordInput(input), 'block')), 'Bash');
  const text = typeof result.content === 'string' ? result.content.replace(SESSION_FOLDER, '<DIR>') : '';
  return {
    blocksLeft: typeof result.content === 'string' ? 0 : result.content.length,
    bytesAfterDirMasked: utf8Length(text),
    error: failure !== undefined,
    prefix: masked(cutToBytes(text, PREFIX)),
    suffix: text.slice(-SUFFIX),
  };
}

function masked(text: string): string {
  return text
    .replace(/^Too much output \((.*?)\)\. All of it is here: /m, '<TOO-LARGE size=$1 path=>')
    .replace(/^Beginning \(at most (.*?)\):$/m, '<PREVIEW first=$1>');
}
