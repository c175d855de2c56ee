// What a model sees of a session, as a text for people to read and compare: words, calls and results, without the file's own form.
import { toolResultText, type ContentBlock, type Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import { cutToUnits } from '../util/text';

/** Longest part of one block, and of the whole text, in UTF-16 units. */
const BLOCK_UNITS = 8_000;
const TEXT_UNITS = 4_000_000;

/**
 * The messages of the context, each under a line with its role, so that equal messages are equal texts whatever file they stand in. Very long
 * blocks are cut, and of a very long context the oldest messages are left out; both is said where it is done. Linear.
 */
export function contextText({ messages, context }: Pick<Transcript, 'messages' | 'context'>): string {
  const parts: string[] = [];
  let units = 0;
  let at = context.length - 1;
  for (; at >= 0 && units < TEXT_UNITS; at--) {
    const message = messages[context[at] ?? -1];
    if (message === undefined || message.kind === 'boundary') continue;
    const part = messageText(message);
    parts.push(part);
    units += part.length;
  }
  if (at >= 0) parts.push(`(${at + 1} older messages are left out here)\n`);
  return parts.reverse().join('\n');
}

function messageText(message: Message): string {
  const name = message.kind === 'message' ? message.role : message.kind;
  const blocks = message.content.map(blockText).filter((text) => text !== '');
  return `──── ${name} ────\n${blocks.join('\n')}\n`;
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return cut(block.text);
    case 'thinking':
      return block.text === '' ? '' : cut(`[thinking] ${block.text}`);
    case 'toolUse':
      return cut(`[${block.name}] ${block.rawInput ?? JSON.stringify(block.input ?? null)}`);
    case 'toolResult':
      return cut(`[result] ${toolResultText(block)}`);
    case 'toolReference':
      return `[tool ${block.name}]`;
    case 'unknown':
      return `[${block.originalType}]`;
    case 'image':
    case 'document':
      return `[${block.type}]`;
  }
}

function cut(text: string): string {
  if (text.length <= BLOCK_UNITS) return text;
  return `${cutToUnits(text, BLOCK_UNITS)}\n(${text.length - BLOCK_UNITS} more characters are left out here)`;
}
