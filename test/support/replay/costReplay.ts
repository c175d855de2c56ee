// The forecast of a compaction's cost, made in the middle of a session from what is known there, and the bill of the requests that followed.
// Definitions: docs/replay.md.
import { summaryMessage } from '../../../src/core/boundary/summaryMessage';
import { compactionCost, type CompactionCost } from '../../../src/core/compaction/cost';
import { DEFAULT_KEEP_RESULTS, planMicro, type MicroPlan } from '../../../src/core/compaction/microPlan';
import { summarizeOffline } from '../../../src/core/compaction/offline/offlineSummarizer';
import type { CompactionPlan, PlanRefusal } from '../../../src/core/compaction/plan';
import type { PlanInput } from '../../../src/core/compaction/planInput';
import { continuationFor } from '../../../src/core/compaction/result';
import { planCompaction } from '../../../src/core/compaction/strategies';
import { DEFAULT_KEEP_MESSAGES } from '../../../src/core/compaction/strategies/full';
import { summaryRequest } from '../../../src/core/compaction/summaryRequest';
import type { Transcript } from '../../../src/core/model/transcript';
import type { TokenCounter } from '../../../src/core/ports/tokenCounter';
import { costSizes } from '../../../src/core/session/costSizes';
import { inspectTranscript, type Inspection } from '../../../src/core/session/inspection';
import { dollars, priceListFor, pricesAt, type PriceList } from '../../../src/core/window/prices';
import { billOf, reportedStretches } from './billing';
import { compactedPrompt } from './compactedPrompt';
import { PromptCache, type Piece } from './promptCache';
import { reportedPieces } from './reportedSizes';
import { requestsOf, type SessionRequest } from './requests';

/** In dollars. */
export interface Amounts {
  readonly forecast: number;
  readonly replayed: number;
}

export type ReplayedKind = 'full' | 'up to' | 'from' | 'micro';

/** One plan at one point of a session. */
export interface CostPoint {
  readonly kind: ReplayedKind;
  /** Requests of this stretch before the compaction, and after it. */
  readonly at: number;
  readonly following: number;
  /** The compaction and the prompts of the following requests, given what each of these added to the one before it. */
  readonly bill: Amounts;
  /** The same, with the mean growth of the newest ten requests before in the place of what came. */
  readonly blind: Amounts;
  /** What the first request writes to the cache. */
  readonly rewrite: Amounts;
  /** What a later request costs less than it would have, on average. */
  readonly saved: Amounts;
  /** Requests until the bills with and without the compaction meet; undefined when they do not within the following ones. */
  readonly payback: { readonly forecast: number | undefined; readonly replayed: number | undefined };
}

/** Following requests that are billed, and the fewest that say something. */
const FOLLOWING = { most: 20, least: 5 } as const;
const POINTS = [0.25, 0.5, 0.75] as const;
const PACE_REQUESTS = 10;

/** All points of a session; empty without reports or prices. */
export function replayCosts(transcript: Transcript, counter: TokenCounter): readonly CostPoint[] {
  const whole = inspectTranscript(transcript, { counter });
  return reportedStretches(requestsOf(transcript)).flatMap((requests) =>
    POINTS.flatMap((share) => {
      const at = Math.max(2, Math.round(share * requests.length));
      const following = requests.slice(at, at + FOLLOWING.most);
      const [first] = following;
      const prices = priceListFor(first?.model);
      if (first === undefined || following.length < FOLLOWING.least || prices === undefined) return [];
      return pointsAt({ whole, counter, prices, past: requests.slice(0, at), first, following });
    }),
  );
}

interface Place {
  /** The session with all that its reports tell in the end. */
  readonly whole: Inspection;
  readonly counter: TokenCounter;
  readonly prices: PriceList;
  readonly past: readonly SessionRequest[];
  readonly first: SessionRequest;
  /** `first` and those after it. */
  readonly following: readonly SessionRequest[];
}

function pointsAt(place: Place): readonly CostPoint[] {
  const known = inspectTranscript(transcriptAt(place.whole.transcript, place.first), { counter: place.counter });
  const { messages, context } = known.transcript;
  const input: PlanInput = {
    messages,
    context,
    tokens: known.sizes.tokens,
    unattributedTokens: known.unattributedTokens,
    revision: 1,
  };
  const pivotId = messages[context[context.length >> 1] ?? -1]?.id ?? '';
  const plans: readonly (readonly [ReplayedKind, CompactionPlan | MicroPlan | PlanRefusal])[] = [
    ['full', planCompaction({ kind: 'full', keepMessages: DEFAULT_KEEP_MESSAGES }, input)],
    ['up to', planCompaction({ kind: 'partialUpTo', pivotId }, input)],
    ['from', planCompaction({ kind: 'partialFrom', pivotId }, input)],
    ['micro', planMicro({ keepResults: DEFAULT_KEEP_RESULTS }, input, known.sizes.sizeOf)],
  ];
  return plans.flatMap(([kind, plan]) => (plan.outcome === 'refusal' ? [] : [pointOf(kind, plan, { ...place, known, input })]));
}

