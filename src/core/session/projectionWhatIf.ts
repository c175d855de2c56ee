// What progressive projection would do to the present context, had the agent's loop such a thing. Nothing is changed.
import { isProjectionDue } from '../compaction/trigger';
import type { Message, ToolResultBlock } from '../model/message';
import type { TokenCounter } from '../ports/tokenCounter';
import { projectToolResults } from '../projection/apply';
import { projectionCandidates, type Candidate } from '../projection/candidates';
import { DEFAULT_PROJECTION, normalizeProjection } from '../projection/config';
import { phaseOf, type Phase } from '../projection/phase';
import { projectionGates } from '../projection/rollout';
import { batchSize, selectBatch } from '../projection/selection';
import type { Admission, AdmitReason, Evaluation, InputPricing, KeepReason } from '../projection/types';
import { EMPTY_REPLACEMENTS } from '../toolResults/replacementState';
import { priceListFor, pricesAt } from '../window/prices';
import { EMPTY_WINDOW_STATE } from '../window/windowState';
import type { Inspection } from './inspection';
import { typedContext, type TypedContext, type TypedResult } from './projectionTyped';

/** `tooEarly`: no file was changed yet and the limit is far. `patchFailed`: the newest change failed. `notAnswered`: no answer has seen a result. */
export type WhatIfReason = AdmitReason | KeepReason | 'tooEarly' | 'patchFailed' | 'notAnswered' | 'nothingSuitable';

/** Why one result stays whole. */
export type KeptReason = 'otherTool' | 'failed' | 'media' | 'notShorter' | 'notAnswered' | 'inUse' | 'newest' | 'limit' | 'notNeeded';

export interface ProjectedResult {
  readonly toolUseId: string;
  /** Row of its message. */
  readonly index: number;
  readonly tool: string;
  readonly about: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly form: 'rewrite' | 'index' | 'whole';
  /** Undefined for a result that would be shortened. */
  readonly keptBecause: KeptReason | undefined;
}

export interface ProjectionWhatIf {
  readonly admitted: boolean;
  readonly reason: WhatIfReason;
  /** Of the whole context; after it as it would be with the results below, also where that is not admitted. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Undefined where the prices are not known, or it did not come to that. */
  readonly netSavingsUsd: number | undefined;
  /** Largest saving first, then the largest. */
  readonly results: readonly ProjectedResult[];
}

/**
 * Runs the projection of an agent loop over the context with its default limits, switched on, and the catalogue's prices. Where it is too early for
 * one, the results are those under pressure. Undefined for a context without tool results. Costs by the texts of the results.
 */
export function projectionWhatIf(inspection: Inspection): ProjectionWhatIf | undefined {
  const { transcript, usage } = inspection;
  const context = typedContext(transcript.context.flatMap((index) => transcript.messages[index] ?? []));
  if (context.results.length === 0) return undefined;
  const sizes = resultSizes(inspection, context.results);
  const asked = admissionOf(inspection, context, sizes);
  const { messages } = context;
  const phaseNow = phaseOf(messages, EMPTY_REPLACEMENTS, asked);
  const admission = phaseNow === undefined ? { ...asked, pressure: true } : asked;
  const phase = phaseNow ?? phaseOf(messages, EMPTY_REPLACEMENTS, admission);
  const candidates = phase === undefined ? [] : projectionCandidates(messages, EMPTY_REPLACEMENTS, admission, phase);
  const batch = candidates.length === 0 ? [] : selectBatch(candidates, admission);
  const { decision, evaluation } = projectToolResults(messages, EMPTY_REPLACEMENTS, admission);
  const lastAnswer = messages.findLastIndex(({ role, kind }) => role === 'assistant' && kind === 'message');
  const isEarly = phaseNow === undefined || candidates.length === 0;
  const early = isEarly ? reasonBefore(context, { phase, candidates, lastAnswer }) : undefined;
  const { tokensSaved } = batchSize(batch);
  const ages = phase === undefined ? [] : agesOf(context, phase);
  const work = { transcript, sizes, phase, candidates, batch, lastAnswer, admission };
  const results = context.results.map((result, at) => projected(result, ages[at] ?? 0, work));
  return {
    admitted: early === undefined && decision.admit,
    reason: early ?? decision.reason,
    tokensBefore: usage.usedTokens,
    tokensAfter: Math.max(0, usage.usedTokens - tokensSaved),
    netSavingsUsd: early === undefined && wasPriced(evaluation) ? evaluation.netSavingsUsd : undefined,
    results: results.sort((a, b) => b.tokensBefore - b.tokensAfter - (a.tokensBefore - a.tokensAfter) || b.tokensBefore - a.tokensBefore),
  };
}

/** Why nothing is projected before any price is asked for. */
function reasonBefore({ results }: TypedContext, work: Pick<Work, 'phase' | 'candidates' | 'lastAnswer'>): WhatIfReason {
  const { phase, candidates, lastAnswer } = work;
  if (results.every(({ position }) => position > lastAnswer)) return 'notAnswered';
  if (phase === undefined) {
    const patch = results.findLast(({ tool, position }) => tool === 'ApplyPatch' && position < lastAnswer);
    return patch?.hasFailed === true ? 'patchFailed' : 'notAnswered';
  }
  return candidates.length === 0 ? 'nothingSuitable' : 'tooEarly';
}

function wasPriced(evaluation: Evaluation | undefined): evaluation is Evaluation {
  if (evaluation === undefined) return false;
  const { decision } = evaluation;
  return decision.admit || !UNPRICED.has(decision.reason);
}

const UNPRICED: ReadonlySet<KeepReason> = new Set<KeepReason>(['incompleteEstimate', 'unknownPricing', 'tokenSavings']);

