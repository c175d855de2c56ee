import { CLEARED_TEXT } from '../micro/compactableTools';
import { isToolResult, toolResultText, type Message, type ToolResultBlock } from '../model/message';
import { StoredBlock } from '../model/storedBlock';
import type { Transcript } from '../model/transcript';
import type { BoundaryContexts } from './boundaryReportContexts';

/**
 * Rows behind a boundary whose tool results hold less than before it: a mark in the place of the text, or a shorter text for the same call. What
 * they held stands before the boundary still, where the file has it.
 */
export function rewrittenResults({ messages }: Transcript, { left, kept, added }: BoundaryContexts): readonly number[] {
  const lengths = new Map<string, number>();
  for (const index of left) for (const block of resultsOf(messages[index])) lengths.set(block.toolUseId, lengthOf(block));
  return [...kept, ...added]
    .filter((index) =>
      resultsOf(messages[index]).some((block) => isCleared(block) || lengthOf(block) < (lengths.get(block.toolUseId) ?? 0)),
    )
    .sort((a, b) => a - b);
}

function resultsOf(message: Message | undefined): readonly ToolResultBlock[] {
  return message?.content.filter(isToolResult) ?? [];
}

function isCleared(block: ToolResultBlock): boolean {
  return StoredBlock.sizeOf(block) === undefined && block.content === CLEARED_TEXT;
}

function lengthOf(block: ToolResultBlock): number {
  return StoredBlock.sizeOf(block)?.bytes ?? toolResultText(block).length;
}
