import type { ContentBlock, Message } from '../model/message';
import { visitBlock } from '../tokens/blockText';
import { isRecord } from '../util/json';

/**
 * All texts of messages but thinking, message by message, since those of a large session are read from its file. Arguments of calls come as the
 * strings in them, without the escapes of JSON.
 */
export function* messageTexts(messages: readonly Message[]): Generator<string> {
  for (const { content } of messages) for (const block of content) yield* blockTexts(block);
}

function blockTexts(block: ContentBlock): readonly string[] {
  if (block.type === 'thinking') return [];
  if (block.type === 'toolUse') {
    const strings = stringsIn(block.input);
    return [block.name, ...(strings.length === 0 && block.rawInput !== undefined ? [block.rawInput] : strings)];
  }
  const texts: string[] = [];
  visitBlock(block, (text) => texts.push(text), ignoreMedia);
  return texts;
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isRecord(value) ? Object.values(value).flatMap(stringsIn) : [];
}

function ignoreMedia(): void {
  // A picture states nothing that could be compared.
}
