import { textOf, type Message } from '../../model/message';
import { isSameValue } from '../sameMessage';

/** A message of a new history; `isNew` for the summary that the compaction has made, even where it says what the one before said. */
export interface HistoryItem {
  readonly message: Message;
  readonly isNew: boolean;
}

/**
 * Finds what a new history kept of the old context: for each item the place of an equal message, or undefined. Searched from the end, so that
 * of equal messages the newest are the ones that stayed.
 */
export function matchKept(
  messages: readonly Message[],
  context: readonly number[],
  history: readonly HistoryItem[],
): readonly (number | undefined)[] {
  const places = new Map<string, number[]>();
  for (const at of context) {
    const key = matchKey(messages[at]);
    const list = places.get(key);
    if (list === undefined) places.set(key, [at]);
    else list.push(at);
  }
  return history
    .toReversed()
    .map(({ message, isNew }) => {
      const candidates = isNew ? undefined : places.get(matchKey(message));
      const last = candidates?.at(-1);
      if (last === undefined || !isSameValue(messages[last]?.content, message.content)) return undefined;
      candidates?.pop();
      return last;
    })
    .reverse();
}

/** Cheap to make and nearly unique; the contents are compared where two keys agree. */
function matchKey(message: Message | undefined): string {
  if (message === undefined) return '';
  const text = textOf(message);
  return `${message.role} ${message.content.map((block) => block.type).join()} ${text.length} ${text.slice(0, 200)}`;
}
