import { isToolResult, textOf, type ContentBlock, type Message } from '../model/message';
import { cutToBytes } from '../util/text';

const IDENTIFIER_BYTES = 80;

/** Names a message for people and logs: role and the first 80 bytes of its text, or its number of blocks when it has none (seed 2). */
export function identifierOf(message: Message): string {
  const text = textOf(message).trim();
  return `${message.role}:${text === '' ? `${message.content.length}-blocks` : cutToBytes(text, IDENTIFIER_BYTES)}`;
}

/** Names of the tools that were called or found, sorted, each once (seed 2, boundary metadata). */
export function discoveredTools(messages: readonly Message[]): readonly string[] {
  const names = new Set<string>();
  const visit = (block: ContentBlock): void => {
    if (block.type === 'toolUse' || block.type === 'toolReference') names.add(block.name);
    else if (isToolResult(block) && typeof block.content !== 'string') block.content.forEach(visit);
  };
  for (const message of messages) message.content.forEach(visit);
  return [...names].filter((name) => name !== '').sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
