import type { Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import type { TokenCounter } from '../ports/tokenCounter';
import { HEURISTIC, messageBytes } from './charHeuristic';
import { measuredWindows } from './calibration';
import { errorBand, plainErrorBand, type FittedGeneration, type GuessedTokens } from './errorBand';
import { contentParts, contentTokens, hiddenThinkingBlocks, MEDIA_TOKENS_PER_BLOCK, roughParts, type ContentParts } from './messageTokens';
import { fittedGeneration, generationOf } from './modelGeneration';
import { priorScale } from './priorScale';
import { reportedContext } from './reportedContext';
import { heldToOutput } from './replySize';
import { isProviderReport, responsesOf } from './responses';
import { afterWindow, startingFit, type SessionFit } from './sessionFit';
import { isUnseen, sessionSteps, type BaseSize } from './sessionSteps';

export interface SizeOptions {
  /** Real tokenizer; absent: the bytes heuristic of seed 0. */
  readonly counter?: TokenCounter;
  /** Estimate of one picture or document, in tokens. */
  readonly mediaTokens?: number;
  /** False for a message whose exact count is still to come: it is sized by its length. Absent: every message is counted. */
  readonly isCounted?: (message: Message) => boolean;
}

export interface MessageSizes {
  /**
   * Estimate of the content of each entry of `transcript.messages`, in tokens; 0 for boundaries, which the model never sees. No answer is
   * larger than its recorded output.
   */
  readonly tokens: readonly number[];
  /** Factor that the session's own reports put on the estimates of its model's generation, 0.75 … 2. */
  readonly scale: number;
  /** Half width of the band around a guess that nine of ten stay in, as wide as this session's own reports ask for. */
  readonly bandOf: (guessed: GuessedTokens) => number;
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
  const { counter, mediaTokens = MEDIA_TOKENS_PER_BLOCK } = options;
  const fitted = fittedGeneration(generationOf(transcript.model));
  const baseOf = counter === undefined ? heuristicBase(mediaTokens) : countedBase(counter, fitted, mediaTokens, options.isCounted);
  const base = transcript.messages.map(baseOf);
  const fit = fitOf(transcript, base, fitted, counter === undefined ? priorScale(transcript.model) : 1);
  const sizeOf = (message: Message): number => Math.trunc(baseOf(message).tokens * fit.scale);
  return {
    tokens: heldToReports(
      transcript.messages,
      base.map(({ tokens }) => Math.trunc(tokens * fit.scale)),
    ),
    scale: fit.scale,
    bandOf: (guessed) => (counter === undefined ? plainErrorBand(guessed) : errorBand(guessed, fitted.band, fit.bandFactor)),
    sizeOf,
    sidechainTokens: transcript.sidechains.map(({ messages }) => sidechainTokens(messages, sizeOf)),
  };
}

/** Sizes under which no answer is larger than its recorded output, where that is one; its fragments share what was recorded. */
export function heldToReports(messages: readonly Message[], sizes: readonly number[]): readonly number[] {
  const held = [...sizes];
  for (const { indexes, usage } of responsesOf(messages)) {
    if (usage === undefined) continue;
    const estimate = indexes.reduce((sum, index) => sum + (sizes[index] ?? 0), 0);
    const size = heldToOutput(usage.outputTokens, estimate);
    if (size < estimate) for (const index of indexes) held[index] = Math.floor(((sizes[index] ?? 0) * size) / estimate);
  }
  return held;
}

/** Context of one side chain: its last reported prompt and what follows, or the estimate of all of it. */
export function sidechainTokens(messages: readonly Message[], sizeOf: (message: Message) => number): number {
  const sizes = heldToReports(messages, messages.map(sizeOf));
  const found = reportedContext(messages, sizes, isProviderReport);
  if (found === undefined) return sizes.reduce((sum, size) => sum + size, 0);
  return found.reportedTokens + found.replyTokens + found.laterTokens;
}

/** What the session's reports say of estimates for the model that answers next. Windows of another generation's tokenizer say nothing. */
function fitOf(transcript: Transcript, base: readonly BaseSize[], { band }: FittedGeneration, prior: number): SessionFit {
  const generation = generationOf(transcript.model);
  let fit = startingFit(prior);
  for (const steps of sessionSteps(transcript, base)) {
    for (const { actual, model, ...guessed } of measuredWindows(steps)) {
      const isOther = model !== '' && transcript.model !== undefined && generationOf(model) !== generation;
      if (!isOther) fit = afterWindow(fit, { actual, guessed }, band);
    }
  }
  return fit;
}

const UNSEEN: BaseSize = { tokens: 0, hiddenThinking: 0 };

// Keys are immutable messages and counters, so an entry never goes stale and vanishes with the message.
const partsByCounter = new WeakMap<TokenCounter, WeakMap<Message, ContentParts>>();

function countedBase(
  counter: TokenCounter,
  { cost }: FittedGeneration,
  mediaTokens: number,
  isCounted: SizeOptions['isCounted'],
): (message: Message) => BaseSize {
  const known = partsByCounter.get(counter) ?? new WeakMap<Message, ContentParts>();
  partsByCounter.set(counter, known);
  return (message) => {
    if (isUnseen(message)) return UNSEEN;
    let parts = known.get(message);
    if (parts === undefined && isCounted?.(message) === false) parts = roughParts(message);
    else if (parts === undefined) {
      parts = contentParts(message, counter);
      known.set(message, parts);
    }
    return { tokens: contentTokens(parts, cost) + parts.media * mediaTokens, hiddenThinking: parts.hiddenThinking };
  };
}

const bytesOf = new WeakMap<Message, { readonly bytes: number; readonly media: number }>();

function heuristicBase(mediaTokens: number): (message: Message) => BaseSize {
  return (message) => {
    if (isUnseen(message)) return UNSEEN;
    let size = bytesOf.get(message);
    if (size === undefined) {
      size = messageBytes(message);
      bytesOf.set(message, size);
    }
    const tokens = Math.trunc(size.bytes / HEURISTIC.bytesPerToken) + size.media * mediaTokens + HEURISTIC.tokensPerMessage;
    return { tokens, hiddenThinking: hiddenThinkingBlocks(message) };
  };
}
