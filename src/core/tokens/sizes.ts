import type { Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import type { TokenCounter } from '../ports/tokenCounter';
import { HEURISTIC, messageBytes } from './charHeuristic';
import { calibrationEvidence, scaleFrom } from './calibration';
import { countedParts, MEDIA_TOKENS_PER_BLOCK } from './messageTokens';
import { priorScale } from './priorScale';
import { reportedContext } from './reportedContext';
import { isProviderReport } from './responses';
import { isUnseen, sessionSteps } from './sessionSteps';

export interface SizeOptions {
  /** Real tokenizer; absent: the bytes heuristic of seed 0. */
  readonly counter?: TokenCounter;
  /** Estimate of one picture or document, in tokens. */
  readonly mediaTokens?: number;
}

export interface MessageSizes {
  /** Estimate of the content of each entry of `transcript.messages`, in tokens; 0 for boundaries, which the model never sees. */
  readonly tokens: readonly number[];
  /** Factor that the session's own reports put on the estimates, 0.75 … 2; where they say too little, that of the model's family. */
  readonly scale: number;
  /** Context of each side chain: its last reported prompt and what follows, or the estimate of all of it. */
  readonly sidechainTokens: readonly number[];
  /** The same estimate for a message that is not in the transcript (a summary that is about to be written). */
  readonly sizeOf: (message: Message) => number;
}

/**
 * Estimates every message of a transcript, reconciled with what its provider reported (R31). Linear; the base counts of a message are kept
 * with the message, so measuring again after an append only counts what is new.
 */
export function measureMessages(transcript: Transcript, options: SizeOptions): MessageSizes {
  const baseOf = cachedBase(options.counter, options.mediaTokens ?? MEDIA_TOKENS_PER_BLOCK);
  const base = transcript.messages.map(baseOf);
  const scale = scaleOf(transcript, base);
  const sizeOf = (message: Message): number => Math.trunc(baseOf(message) * scale);
  return {
    tokens: base.map((tokens) => Math.trunc(tokens * scale)),
    scale,
    sizeOf,
    sidechainTokens: transcript.sidechains.map(({ messages }) => sidechainTokens(messages, messages.map(sizeOf))),
  };
}

function sidechainTokens(messages: readonly Message[], sizes: readonly number[]): number {
  const found = reportedContext(messages, sizes, isProviderReport);
  if (found === undefined) return sizes.reduce((sum, size) => sum + size, 0);
  return found.reportedTokens + found.replyTokens + found.laterTokens;
}

function scaleOf(transcript: Transcript, base: readonly number[]): number {
  let reported = 0;
  let estimated = 0;
  for (const steps of sessionSteps(transcript, base)) {
    const evidence = calibrationEvidence(steps);
    reported += evidence.reported;
    estimated += evidence.estimated;
  }
  return scaleFrom({ reported, estimated }) ?? priorScale(transcript.model);
}

interface BaseCount {
  readonly tokens: number;
  readonly media: number;
}

// Keys are immutable messages and counters, so an entry never goes stale and vanishes with the message.
const countsByCounter = new WeakMap<object, WeakMap<Message, BaseCount>>();
const HEURISTIC_KEY = {};

function cachedBase(counter: TokenCounter | undefined, mediaTokens: number): (message: Message) => number {
  const key = counter ?? HEURISTIC_KEY;
  const counts = countsByCounter.get(key) ?? new WeakMap<Message, BaseCount>();
  countsByCounter.set(key, counts);
  return (message) => {
    if (isUnseen(message)) return 0;
    let count = counts.get(message);
    if (count === undefined) {
      count = counter === undefined ? heuristicParts(message) : countedParts(message, counter);
      counts.set(message, count);
    }
    return count.tokens + count.media * mediaTokens;
  };
}

function heuristicParts(message: Message): BaseCount {
  const { bytes, media } = messageBytes(message);
  return { tokens: Math.trunc(bytes / HEURISTIC.bytesPerToken) + HEURISTIC.tokensPerMessage, media };
}
