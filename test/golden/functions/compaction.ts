import { messagesAfterBoundary } from '../../../src/core/boundary/activeSlice';
import { ControlAuthority, type Scope } from '../../../src/core/boundary/authority';
import { createBoundaryMessage, parseBoundaryMessage } from '../../../src/core/boundary/boundaryMessage';
import { metadataToWire } from '../../../src/core/boundary/boundaryWire';
import { createCompactor } from '../../../src/core/compaction/compact';
import { postCompactMessages, type CompactionOutcome } from '../../../src/core/compaction/result';
import { partialDirection } from '../../../src/core/compaction/strategies/partial';
import { CompactError, hasUserMessage, isCompactError } from '../../../src/core/errors/compactError';
import type { CompactTrigger } from '../../../src/core/model/boundary';
import { textOf, type Message } from '../../../src/core/model/message';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { estimateConversation } from '../../../src/core/tokens/conversationEstimate';
import { recordOf, stringOf } from '../../../src/core/util/json';
import { seed2Messages } from '../../support/seed2Messages';
import { answering, plainMessages, seedEvents, telling, type StubAnswer } from '../../support/stubCompactor';
import type { GoldenFunctions } from '../goldenTypes';
import { listInput, numberInput, recordInput } from './input';

const SIGNAL = new AbortController().signal;
const TRIGGERS: ReadonlySet<string> = new Set<CompactTrigger>(['manual', 'auto', 'reactive']);

/** Compactions of seed 2. Sizes that hold our own wording are told without it, so that a vector does not depend on a text. */
export const compactionFunctions: GoldenFunctions = {
  NewCompactBoundaryMessage: (input) => boundary(input),
  'SummaryCompactor.CompactWithTrigger': (input, name) => compact(input, name),
  'Compact twice (keep 2; 8 messages, then 6 more)': () => compactTwice(),
  PartialCompactConversation: (input) => compactPart(input),
};

function boundary(input: unknown): unknown {
  const segment = recordOf(recordInput(input), 'segment');
  const message = createBoundaryMessage({
    trigger: stringOf(recordInput(input), 'trigger') ?? '',
    preTokens: numberInput(input, 'pre'),
    postTokens: undefined,
    truePostTokens: undefined,
    usage: undefined,
    previousTail: undefined,
    discoveredTools: [],
    preservedSegment: {
      startIndex: numberInput(segment, 'start_index'),
      count: numberInput(segment, 'count'),
      anchor: undefined,
      direction: undefined,
    },
  });
  const authority = new ControlAuthority();
  const base64 = textOf(message).split(' ')[1] ?? '';
  return {
    decoded: Buffer.from(base64, 'base64').toString('utf8'),
    message: {
      id: message.id,
      role: message.role,
      is_meta: true,
      internal_kind: kindOf(message),
      content: message.content,
    },
    recognizedSealed: authority.isBoundary(authority.seal(message)),
    recognizedUnsealed: authority.isBoundary(message),
  };
}

async function compact(input: unknown, name: string): Promise<unknown> {
  const { summarizer, asked } = answering(answerFor(name));
  const { onEvent, progress, telemetry } = telling();
  const compactor = createCompactor(
    { summarizer, counter: BYTES_PER_FOUR, onEvent },
    { keepMessages: numberInput(input, 'keepRecentField') },
  );
  const trigger = stringOf(recordInput(input), 'trigger') ?? '';
  const messages = seed2Messages(listInput(input, 'messages'));
  const told = (ours: number): unknown => ({
    progress: progress.length === 0 ? null : progress,
    summarizedCount: asked[0]?.messages.length ?? 0,
    telemetry: seedEvents(telemetry, ours),
  });
  try {
    const outcome = await compactor.compact(messages, {
      trigger: isTrigger(trigger) ? trigger : undefined,
      keepMessages: numberInput(input, 'keepRecentArg'),
      signal: SIGNAL,
    });
    const ours = ownTokens(outcome);
    return {
      ...resultOf(outcome, ours),
      built: postCompactMessages(outcome).map((message) => `${message.role}:${kindOf(message)}`),
      error: null,
      ...recordInput(told(ours)),
    };
  } catch (error) {
    return { error: categoriesOf(error), errorType: errorType(error), ...recordInput(told(0)) };
  }
}