function admissionOf(inspection: Inspection, { results }: TypedContext, sizes: ResultSizes): Admission {
  const { usage, warning, transcript, unattributedTokens } = inspection;
  const config = normalizeProjection({ ...DEFAULT_PROJECTION, enabled: true });
  const gates = projectionGates(config, { provider: '', model: transcript.model ?? '', sessionId: transcript.sessionId ?? '' });
  const used = usage.usedTokens;
  const threshold = warning.autoCompactThresholdTokens;
  const known = { knownTotal: used, complete: true };
  const prefixes = prefixTokens(inspection);
  const positions = new Map(results.map(({ toolUseId, position }) => [toolUseId, position]));
  return {
    enabled: gates.enabled,
    shadow: config.shadow,
    pressure: threshold > 0 && isProjectionDue({ ...EMPTY_WINDOW_STATE, reportedInput: used, isProviderKnown: true }, known, threshold),
    benefitTrigger: gates.benefitTrigger,
    counter: sizes.counter,
    stablePrefixTokens: (position, id) => unattributedTokens + (prefixes[positions.get(id) ?? position] ?? 0),
    rawRequestTokens: usage.measurement === 'providerReported' ? used : undefined,
    previousCacheReadTokens: usage.cacheReadTokens,
    autoCompactThreshold: threshold,
    pricing: pricingOf(transcript.model, used),
    minTokenSavings: config.minTokenSavings,
    benefitMinTokenSavings: config.benefitMinTokenSavings,
    reuseHorizon: config.reuseHorizon,
    cacheRecoveryRequests: config.cacheRecoveryRequests,
    imminentCompactResetsCache: gates.imminentCompact,
    requireConsumedMutation: config.requireConsumedMutation,
    minNetSavingsUsd: config.minNetSavingsUsd,
    remainingTools: config.maxProjectedTools,
    remainingProjectedTokens: config.maxProjectedTokens,
    allowsTool: gates.allowsTool,
  };
}

function pricingOf(model: string | undefined, promptTokens: number): InputPricing | undefined {
  const list = priceListFor(model);
  const prices = list === undefined ? undefined : pricesAt(list, promptTokens);
  return prices === undefined ? undefined : { inputPerMtok: prices.input, cacheReadPerMtok: prices.cacheRead };
}

/** Tokens of the messages before each place of the context. */
function prefixTokens({ transcript, sizes }: Inspection): readonly number[] {
  let sum = 0;
  return transcript.context.map((index) => {
    const before = sum;
    sum += sizes.tokens[index] ?? 0;
    return before;
  });
}

interface ResultSizes {
  /** Counts a typed form as what the agent printed. */
  readonly counter: TokenCounter;
  readonly of: (result: TypedResult) => number;
}

function resultSizes({ sizes }: Inspection, results: readonly TypedResult[]): ResultSizes {
  const sizeOf = (content: Message['content']): number => sizes.sizeOf({ id: '', role: 'user', kind: 'message', content, line: 0 });
  const known = new Map<TypedResult, number>();
  const byText = new Map<string, number>();
  for (const result of results) {
    const tokens = sizeOf([result.original satisfies ToolResultBlock]);
    known.set(result, tokens);
    byText.set(result.text, tokens);
  }
  return {
    counter: { id: 'session', count: (text) => byText.get(text) ?? sizeOf([{ type: 'text', text }]) },
    of: (result) => known.get(result) ?? 0,
  };
}

interface Work {
  readonly transcript: Inspection['transcript'];
  readonly sizes: ResultSizes;
  readonly phase: Phase | undefined;
  readonly candidates: readonly Candidate[];
  readonly batch: readonly Candidate[];
  /** Place of the newest answer. */
  readonly lastAnswer: number;
  readonly admission: Admission;
}

function projected(result: TypedResult, age: number, work: Work): ProjectedResult {
  const { toolUseId, position, name, about } = result;
  const chosen = work.batch.find((one) => one.toolUseId === toolUseId);
  const tokensBefore = work.sizes.of(result);
  return {
    toolUseId,
    index: work.transcript.context[position] ?? 0,
    tool: name,
    about,
    tokensBefore,
    tokensAfter: chosen?.projected.tokens ?? tokensBefore,
    form: chosen === undefined ? 'whole' : chosen.isIndex ? 'index' : 'rewrite',
    keptBecause: chosen === undefined ? keptBecause(result, age, work) : undefined,
  };
}

function keptBecause(result: TypedResult, age: number, { phase, candidates, lastAnswer, admission }: Work): KeptReason {
  if (result.tool === undefined || !admission.allowsTool(result.tool)) return 'otherTool';
  if (result.hasFailed) return 'failed';
  if (result.hasMedia) return 'media';
  if (candidates.some(({ toolUseId }) => toolUseId === result.toolUseId)) return 'notNeeded';
  if (phase === undefined || result.position >= phase.end) return result.position < lastAnswer ? 'inUse' : 'notAnswered';
  if (age < MOST_KEPT) return 'newest';
  return candidates.length >= admission.remainingTools && (candidates.at(-1)?.messageIndex ?? 0) < result.position ? 'limit' : 'notShorter';
}

/** Of each tool at most so many of the newest results stay. */
const MOST_KEPT = 2;

/** For each result how many of the same tool are newer in the phase. */
function agesOf({ results }: TypedContext, { end }: Phase): readonly number[] {
  const newer = new Map<string | undefined, number>();
  return results
    .toReversed()
    .map(({ tool, position }) => {
      const age = newer.get(tool) ?? 0;
      if (position < end) newer.set(tool, age + 1);
      return age;
    })
    .reverse();
}
