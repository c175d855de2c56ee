import type { Message } from './message';

/**
 * The names under which each id of a tool use was called, over all messages. A damaged or forged transcript may name one id twice; who clears
 * or spares results by name has to look at all of them.
 */
export function toolNamesById(messages: readonly Message[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const message of messages) {
    for (const block of message.content) {
      if (block.type !== 'toolUse') continue;
      const known = names.get(block.id);
      if (known === undefined) names.set(block.id, [block.name]);
      else if (!known.includes(block.name)) known.push(block.name);
    }
  }
  return names;
}
