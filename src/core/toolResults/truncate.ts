import { toolResultText, type Message } from '../model/message';
import { cutToUnits } from '../util/text';
import { holdsMedia, mapResults, withText } from '../model/resultBlocks';

/** UTF-16 units that one tool result may have in a request. */
export const MAX_RESULT_CHARS = 15_000;

/**
 * Shortens every tool result that is longer than the limit to its beginning and a note with the true length. Results with media stay as they
 * are; so do messages without a long result, down to their identity. Pure and without memory (seed 2, ToolResultBudget).
 */
export function truncateToolResults(messages: readonly Message[], maxCharsPerResult: number = MAX_RESULT_CHARS): readonly Message[] {
  return mapResults(messages, (result) => {
    const text = toolResultText(result);
    if (text.length <= maxCharsPerResult || holdsMedia(result)) return result;
    return withText(result, `${cutToUnits(text, maxCharsPerResult)}${cutNote(text.length)}`);
  });
}

/** What stands after a result that was cut; the true length is in UTF-16 units (P64). */
export function cutNote(trueLength: number): string {
  return `\n\n[cut; length was ${trueLength} characters]`;
}
