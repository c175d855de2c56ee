import type { Message } from '../model/message';
import { isTurnStart } from '../model/turn';

export { isTurnStart };

/** Indexes of the messages that start a turn, in order. */
export function turnStarts(messages: readonly Message[]): readonly number[] {
  const starts: number[] = [];
  messages.forEach((message, index) => {
    if (isTurnStart(message)) starts.push(index);
  });
  return starts;
}
