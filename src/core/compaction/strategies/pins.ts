import { isToolResult, isToolUse, type Message } from '../../model/message';
import type { PlanRefusal } from '../plan';
import { resolvePivot, type PlanInput } from '../planInput';
import { refusal, type Partition } from './partition';

/**
 * Keeps pinned messages word for word, each with all that belongs to it: a call with its results, all fragments of one response with theirs.
 * They stand in their old order among the kept messages. Refuses with `unknownMessage` an id that is not in the context, and a plan that
 * would have nothing left to summarize. Linear.
 */
export function withPins(input: PlanInput, partition: Partition, pinned: readonly string[]): Partition | PlanRefusal {
  const indexes = pinnedIndexes(input, pinned);
  if ('outcome' in indexes) return indexes;
  const summarized = partition.summarized.filter((index) => !indexes.has(index));
  if (summarized.length === partition.summarized.length) return partition;
  if (summarized.length === 0) return refusal('notEnoughMessages', 'allPinned');
  if (summarized.every((index) => input.messages[index]?.kind === 'summary')) return refusal('nothingToDo');
  const left = new Set(summarized);
  return { ...partition, summarized, kept: input.context.filter((index) => !left.has(index)) };
}

/** Indexes of the pinned messages and of what belongs to them. An id names a message as a pivot does, or one of its calls. */
export function pinnedIndexes(input: PlanInput, pinned: readonly string[]): ReadonlySet<number> | PlanRefusal {
  if (pinned.length === 0) return new Set();
  const groups = groupsOf(input);
  const wanted = new Set<number>();
  for (const id of pinned) {
    const pivot = resolvePivot(input, id);
    const position = pivot.outcome === 'pivot' ? pivot.position : callPosition(input, id);
    if (position === undefined) return pivot.outcome === 'refusal' ? pivot : refusal('unknownMessage');
    const index = input.context[position];
    if (index !== undefined) wanted.add(groups.get(index) ?? index);
  }
  return new Set(input.context.filter((index) => wanted.has(groups.get(index) ?? index)));
}

function callPosition(input: PlanInput, id: string): number | undefined {
  const position = input.context.findIndex(
    (index) => input.messages[index]?.content.some((block) => isToolUse(block) && block.id === id) === true,
  );
  return position < 0 ? undefined : position;
}

/** For each message of the context the first one of its group. */
function groupsOf(input: PlanInput): ReadonlyMap<number, number> {
  const parents = new Map<number, number>();
  const rootOf = (index: number): number => {
    let root = index;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    // Shortens the way for the next one that asks.
    for (let at = index; at !== root;) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  const join = (a: number, b: number): void => {
    const [x, y] = [rootOf(a), rootOf(b)];
    if (x !== y) parents.set(Math.max(x, y), Math.min(x, y));
  };
  const calls = new Map<string, number>();
  const responses = new Map<string, number>();
  for (const index of input.context) {
    const message = input.messages[index];
    if (message === undefined) continue;
    const response = responseOf(message);
    const first = response === undefined ? undefined : responses.get(response);
    if (first !== undefined) join(first, index);
    else if (response !== undefined) responses.set(response, index);
    for (const block of message.content) {
      if (isToolUse(block)) calls.set(block.id, index);
      else if (isToolResult(block)) {
        const call = calls.get(block.toolUseId);
        if (call !== undefined) join(call, index);
      }
    }
  }
  return new Map(input.context.map((index) => [index, rootOf(index)]));
}

function responseOf(message: Message): string | undefined {
  return message.role === 'assistant' && message.messageId !== undefined && message.messageId !== '' ? message.messageId : undefined;
}
