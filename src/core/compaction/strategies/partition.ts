import type { PartialDirection } from '../../model/boundary';
import { isText, type Message } from '../../model/message';
import type { CompactionKind, CompactionPlan, PlanRefusal } from '../plan';
import { tokensOfIndexes, type PlanInput } from '../planInput';
import { openCallPositions } from './openCalls';

/** A legal cut of the context into a summarized and a kept side. Positions count in `PlanInput.context`. */
export interface Partition {
  readonly outcome: 'partition';
  readonly kind: CompactionKind;
  readonly direction: PartialDirection | undefined;
  readonly summarized: readonly number[];
  readonly kept: readonly number[];
  readonly order: CompactionPlan['order'];
  readonly requestedCut: number;
  readonly cut: number;
}

interface Cut {
  readonly kind: CompactionKind;
  readonly direction: PartialDirection | undefined;
  /** Which side of the cut is summarized. */
  readonly summarizes: 'before' | 'after';
  readonly requestedCut: number;
  readonly cut: number;
  /** The messages of the context, which the cut was found in. */
  readonly messages: readonly Message[];
}

/**
 * Splits the context at a cut that is already safe for pairs and fragments; a chat's leading instructions are always kept. Refuses what must not be done: nothing on the summarized
 * or on the kept side (`notEnoughMessages`), nothing but earlier summaries to summarize (`nothingToDo`, R16), or a call among the
 * summarized messages that still waits for its result (`pendingToolCall`, R04).
 */
export function partitionAt(input: PlanInput, at: Cut): Partition | PlanRefusal {
  const instructions = leadingInstructions(input);
  const before = input.context.slice(instructions.length, at.cut);
  const after = input.context.slice(Math.max(at.cut, instructions.length));
  const summarized = at.summarizes === 'before' ? before : after;
  const rest = at.summarizes === 'before' ? after : before;
  if (summarized.length === 0) return refusal('notEnoughMessages', 'nothingToSummarize');
  if (rest.length === 0) return refusal('notEnoughMessages', 'nothingKept');
  const kept = [...instructions, ...rest];
  if (summarized.every((index) => input.messages[index]?.kind === 'summary')) return refusal('nothingToDo');
  const open = openCallPositions(at.messages);
  if (open.some((position) => (at.summarizes === 'before' ? position < at.cut : position >= at.cut))) return refusal('pendingToolCall');
  return {
    outcome: 'partition',
    kind: at.kind,
    direction: at.direction,
    summarized,
    kept,
    order: at.summarizes === 'before' ? 'summaryFirst' : 'keptFirst',
    requestedCut: at.requestedCut,
    cut: at.cut,
  };
}

/** Instructions that begin a chat are no part of what was said: they stay first, whatever is summarized. */
function leadingInstructions(input: PlanInput): readonly number[] {
  const end = input.context.findIndex((index) => {
    const message = input.messages[index];
    return message === undefined || !isInstruction(message);
  });
  return input.context.slice(0, end === -1 ? input.context.length : end);
}

/** A system message that is nothing but text: a call or result in it belongs to its pair. */
export function isInstruction(message: Message): boolean {
  return message.kind === 'message' && (message.role === 'system' || message.role === 'developer') && message.content.every(isText);
}

/** The plan that follows from a partition: the same cut, with the tokens of both sides. */
export function planOf(input: PlanInput, partition: Partition): CompactionPlan {
  const tokensKept = tokensOfIndexes(input, partition.kept);
  const tokensSummarized = tokensOfIndexes(input, partition.summarized);
  return {
    ...partition,
    outcome: 'plan',
    revision: input.revision,
    tokensBefore: tokensKept + tokensSummarized,
    tokensKept,
    tokensSummarized,
    unattributedTokens: input.unattributedTokens,
  };
}

/** A refusal as a value; the detail tells two reasons of one code apart. */
export function refusal(code: PlanRefusal['code'], detail?: string): PlanRefusal {
  return { outcome: 'refusal', code, ...(detail === undefined ? {} : { detail }) };
}