async function compactTwice(): Promise<unknown> {
  const authority = new ControlAuthority();
  const scope: Scope = { sessionId: 's', project: 'p', generation: 0 };
  const { summarizer, asked } = answering('A short summary.');
  const isBoundary = (message: Message): boolean => authority.isBoundary(message, scope);
  const compactor = createCompactor({ summarizer, counter: BYTES_PER_FOUR }, { keepMessages: 2, isBoundary });
  const first = await compactor.compact(plainMessages(8), { signal: SIGNAL });
  const sealed = first.outcome === 'compacted' ? authority.sealResult(first, scope) : undefined;
  if (sealed === undefined) throw new Error('the first compaction changed nothing');
  const history = [...postCompactMessages(sealed, authority), ...plainMessages(6)];
  const second = await compactor.compact(history, { signal: SIGNAL });
  const inputs = asked[1]?.messages ?? [];
  const kept = second.outcome === 'compacted' ? second.kept.length : -1;
  if (messagesAfterBoundary(history, isBoundary).length !== history.length - 1) throw new Error('the sealed boundary is not recognised');
  return {
    err: null,
    firstSummarizedKind: inputs[0] === undefined ? '' : kindOf(inputs[0]),
    historyLen: history.length,
    kept,
    summarized: inputs.length,
  };
}

async function compactPart(input: unknown): Promise<unknown> {
  const { summarizer, asked } = answering('A short summary.');
  const compactor = createCompactor({ summarizer, counter: BYTES_PER_FOUR });
  const direction = partialDirection(stringOf(recordInput(input), 'direction'));
  const summarized = (): number => asked[0]?.messages.length ?? 0;
  try {
    if (direction === undefined) throw new CompactError('notSupported');
    const request = { pivot: numberInput(input, 'pivot'), direction, signal: SIGNAL };
    const outcome = await compactor.compactPart(seed2Messages(listInput(input, 'messages')), request);
    if (outcome.outcome === 'unchanged') throw new CompactError(outcome.reason);
    return {
      boundary: boundaryOf(outcome),
      built: postCompactMessages(outcome).map((message) => `${message.role}:${kindOf(message) || textOf(message)}`),
      error: false,
      kept: outcome.kept.length,
      prepared: outcome.prepared !== undefined,
      summarized: summarized(),
    };
  } catch (error) {
    if (!isCompactError(error)) throw error;
    return { error: true, summarized: summarized() };
  }
}

function resultOf(outcome: CompactionOutcome, ours: number): object {
  if (outcome.outcome === 'unchanged') {
    return { hasBoundary: false, keptCount: outcome.kept.length, post: 0, truePost: 0, pre: 0, summaryMessages: 0 };
  }
  const { kept, preTokens, postTokens, summaries } = outcome;
  const post = postTokens - ours;
  return {
    boundary: boundaryOf(outcome),
    hasBoundary: true,
    keptCount: kept.length,
    post,
    truePost: post,
    pre: preTokens,
    summaryMessages: summaries.length,
  };
}

/** The boundary's JSON before the view is built. */
function boundaryOf(outcome: CompactionOutcome): unknown {
  const metadata = outcome.outcome === 'compacted' ? parseBoundaryMessage(outcome.boundary) : undefined;
  return metadata === undefined ? undefined : metadataToWire(metadata);
}

/** Tokens of the text that is ours. */
function ownTokens(outcome: CompactionOutcome): number {
  return outcome.outcome === 'unchanged' ? 0 : estimateConversation(outcome.summaries, BYTES_PER_FOUR).knownTotal;
}

function kindOf({ kind }: Message): string {
  return kind === 'boundary' || kind === 'summary' ? `compact_${kind}` : '';
}

/** What the vectors' names say about the summarizer's answer. */
function answerFor(name: string): StubAnswer {
  switch (name) {
    case 'compact/summary-blank':
      return ' \n';
    case 'compact/summary-api-error':
      return 'API Error: 529 overloaded';
    case 'compact/err-ptl':
      return Object.assign(new Error('prompt is too long: 9 tokens'), { status: 400 });
    case 'compact/err-cancel':
      return Object.assign(new Error('cancelled'), { name: 'AbortError' });
    case 'compact/err-deadline':
      return Object.assign(new Error('deadline'), { name: 'TimeoutError' });
    case 'compact/err-other':
      return new Error('connection refused');
    default:
      return 'A short summary.';
  }
}

function categoriesOf(error: unknown): unknown {
  return {
    api: isCompactError(error, 'api'),
    hasUserCategory: hasUserMessage(error),
    incomplete: isCompactError(error, 'incomplete'),
    noSummary: isCompactError(error, 'noSummary'),
    notEnough: isCompactError(error, 'notEnoughMessages'),
    promptTooLong: isCompactError(error, 'promptTooLong'),
    userAbort: isCompactError(error, 'aborted'),
  };
}

/** Type names of the measured program, by our code. */
function errorType(error: unknown): string {
  if (isCompactError(error, 'promptTooLong')) return '*compact.CompactPromptTooLongError';
  return isCompactError(error, 'summarizerUnavailable') ? '*i18n.semanticRuntimeError' : '*compact.CompactError';
}

function isTrigger(word: string): word is CompactTrigger {
  return TRIGGERS.has(word);
}
