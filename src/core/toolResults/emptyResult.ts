import type { ToolResultBlock } from '../model/message';
import { withText } from '../model/resultBlocks';

/**
 * Gives a result without any text a short mark that names the tool, since some models take silence for a failure. A result with text, or with
 * anything that is no text, is passed on as it is; a blank name becomes `tool` (seed 2, NormalizeEmptyToolResult).
 */
export function normalizeEmptyResult(result: ToolResultBlock, toolName: string): ToolResultBlock {
  if (!isBlank(result)) return result;
  return withText(result, `(${toolName.trim() === '' ? 'tool' : toolName} finished without any output)`);
}

function isBlank({ content }: ToolResultBlock): boolean {
  if (typeof content === 'string') return content.trim() === '';
  return content.every((block) => block.type === 'text' && block.text.trim() === '');
}
