import { carriesResults, isToolResult, toolResultText, type Message, type ToolResultBlock } from '../model/message';
import { cutToBytes } from '../util/text';
import { PREVIEW_BYTES } from './preview';
import { mapResults, withText } from '../model/resultBlocks';

/** UTF-16 units that all tool results of one provider message may have together. */
export const MAX_RESULT_CHARS_PER_MESSAGE = 200_000;

/** Results up to this length stay whole: their preview would not be shorter. */
const LEAST_WORTH_CUTTING = PREVIEW_BYTES;

/**
 * Holds the results of each message under the limit for a summarizer's input: the largest first (of equal ones the first), each becomes a
 * preview of 2,000 bytes with its true length. Every message by itself and without memory; the stored messages are not touched (seed 2,
 * EnforcePerMessageBudget; see applyToolResultBudget for what an agent sends).
 */
export function enforceMessageBudget(messages: readonly Message[]): readonly Message[] {
  const shortened = new Map<ToolResultBlock, ToolResultBlock>();
  for (const message of messages) {
    if (carriesResults(message)) shortenLargest(message.content.filter(isToolResult), shortened);
  }
  return shortened.size === 0 ? messages : mapResults(messages, (result) => shortened.get(result) ?? result);
}

/** What stands after a preview; the true length is in UTF-16 units (P64). */
export function previewNote(trueLength: number): string {
  return `\n\n[only the beginning is kept here; all: ${trueLength} characters]`;
}

function shortenLargest(results: readonly ToolResultBlock[], shortened: Map<ToolResultBlock, ToolResultBlock>): void {
  const sized = results.map((result) => ({ result, text: toolResultText(result) }));
  let excess = sized.reduce((sum, { text }) => sum + text.length, 0) - MAX_RESULT_CHARS_PER_MESSAGE;
  for (const { result, text } of sized.sort((a, b) => b.text.length - a.text.length)) {
    if (excess <= 0 || text.length <= LEAST_WORTH_CUTTING) return;
    const short = `${cutToBytes(text, PREVIEW_BYTES)}${previewNote(text.length)}`;
    if (short.length >= text.length) continue;
    shortened.set(result, withText(result, short));
    excess -= text.length - short.length;
  }
}
