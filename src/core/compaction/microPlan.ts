import { CLEARED_TEXT } from '../micro/compactableTools';
import { clearCandidates, withClearedResults, type ClearCandidate } from './clearCandidates';
import type { Pins, PlanRefusal } from './plan';
import { tokensOfIndexes, type PlanInput, type TokensOf } from './planInput';
import { refusal } from './strategies/partition';
import { pinnedIndexes } from './strategies/pins';

export interface MicroRequest extends Pins {
  /** Newest clearable results that stay; at least 1. */
  readonly keepResults: number;
  /** Calls whose results go, protected or not, chosen by a person; absent: all that nothing protects. */
  readonly toolUseIds?: readonly string[];
}

/** New content of a message's blocks: index of the block → text that stands there. */
export type ClearedBlocks = ReadonlyMap<number, string>;

/** A microcompaction that could be run: the context stays, the texts of some tool results go. No model has a part in it. */
export interface MicroPlan {
  readonly outcome: 'plan';
  readonly kind: 'micro';
  readonly revision: number;
  /** Indexes into `Transcript.messages` of the whole context. */
  readonly kept: readonly number[];
  readonly summarized: readonly [];
  readonly order: 'keptFirst';
  readonly cleared: readonly ClearCandidate[];
  /** Index into `Transcript.messages` → what is cleared in it. */
  readonly blocks: ReadonlyMap<number, ClearedBlocks>;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly unattributedTokens: number;
}

/** A choice of results while a person makes it: it may be too small to be written. */
export interface MicroChoice {
  readonly plan: MicroPlan;
  /** All results that hold text, oldest first. */
  readonly candidates: readonly ClearCandidate[];
  /** Index into `Transcript.messages` → tokens of the message with its results cleared. */
  readonly sizes: ReadonlyMap<number, number>;
  readonly freedTokens: number;
  /** Why it cannot be written; undefined when it can. */
  readonly problem: PlanRefusal | undefined;
}

/** Least that a copy is worth, as for a summary. */
const LEAST_FREED_TOKENS = 100;
/** Least number of clearable results that stay when a request names none (seed 2, MicrocompactConfig). */
export const DEFAULT_KEEP_RESULTS = 5;

/**
 * Plans to clear tool results by hand: the chosen ones, or all unprotected ones but the newest; never a pinned one. Pure and linear. Refuses with `unknownMessage`
 * a call that has no result in the context, with `nothingToDo` where nothing is left to clear, and with `notSmaller` below 100 tokens.
 */
export function planMicro(request: MicroRequest, input: PlanInput, tokensOf: TokensOf): MicroPlan | PlanRefusal {
  const choice = chooseResults(request, input, tokensOf);
  if ('outcome' in choice) return choice;
  const known = new Set(choice.candidates.flatMap(({ toolUseId, protection }) => (protection === 'pinned' ? [] : toolUseId)));
  if (request.toolUseIds?.some((id) => !known.has(id)) === true) return refusal('unknownMessage', 'noResult');
  return choice.problem ?? choice.plan;
}

/**
 * The same for a person who is still choosing: calls without a result and pinned ones count for nothing, and a choice that is too small comes
 * with its problem. Refuses with `unknownMessage` a pin that is not in the context. Pure and linear.
 */
export function chooseResults(request: MicroRequest, input: PlanInput, tokensOf: TokensOf): MicroChoice | PlanRefusal {
  const pinned = pinnedIndexes(input, request.pinned ?? []);
  if ('outcome' in pinned) return pinned;
  const candidates = candidatesOf(input, request.keepResults).map((candidate): ClearCandidate => {
    return pinned.has(candidate.messageIndex) ? { ...candidate, protection: 'pinned' } : candidate;
  });
  const wanted = request.toolUseIds === undefined ? undefined : new Set(request.toolUseIds);
  const cleared = candidates.filter(({ toolUseId, protection }) => {
    return wanted === undefined ? protection === undefined : protection !== 'pinned' && wanted.has(toolUseId);
  });
  const blocks = new Map<number, Map<number, string>>();
  for (const { messageIndex, blockIndex } of cleared) {
    const known = blocks.get(messageIndex);
    if (known === undefined) blocks.set(messageIndex, new Map([[blockIndex, CLEARED_TEXT]]));
    else known.set(blockIndex, CLEARED_TEXT);
  }
  const sizes = new Map<number, number>();
  let freedTokens = 0;
  for (const [index, texts] of blocks) {
    const message = input.messages[index];
    if (message === undefined) continue;
    const size = tokensOf(withClearedResults(message, texts));
    sizes.set(index, size);
    freedTokens += (input.tokens[index] ?? 0) - size;
  }
  const tokensBefore = tokensOfIndexes(input, input.context);
  const plan: MicroPlan = {
    outcome: 'plan',
    kind: 'micro',
    revision: input.revision,
    kept: input.context,
    summarized: [],
    order: 'keptFirst',
    cleared,
    blocks,
    tokensBefore,
    tokensAfter: tokensBefore - freedTokens,
    unattributedTokens: input.unattributedTokens,
  };
  return { plan, candidates, sizes, freedTokens, problem: problemOf(cleared.length, freedTokens) };
}

// An input never changes: while a person ticks, the results are looked at once.
const knownCandidates = new WeakMap<PlanInput, { readonly keep: number; readonly candidates: readonly ClearCandidate[] }>();

function candidatesOf(input: PlanInput, keep: number): readonly ClearCandidate[] {
  const known = knownCandidates.get(input);
  if (known?.keep === keep) return known.candidates;
  const candidates = clearCandidates(input, keep);
  knownCandidates.set(input, { keep, candidates });
  return candidates;
}

function problemOf(cleared: number, freedTokens: number): PlanRefusal | undefined {
  if (cleared === 0) return refusal('nothingToDo', 'noResults');
  return freedTokens < LEAST_FREED_TOKENS ? refusal('notSmaller', 'fewResults') : undefined;
}
