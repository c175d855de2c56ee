import { CompactError } from '../../errors/compactError';
import type { PartialDirection } from '../../model/boundary';
import type { Message } from '../../model/message';
import type { Summarizer, SummaryDetail } from '../../ports/summarizer';
import { extractFacts } from './facts';
import { renderSummary } from './render';
import { keywordsIn } from './terms';
import { roughTokens, zoneTokens } from './zoneTokens';

export interface OfflineOptions {
  /** Tokens of a text; by default `roughTokens`. */
  readonly estimate?: (text: string) => number;
  /** Tokens of the messages, where the caller knows them; otherwise they are estimated. */
  readonly zoneTokens?: number;
  /** Most tokens of the summary; by default `targetTokens` of the zone. */
  readonly targetTokens?: number;
  /** Tokens that are put around the summary in the new session; they are taken off the target. */
  readonly frameTokens?: number;
  readonly direction?: PartialDirection | undefined;
  /** The user's own wish for the summary: what holds one of its words comes first. Nothing of it is written into the summary. */
  readonly instructions?: string;
}

/** Smallest size that a summary may have whatever the zone, and its share of a large zone (fidelity's limit). */
export const MIN_TARGET_TOKENS = 2_000;
export const ZONE_SHARE = 0.03;
/** A zone below the smallest target is cut to this part of itself, or to what leaves so many tokens free where that is more. */
const SMALL_ZONE_SHARE = 0.6;
const LARGE_PART = 0.9;
const FREED_TOKENS = 130;
/** Left free of the limit of a large zone, since sizes are estimates. */
const ESTIMATE_SLACK = 0.97;
/** What the words around a summary take at most, the path of the original included. */
const FRAME_TOKENS = 150;
/** Longest summary in characters, whatever the zone. */
const MAX_CHARACTERS = 78_000;
const MAX_FOCUS_WORDS = 40;
/** No more than this many characters of a summary make one token. */
const MAX_CHARACTERS_TOKENS = MAX_CHARACTERS / 4.2;

/** Share of the usual size that a summary of each level of detail may have. */
const DETAIL_SHARES = { brief: 0.5, normal: 1, full: 2.5 } as const satisfies Record<SummaryDetail, number>;

/**
 * Tokens that a summary of a zone may have: 3 % of it, at least 2,000, and clearly less than a small zone; less for a brief one and more for one
 * in full, but never so much that it would not be worth while.
 */
export function targetTokens(zone: number, detail: SummaryDetail = 'normal'): number {
  const part = Math.max(zone * SMALL_ZONE_SHARE, zone * LARGE_PART - FREED_TOKENS);
  const usual = Math.max(MIN_TARGET_TOKENS, zone * ZONE_SHARE * ESTIMATE_SLACK);
  const share = DETAIL_SHARES[detail];
  return Math.floor(Math.min(usual * share, part * Math.min(share, 1), MAX_CHARACTERS_TOKENS));
}

/** Summarizes messages from their text alone; '' when they hold nothing. The result quotes and counts and adds nothing. */
export function summarizeOffline(messages: readonly Message[], options: OfflineOptions = {}): string {
  if (!messages.some(({ content }) => content.length > 0)) return '';
  const estimate = options.estimate ?? roughTokens;
  const zone = options.zoneTokens ?? zoneTokens(messages, estimate);
  const target = options.targetTokens ?? targetTokens(zone);
  const budget = Math.max(0, target - Math.min(options.frameTokens ?? FRAME_TOKENS, target / 4));
  return renderSummary(extractFacts(messages), {
    budget,
    estimate,
    isLater: options.direction === 'from',
    focus: focusOf(options.instructions ?? ''),
  });
}

function focusOf(instructions: string): string[] {
  return keywordsIn(instructions).slice(0, MAX_FOCUS_WORDS);
}

/** Makes the summarizer that needs neither a model nor a network. Rejects with `aborted` or, for messages without content, `noSummary`. */
export function createOfflineSummarizer(options: Omit<OfflineOptions, 'direction' | 'instructions'> = {}): Summarizer {
  return {
    capabilities: { label: 'Offline', host: undefined },
    summarize: (request, signal) =>
      Promise.resolve().then(() => {
        throwIfAborted(signal);
        const zone = options.zoneTokens ?? zoneTokens(request.messages, options.estimate);
        const target = Math.min(options.targetTokens ?? targetTokens(zone, request.detail), request.maxOutputTokens);
        const text = summarizeOffline(request.messages, {
          ...options,
          targetTokens: target,
          direction: request.direction,
          instructions: request.instructions,
        });
        throwIfAborted(signal);
        if (text.trim() === '') throw new CompactError('noSummary');
        return { text, usage: undefined };
      }),
  };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new CompactError('aborted', 'aborted', { cause: signal.reason });
}