/** The session as it was when a request was about to be made. */
function transcriptAt(transcript: Transcript, { reply, context }: SessionRequest): Transcript {
  return {
    ...transcript,
    messages: transcript.messages.slice(0, reply),
    context,
    boundaries: transcript.boundaries.filter(({ index }) => index < reply),
    reports: transcript.reports?.filter(({ afterIndex }) => afterIndex <= reply),
    sidechains: [],
  };
}

interface KnownPlace extends Place {
  /** The session with what was known at this point. */
  readonly known: Inspection;
  readonly input: PlanInput;
}

function pointOf(kind: ReplayedKind, plan: CompactionPlan | MicroPlan, place: KnownPlace): CostPoint {
  const { input, known, whole, prices, past, following } = place;
  const carrier = plan.kind === 'micro' ? undefined : summaryMessage(continuationFor(plan, offlineSummary(plan, input), undefined));
  const cost = compactionCost({
    plan,
    input: { ...input, ...costSizes(known) },
    summaryTokens: carrier === undefined ? 0 : known.sizes.sizeOf(carrier),
    tokensOf: known.sizes.sizeOf,
    prices,
  });
  const growth = following
    .slice(1)
    .map(({ reported }, at) => Math.max(0, (reported?.prompt ?? 0) - (following[at]?.reported?.prompt ?? 0)));
  const blindGrowth = growth.map(() => meanGrowth(past));
  const real = replayed(plan, carrier === undefined ? 0 : whole.sizes.sizeOf(carrier), growth, place);
  const replayedBill = sum(real.with);
  return {
    kind,
    at: past.length,
    following: following.length,
    bill: { forecast: forecastBill(cost, growth, prices), replayed: replayedBill },
    blind: { forecast: forecastBill(cost, blindGrowth, prices), replayed: replayedBill },
    rewrite: { forecast: cost.rewriteUsd ?? 0, replayed: real.rewrite },
    saved: {
      forecast: cost.savedUsdPerTurn ?? 0,
      replayed: (sum(real.without.slice(1)) - sum(real.with.slice(1))) / Math.max(1, growth.length),
    },
    payback: { forecast: within(cost.paysBackAfterTurns, following.length), replayed: meeting(real.with, real.without) },
  };
}

function offlineSummary(plan: CompactionPlan, input: PlanInput): string {
  const { messages, direction } = summaryRequest(plan, input, { instructions: '' });
  return summarizeOffline(messages, { direction });
}

/** What the forecast says of the requests that follow: the first one as the cost tells, each later one reads what the one before it had. */
function forecastBill(cost: CompactionCost, growth: readonly number[], prices: PriceList): number {
  let size = cost.cacheKeptTokens + cost.cacheRewriteTokens;
  let total = (cost.summaryUsd ?? 0) + billOf({ read: cost.cacheKeptTokens, written: cost.cacheRewriteTokens }, prices);
  for (const grown of growth) {
    total += billOf({ read: size, written: grown }, prices);
    size += grown;
  }
  return total;
}

interface Replayed {
  /** Dollars of each following request. */
  readonly with: readonly number[];
  readonly without: readonly number[];
  /** Dollars of what the first one wrote. */
  readonly rewrite: number;
}

function replayed(plan: CompactionPlan | MicroPlan, summaryTokens: number, growth: readonly number[], place: KnownPlace): Replayed {
  const { past, first, whole, prices, input } = place;
  const now = reportedPieces([...past, first], whole);
  const sent = now.slice(0, reportedPieces(past, whole).length);
  const run = (prompt: readonly Piece[]): { readonly bills: readonly number[]; readonly rewrite: number } => {
    const cache = new PromptCache();
    cache.request(sent);
    const pieces = [...prompt];
    const begun = cache.request(pieces);
    const bills = [billOf(begun, prices)];
    growth.forEach((tokens, at) => {
      pieces.push({ key: `later ${at}`, tokens });
      bills.push(billOf(cache.request(pieces), prices));
    });
    return { bills, rewrite: dollars(begun.written, pricesAt(prices, begun.read + begun.written)?.cacheWrite ?? 0) };
  };
  const after = run(compactedPrompt(now, plan, { messages: input.messages, sizeOf: whole.sizes.sizeOf, summaryTokens }));
  return { with: after.bills, without: run(now).bills, rewrite: after.rewrite };
}

function within(requests: number | undefined, most: number): number | undefined {
  return requests !== undefined && requests <= most ? requests : undefined;
}

/** First request after which what was paid with the compaction is no more than without it. */
function meeting(paid: readonly number[], otherwise: readonly number[]): number | undefined {
  let debt = 0;
  const at = paid.findIndex((usd, index) => (debt += usd - (otherwise[index] ?? 0)) <= 1e-12);
  return at < 0 ? undefined : at + 1;
}

/** Mean growth of the newest requests. */
function meanGrowth(requests: readonly SessionRequest[]): number {
  const newest = requests.slice(-PACE_REQUESTS - 1).map(({ reported }) => reported?.prompt ?? 0);
  return Math.max(0, (newest.at(-1) ?? 0) - (newest[0] ?? 0)) / Math.max(1, newest.length - 1);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
