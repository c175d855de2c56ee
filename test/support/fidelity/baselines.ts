// What one gets without any summary, at the same size: the newest messages, or both ends.
import type { ContentBlock, Message } from '../../../src/core/model/message';

type SizeOf = (message: Message) => number;

/** As many of the newest messages as fit into so many tokens. */
export function keepLast(messages: readonly Message[], tokens: number, sizeOf: SizeOf): readonly Message[] {
  let left = tokens;
  let from = messages.length;
  while (from > 0) {
    const message = messages[from - 1];
    if (message === undefined || sizeOf(message) > left) break;
    left -= sizeOf(message);
    from--;
  }
  const cut = messages[from - 1];
  return [...(cut === undefined ? [] : textPart(cut, left, 'tail', sizeOf)), ...messages.slice(from)];
}

/** Half of the tokens from the beginning, half from the end; the messages at the cut give a part of their text. */
export function headAndTail(messages: readonly Message[], tokens: number, sizeOf: SizeOf): readonly Message[] {
  const half = tokens / 2;
  let left = half;
  let to = 0;
  for (; to < messages.length; to++) {
    const message = messages[to];
    if (message === undefined || sizeOf(message) > left) break;
    left -= sizeOf(message);
  }
  const cut = messages[to];
  const head = [...messages.slice(0, to), ...(cut === undefined ? [] : textPart(cut, left, 'head', sizeOf))];
  return [...head, ...keepLast(messages.slice(to), half, sizeOf)];
}

/** The part of a message's text that so many tokens hold; calls are whole or not there. */
function textPart(message: Message, tokens: number, end: 'head' | 'tail', sizeOf: SizeOf): readonly Message[] {
  const all = sizeOf(message);
  if (all <= 0 || tokens < 10) return [];
  const share = tokens / all;
  const content = message.content.flatMap((block): ContentBlock[] => {
    const text =
      block.type === 'text' ? block.text : block.type === 'toolResult' && typeof block.content === 'string' ? block.content : undefined;
    if (text === undefined) return [];
    const length = Math.floor(text.length * share);
    return [{ type: 'text', text: end === 'head' ? text.slice(0, length) : text.slice(text.length - length) }];
  });
  return [{ ...message, content }];
}
