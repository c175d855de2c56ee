// The cuts of the strategies, on the messages of a running session themselves.
import { safePartialHeadEnd, safeTailStart } from '../cut/pairing';
import type { PartialDirection } from '../model/boundary';
import type { Message } from '../model/message';
import type { CompactionPlan, PlanRefusal } from './plan';
import type { PlanInput } from './planInput';
import { DEFAULT_KEEP_MESSAGES } from './strategies/full';
import { isInstruction, partitionAt, refusal } from './strategies/partition';

export interface MessageCut {
  readonly outcome: 'cut';
  readonly direction: PartialDirection | undefined;
  readonly order: CompactionPlan['order'];
  readonly summarized: readonly Message[];
  readonly kept: readonly Message[];
  /** Index of the first kept message among those that were cut. */
  readonly startIndex: number;
  /** The message before the cut. */
  readonly anchor: Message | undefined;
}

/**
 * Cuts off all but the newest `keep` messages: 0 means 10, below 0 keeps all. Reminders of an earlier compaction are made anew by the next one:
 * they do not count and are not summarized, so that a second compaction without new content finds nothing to do (P32).
 */
export function cutMessages(given: readonly Message[], keep: number, isReminder: (message: Message) => boolean): MessageCut | PlanRefusal {
  const messages = instructionsFirst(given);
  const wanted = keep === 0 ? DEFAULT_KEEP_MESSAGES : keep;
  const counted = messages.flatMap((message, position) => (isReminder(message) ? [] : [position]));
  const requestedCut = counted[counted.length - wanted];
  if (wanted < 0 || counted.length <= wanted || requestedCut === undefined) return refusal('notEnoughMessages', 'allKept');
  const cut = safeTailStart(messages, requestedCut);
  const partition = partitionAt(inputOf(messages), {
    kind: 'full',
    direction: undefined,
    summarizes: 'before',
    requestedCut,
    cut,
    messages,
  });
  if (partition.outcome === 'refusal') return partition;
  const summarized = pick(messages, partition.summarized).filter((message) => !isReminder(message));
  if (summarized.every(({ kind }) => kind === 'summary')) return refusal('nothingToDo');
  return {
    outcome: 'cut',
    direction: undefined,
    order: partition.order,
    summarized,
    kept: pick(messages, partition.kept),
    startIndex: cut,
    anchor: messages[cut - 1],
  };
}

/** Cuts at a position that a person chose; `from` summarizes what begins there, `upTo` what stands before it (seed 2, PartialCompactConversation). */
export function cutMessagesAt(given: readonly Message[], position: number, direction: PartialDirection): MessageCut | PlanRefusal {
  const messages = instructionsFirst(given);
  const isFrom = direction === 'from';
  const cut = isFrom ? safePartialHeadEnd(messages, position) : safeTailStart(messages, position);
  const partition = partitionAt(inputOf(messages), {
    kind: isFrom ? 'partialFrom' : 'partialUpTo',
    direction,
    summarizes: isFrom ? 'after' : 'before',
    requestedCut: position,
    cut,
    messages,
  });
  if (partition.outcome === 'refusal') return partition;
  return {
    outcome: 'cut',
    direction,
    order: partition.order,
    summarized: pick(messages, partition.summarized),
    kept: pick(messages, partition.kept),
    startIndex: isFrom ? 0 : cut,
    anchor: messages[cut - 1],
  };
}

/** An earlier compaction has put its summary before the instructions that begin a chat; they begin it all the same. */
function instructionsFirst(messages: readonly Message[]): readonly Message[] {
  const end = messages.findIndex((message) => message.kind !== 'summary' && !isInstruction(message));
  const head = end < 0 ? messages : messages.slice(0, end);
  const instructions = head.filter(isInstruction);
  return [...instructions, ...head.filter((message) => !isInstruction(message)), ...messages.slice(head.length)];
}

function pick(messages: readonly Message[], positions: readonly number[]): readonly Message[] {
  return positions.flatMap((position) => messages[position] ?? []);
}

/** A cut needs no sizes. */
function inputOf(messages: readonly Message[]): PlanInput {
  return { messages, context: messages.map((_, index) => index), tokens: [], unattributedTokens: 0, revision: 0 };
}
