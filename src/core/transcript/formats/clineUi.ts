import { isTokenCount, type Usage } from '../../model/usage';
import { arrayOf, field, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { usableUsage } from '../usage';
import { isoTime, jsonOf } from './session';

/** One request as the user interface's list tells of it. Its numbers are written when it is done. */
export interface ClineRequest {
  readonly usage: Usage | undefined;
  /** Prompt and reply. */
  readonly contextTokens: number;
  readonly timestamp: string | undefined;
  /** Index of the newest message of the conversation when it was made; undefined in old versions. */
  readonly historyIndex: number | undefined;
  /** Sums of requests that a rewind took back: paid for, but not in the conversation. */
  readonly isDeleted: boolean;
}

/** A compaction as that list tells of it. */
export interface ClineCompaction {
  readonly kind: 'condense' | 'truncation';
  readonly id: string | undefined;
  readonly preTokens: number | undefined;
  readonly postTokens: number | undefined;
  readonly timestamp: string | undefined;
  /** Requests that were made before it. */
  readonly afterRequests: number;
}

/** From the message on that is at `historyIndex`, the messages [start, end] were left out. */
export interface DeletedRange {
  readonly start: number;
  readonly end: number;
  readonly historyIndex: number | undefined;
  readonly afterRequests: number;
}

export interface ClineUi {
  readonly requests: readonly ClineRequest[];
  readonly compactions: readonly ClineCompaction[];
  readonly ranges: readonly DeletedRange[];
  readonly model: string | undefined;
  /** First thing that the user said. */
  readonly task: string | undefined;
}

/** True for a list of what a task's user interface shows. */
export function isClineUi(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value
    .slice(0, 20)
    .every((one) => isRecord(one) && typeof one['ts'] === 'number' && ['ask', 'say'].includes(stringOf(one, 'type') ?? ''));
}

export function clineUi(list: readonly unknown[]): ClineUi {
  const requests: ClineRequest[] = [];
  const compactions: ClineCompaction[] = [];
  const ranges: DeletedRange[] = [];
  let model: string | undefined;
  let task: string | undefined;
  for (const message of list) {
    if (!isRecord(message)) continue;
    const said = stringOf(message, 'type') === 'say' ? stringOf(message, 'say') : undefined;
    model = stringOf(recordOf(message, 'modelInfo') ?? {}, 'modelId') ?? model;
    if (said === 'text' || said === 'task') task ??= stringOf(message, 'text');
    const compaction = said === undefined ? undefined : compactionOf(message, said, requests.length);
    if (compaction !== undefined) compactions.push(compaction);
    const range = rangeOf(message, requests.length);
    const last = ranges.at(-1);
    if (range !== undefined && (last?.start !== range.start || last.end !== range.end)) ranges.push(range);
    // The request that is the first to state a range is the first one made with it.
    const request = said === undefined ? undefined : requestOf(message, said);
    if (request !== undefined) requests.push(request);
  }
  return { requests, compactions, ranges, model, task };
}

/** A pair [start, end] of indexes into the conversation, both left out. */
export function deletedRange(value: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const start: unknown = value[0];
  const end: unknown = value[1];
  const isRange = typeof start === 'number' && typeof end === 'number' && Number.isSafeInteger(start) && Number.isSafeInteger(end);
  return isRange && start >= 0 && end >= start ? [start, end] : undefined;
}

function rangeOf(message: JsonRecord, afterRequests: number): DeletedRange | undefined {
  const range = deletedRange(field(message, 'conversationHistoryDeletedRange'));
  if (range === undefined) return undefined;
  return { start: range[0], end: range[1], historyIndex: numberOf(message, 'conversationHistoryIndex'), afterRequests };
}

function requestOf(message: JsonRecord, said: string): ClineRequest | undefined {
  const isDeleted = said === 'deleted_api_reqs';
  if (said !== 'api_req_started' && !isDeleted) return undefined;
  const numbers = jsonOf(field(message, 'text'));
  if (!isRecord(numbers)) return undefined;
  const [input, output] = [field(numbers, 'tokensIn'), field(numbers, 'tokensOut')];
  // Written at the start and updated at the end: without numbers it is under way, or it failed.
  if (!isTokenCount(input) || !isTokenCount(output)) return undefined;
  const [read, written] = [numberOf(numbers, 'cacheReads') ?? 0, numberOf(numbers, 'cacheWrites') ?? 0];
  const isInside = stringOf(numbers, 'apiProtocol') === 'openai';
  const fresh = isInside ? Math.max(0, input - read - written) : input;
  const usage = usableUsage({ input: fresh, output, cacheRead: read, cacheCreation: written });
  if (usage === undefined) return undefined;
  return {
    usage,
    contextTokens: fresh + read + written + output,
    timestamp: isoTime(field(message, 'ts')),
    historyIndex: numberOf(message, 'conversationHistoryIndex'),
    isDeleted,
  };
}

function compactionOf(message: JsonRecord, said: string, afterRequests: number): ClineCompaction | undefined {
  const timestamp = isoTime(field(message, 'ts'));
  const condense = recordOf(message, 'contextCondense');
  if (said === 'condense_context' && condense !== undefined) {
    return {
      kind: 'condense',
      id: stringOf(condense, 'condenseId'),
      preTokens: tokens(condense, 'prevContextTokens'),
      postTokens: tokens(condense, 'newContextTokens'),
      timestamp,
      afterRequests,
    };
  }
  const cut = recordOf(message, 'contextTruncation');
  if (said === 'sliding_window_truncation' && cut !== undefined) {
    return {
      kind: 'truncation',
      id: stringOf(cut, 'truncationId'),
      preTokens: tokens(cut, 'prevContextTokens'),
      postTokens: tokens(cut, 'newContextTokens'),
      timestamp,
      afterRequests,
    };
  }
  const facts = said === 'compaction' ? (jsonOf(field(message, 'text')) ?? recordOf(message, 'compaction')) : undefined;
  if (!isRecord(facts)) return undefined;
  return {
    kind: 'condense',
    id: undefined,
    preTokens: tokens(facts, 'tokensBefore'),
    postTokens: tokens(facts, 'tokensAfter'),
    timestamp,
    afterRequests,
  };
}

function tokens(record: JsonRecord, key: string): number | undefined {
  const value = field(record, key);
  return isTokenCount(value) ? value : undefined;
}

/** Whether a list of the user interface holds what only Roo Code and its fork write. */
export function isRooUi(list: readonly unknown[]): boolean {
  return list.some((message) => {
    if (!isRecord(message)) return false;
    if (recordOf(message, 'contextCondense') !== undefined || recordOf(message, 'contextTruncation') !== undefined) return true;
    return stringOf(message, 'say') === 'api_req_started' && (stringOf(message, 'text')?.includes('"apiProtocol"') ?? false);
  });
}

/** Model of the newest entry of `task_metadata.json`. */
export function modelOfMetadata(value: unknown): string | undefined {
  const last = isRecord(value) ? arrayOf(value, 'model_usage')?.at(-1) : undefined;
  return isRecord(last) ? stringOf(last, 'model_id') : undefined;
}
