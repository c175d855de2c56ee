import { textOf, type Message } from '../../model/message';
import { isSameValue } from '../sameMessage';

/** A message of a new history; `isNew` for the summary that the compaction has made, even where it says what the one before said. */
export interface HistoryItem {
  readonly message: Message;
  readonly isNew: boolean;
}

/**
 * Finds what a new history kept of the old context: for each item the place of an equal message, or undefined. Searched from the end, so that
 * of equal messages the newest are the ones that stayed. Texts that stay in the file are read of messages alone that are built as one of the
 * history is.
 */
export function matchKept(
  messages: readonly Message[],
  context: readonly number[],
  history: readonly HistoryItem[],
): readonly (number | undefined)[] {
  const wanted = new Set(history.map(({ message }) => outlineKey(message)));
  const places = new Map<string, number[]>();
  for (const at of context) {
    const message = messages[at];
    const outline = outlineKey(message);
    if (!wanted.has(outline)) continue;
    const key = matchKey(outline, message);
    const list = places.get(key);
    if (list === undefined) places.set(key, [at]);
    else list.push(at);
  }
  return history
    .toReversed()
    .map(({ message, isNew }) => {
      const candidates = isNew ? undefined : places.get(matchKey(outlineKey(message), message));
      const last = candidates?.at(-1);
      if (last === undefined || !isSameValue(messages[last]?.content, message.content)) return undefined;
      candidates?.pop();
      return last;
    })
    .reverse();
}

/** Author and types of blocks, which are never left in the file. */
function outlineKey(message: Message | undefined): string {
  return message === undefined ? '' : `${message.role} ${message.content.map((block) => block.type).join()}`;
}

/** Cheap to make and nearly unique; the contents are compared where two keys agree. */
function matchKey(outline: string, message: Message | undefined): string {
  const text = message === undefined ? '' : textOf(message);
  return `${outline} ${text.length} ${text.slice(0, 200)}`;
}
