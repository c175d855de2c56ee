// Reads the messages of seed 2's vectors: the neutral form, and free-text calls whose text may be missing.
import type { ContentBlock, Message } from '../../src/core/model/message';
import { arrayOf, isRecord, stringOf } from '../../src/core/util/json';
import { neutralMessage } from './neutral';

/** Translates the messages of a vector. */
export function seed2Messages(list: readonly unknown[]): readonly Message[] {
  return list.map((value, index) => {
    const message = neutralMessage(value, index);
    const raw = isRecord(value) ? (arrayOf(value, 'content') ?? []) : [];
    return { ...message, content: message.content.map((block, at) => withFreeText(block, raw[at])) };
  });
}

/** A custom tool takes text in the place of JSON; '' when the vector lacks it. */
function withFreeText(block: ContentBlock, raw: unknown): ContentBlock {
  if (block.type !== 'toolUse' || !isRecord(raw) || stringOf(raw, 'tool_type') !== 'custom') return block;
  return { ...block, rawInput: stringOf(raw, 'raw_input') ?? '' };
}
