// Stubs around a compactor: a summarizer that answers as it is told, and a listener that renders events as the vectors name them.
import type { CompactionEvent, EventSink } from '../../src/core/compaction/events';
import type { CompactErrorCode } from '../../src/core/errors/compactError';
import type { Message } from '../../src/core/model/message';
import type { Summarizer, SummaryRequest } from '../../src/core/ports/summarizer';
import { summaryFromReply } from '../../src/core/prompts/summaryReply';
import { numberOf, recordOf, stringOf, type JsonRecord } from '../../src/core/util/json';

/** A text is answered, an error is thrown, and a function decides anew at each call. */
export type StubAnswer = string | Error | (() => string | Error);

export interface StubSummarizer {
  readonly summarizer: Summarizer;
  /** The requests so far. */
  readonly asked: readonly SummaryRequest[];
}

export function answering(answer: StubAnswer): StubSummarizer {
  const asked: SummaryRequest[] = [];
  const summarize: Summarizer['summarize'] = (request) => {
    asked.push(request);
    const given = typeof answer === 'function' ? answer() : answer;
    return typeof given === 'string' ? Promise.resolve({ text: given, usage: undefined }) : Promise.reject(given);
  };
  return { summarizer: { capabilities: { label: 'stub', host: undefined }, summarize }, asked };
}

/** Turns of `user N` and `assistant N`, as the vectors have them. */
export function plainMessages(count: number): readonly Message[] {
  return Array.from({ length: count }, (_, index): Message => {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    const text = `${role} ${index}`;
    const messageId = role === 'assistant' ? { messageId: `a${index}` } : {};
    return { id: `m${index}`, role, kind: 'message', content: [{ type: 'text', text }], line: index + 1, ...messageId };
  });
}

type Telemetry = Exclude<CompactionEvent, { readonly kind: 'progress' | 'attachmentFailed' }>;

/** Collects events, progress in the words of the vectors. */
export function telling(): { readonly onEvent: EventSink; readonly progress: readonly string[]; readonly telemetry: readonly Telemetry[] } {
  const progress: string[] = [];
  const telemetry: Telemetry[] = [];
  const onEvent: EventSink = (event) => {
    if (event.kind === 'progress') progress.push(`compact_${event.stage}/${event.trigger}`);
    else if (event.kind !== 'attachmentFailed') telemetry.push(event);
  };
  return { onEvent, progress, telemetry };
}

/** Events under the names of seed 2; `ours` are the tokens of our own text in the new view. Null when there are none. */
export function seedEvents(events: readonly Telemetry[], ours: number): unknown {
  if (events.length === 0) return null;
  return events.map((event) => {
    const post = 'postTokens' in event ? event.postTokens - ours : 0;
    return {
      Kind: KINDS[event.kind],
      Trigger: event.trigger,
      PreCompactTokenCount: event.preTokens,
      PostCompactTokenCount: post,
      TruePostCompactTokenCount: post,
      AutoCompactThreshold: 'threshold' in event ? event.threshold : 0,
      PostCompactWouldRetrigger: 'wouldRetrigger' in event ? event.wouldRetrigger : false,
      OriginalMessageCount: event.originalMessages,
      CompactedMessageCount: 'compactedMessages' in event ? event.compactedMessages : 0,
      CompactionUsage: null,
      ConsecutiveFailureCount: 'consecutiveFailures' in event ? event.consecutiveFailures : 0,
      MaxConsecutiveFailureCount: 'maxFailures' in event ? event.maxFailures : 0,
      ErrorType: 'code' in event ? errorType(event.code) : '',
    };
  });
}

const KINDS = {
  start: 'compact_start',
  success: 'compact_success',
  failure: 'compact_failure',
  autoAttempt: 'auto_compact_attempt',
  autoSuccess: 'auto_compact_success',
  autoFailure: 'auto_compact_failure',
} as const satisfies Record<Telemetry['kind'], string>;

/** Type names of the measured program: its own error keeps what a foreign one was called. */
function errorType(code: string): string {
  if (code === 'promptTooLong') return '*compact.CompactPromptTooLongError';
  return code === 'summarizerUnavailable' ? '*errors.errorString' : '*compact.CompactError';
}

/** A model that gives a case's raw answer or error, read as every structured summarizer reads it. `onCall` runs when it is asked. */
export function modelStub(answer: JsonRecord, onCall: () => void = () => undefined): StubSummarizer {
  const error = recordOf(answer, 'error');
  return answering(() => {
    onCall();
    if (error !== undefined) return Object.assign(new Error(stringOf(error, 'message') ?? ''), { status: numberOf(error, 'status') });
    try {
      return summaryFromReply({ text: stringOf(answer, 'text') ?? '', stopReason: stringOf(answer, 'stopReason') });
    } catch (thrown) {
      return thrown instanceof Error ? thrown : new Error(String(thrown));
    }
  });
}

/** The cases' names of the codes that are spelled otherwise there. */
const CASE_NAMES: ReadonlyMap<CompactErrorCode, string> = new Map([
  ['aborted', 'user_abort'],
  ['api', 'api_error'],
]);

/** A code as the cases name it. */
export function caseErrorName(code: CompactErrorCode): string {
  return CASE_NAMES.get(code) ?? snakeCase(code);
}

export function snakeCase(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
