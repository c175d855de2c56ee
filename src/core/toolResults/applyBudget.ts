// The budget of an agent's requests: all results of one provider message together, with decisions that are made once and kept.
import type { Message } from '../model/message';
import { candidateGroups, type Candidate } from './candidates';
import { MAX_RESULT_CHARS_PER_MESSAGE } from './messageBudget';
import { PREVIEW_BYTES } from './preview';
import { withDecisions, type ReplacementRecord, type ReplacementState } from './replacementState';
import { mapResults, withText } from '../model/resultBlocks';

/** Saves the whole text of a result and gives the exact text that stands for it. */
export interface ReplacementStore {
  saveReplacement(toolUseId: string, text: string): Promise<string>;
}

export interface BudgetOptions {
  /** Results of these tools are neither counted nor replaced. */
  readonly skipToolNames?: ReadonlySet<string>;
  /** UTF-16 units per group; 200,000 when absent. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface BudgetFailure {
  readonly toolUseId: string;
  readonly error: unknown;
}

export interface BudgetOutcome {
  /** The view for the provider; messages in which nothing is replaced keep their identity. */
  readonly messages: readonly Message[];
  /** Decisions made now, to be kept with the conversation. */
  readonly records: readonly ReplacementRecord[];
  readonly state: ReplacementState;
  readonly failures: readonly BudgetFailure[];
}

/** Results up to this length stay whole: what would stand for them is not shorter. */
const LEAST_WORTH_REPLACING = PREVIEW_BYTES;

/**
 * Replaces the largest new results of every group whose texts exceed the limit, saving each in the store first, and puts earlier replacements
 * back as they were. A result that cannot be saved stays whole, now and later, and is reported; without a store nothing new is replaced. Rejects
 * only when aborted (seed 2, ApplyToolResultBudget; R48, R50).
 */
export async function applyToolResultBudget(
  messages: readonly Message[],
  state: ReplacementState,
  store: ReplacementStore | undefined,
  options: BudgetOptions = {},
): Promise<BudgetOutcome> {
  const records: ReplacementRecord[] = [];
  const failures: BudgetFailure[] = [];
  const groups = candidateGroups(messages, options.skipToolNames);
  for (const group of groups) {
    let total = 0;
    for (const candidate of group) total += countedLength(candidate, state);
    const limit = options.limit ?? MAX_RESULT_CHARS_PER_MESSAGE;
    if (store === undefined) continue;
    for (const { toolUseId, text } of largestFirst(group, state)) {
      if (total <= limit) break;
      options.signal?.throwIfAborted();
      // A failed save counts as done, so that one full disk does not send every smaller result after the largest.
      total -= text.length;
      try {
        const replacement = await store.saveReplacement(toolUseId, text);
        const isShorter = replacement.length < text.length;
        total += isShorter ? replacement.length : text.length;
        if (isShorter) records.push({ kind: 'tool-result', toolUseId, replacement });
      } catch (error) {
        failures.push({ toolUseId, error });
      }
    }
  }
  const candidates = groups.flat();
  const next = withDecisions(
    state,
    candidates.map(({ toolUseId }) => toolUseId),
    records,
  );
  return { messages: replaced(messages, candidates, next), records, state: next, failures };
}

/** Every result with a decision shows its text, and only the one that the decision was about. */
function replaced(messages: readonly Message[], candidates: readonly Candidate[], { replacements }: ReplacementState): readonly Message[] {
  const texts = new Map<string, string>();
  for (const { toolUseId, messageIndex, blockIndex, isRepeated } of candidates) {
    const text = isRepeated ? undefined : replacements.get(toolUseId);
    if (text !== undefined) texts.set(`${messageIndex}:${blockIndex}`, text);
  }
  if (texts.size === 0) return messages;
  return mapResults(messages, (result, messageIndex, blockIndex) => {
    const text = texts.get(`${messageIndex}:${blockIndex}`);
    return text === undefined ? result : withText(result, text);
  });
}

function countedLength(candidate: Candidate, { replacements }: ReplacementState): number {
  const replacement = candidate.isRepeated ? undefined : replacements.get(candidate.toolUseId);
  if (replacement !== undefined) return replacement.length;
  return candidate.isExempt ? 0 : candidate.text.length;
}

/** What may still be decided, largest first; of equal ones the first, since sorting is stable. */
function largestFirst(group: readonly Candidate[], { seen }: ReplacementState): readonly Candidate[] {
  return group
    .filter(({ toolUseId, text, isRepeated, isExempt }) => {
      return !isRepeated && !isExempt && !seen.has(toolUseId) && text.length > LEAST_WORTH_REPLACING;
    })
    .sort((a, b) => b.text.length - a.text.length);
}
