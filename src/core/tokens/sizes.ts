import type { Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import type { Usage } from '../model/usage';
import type { TokenCounter } from '../ports/tokenCounter';
import { HEURISTIC, messageBytes } from './charHeuristic';
import { calibrationEvidence, scaleFrom, type CalibrationEvidence } from './calibration';
import { countedParts, MEDIA_TOKENS_PER_BLOCK } from './messageTokens';
import { priorScale } from './priorScale';
import { reportedContext } from './reportedContext';
import { isProviderReport, responsesOf } from './responses';

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
  const base = cachedBase(options.counter, options.mediaTokens ?? MEDIA_TOKENS_PER_BLOCK);
  const scale = scaleFrom(evidenceOf(transcript, base)) ?? priorScale(transcript.model);
  const sizeOf = (message: Message): number => (isUnseen(message) ? 0 : Math.trunc(base(message) * scale));
  return {
    tokens: transcript.messages.map(sizeOf),
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

function isUnseen(message: Message): boolean {
  return message.kind === 'boundary' || message.kind === 'microBoundary';
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

/** Evidence of all stretches between boundaries; the reports on the two sides of one belong to different contexts. */
function evidenceOf(transcript: Transcript, base: (message: Message) => number): CalibrationEvidence {
  const chain = transcript.reports === undefined ? anchoredByResponses(transcript, base) : anchoredByReports(transcript);
  let reported = 0;
  let estimated = 0;
  let stretch: Message[] = [];
  for (const entry of [...chain, undefined]) {
    if (entry !== undefined) {
      stretch.push(entry);
      continue;
    }
    const evidence = calibrationEvidence(stretch, base);
    reported += evidence.reported;
    estimated += evidence.estimated;
    stretch = [];
  }
  return { reported, estimated };
}

/** Undefined stands for a boundary. */
type ChainEntry = Message | undefined;

/**
 * The main chain with one anchor for each response, at its first fragment: tool results that stand between the fragments were not in its
 * prompt. Its fragments are left out, for the report counts them. Some old agents recorded only the first few tokens of a stream as output;
 * then the fragments stay in as content that the next report tells the size of.
 */
function anchoredByResponses({ messages }: Transcript, base: (message: Message) => number): readonly ChainEntry[] {
  const anchors = new Map<number, Message>();
  const counted = new Set<number>();
  for (const { indexes, usage } of responsesOf(messages)) {
    const first = messages[indexes[0] ?? -1];
    if (first === undefined || usage === undefined) continue;
    const content = indexes.reduce((sum, index) => sum + (messages[index] === undefined ? 0 : base(messages[index])), 0);
    const isPlaceholder = usage.outputTokens < content * PLACEHOLDER_SHARE;
    anchors.set(indexes[0] ?? -1, anchor(isPlaceholder ? { ...usage, outputTokens: 0, reasoningTokens: 0 } : usage, first.model));
    if (!isPlaceholder) for (const index of indexes) counted.add(index);
  }
  const list: ChainEntry[] = [];
  messages.forEach((message, index) => {
    if (message.kind === 'boundary') return void list.push(undefined);
    const report = anchors.get(index);
    if (report !== undefined) list.push(report);
    if (!isUnseen(message) && !counted.has(index)) list.push(withoutUsage(message));
  });
  return list;
}

/** A recorded output below this share of the content's estimate cannot be the output. */
const PLACEHOLDER_SHARE = 0.5;

/** The main chain with the stated counts (Codex) as anchors. The assistant's own items are part of the reports and left out. */
function anchoredByReports(transcript: Transcript): readonly ChainEntry[] {
  const list: ChainEntry[] = [];
  let next = 0;
  for (const report of transcript.reports ?? []) {
    for (; next < Math.min(report.afterIndex, transcript.messages.length); next++) {
      const message = transcript.messages[next];
      if (message?.kind === 'boundary') list.push(undefined);
      else if (message !== undefined && message.role !== 'assistant' && !isUnseen(message)) list.push(withoutUsage(message));
    }
    const prompt = report.contextTokens - report.outputTokens;
    if (report.isAgentEstimate || !(prompt > 0)) list.push(undefined);
    else
      list.push(anchor({ inputTokens: prompt, outputTokens: report.outputTokens, cacheReadTokens: 0, cacheCreationTokens: 0 }, undefined));
  }
  return list;
}

function withoutUsage(message: Message): Message {
  return message.usage === undefined ? message : { ...anchor(undefined, message.model), role: message.role, content: message.content };
}

function anchor(usage: Usage | undefined, model: string | undefined): Message {
  const empty = { id: '', role: 'assistant', kind: 'message', content: [], line: 0 } as const;
  return { ...empty, ...(model === undefined ? {} : { model }), ...(usage === undefined ? {} : { usage }) };
}
