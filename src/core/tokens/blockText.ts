import { isMedia, type ContentBlock, type ThinkingBlock, type ToolUseBlock } from '../model/message';
import { StoredBlock } from '../model/storedBlock';

/** Arguments of a tool call as text: what the provider wrote, else the JSON of the value; '' when there are none. */
export function argumentsText(block: ToolUseBlock): string {
  if (block.rawInput !== undefined) return block.rawInput;
  return block.input === undefined ? '' : JSON.stringify(block.input);
}

/** True for a thinking block whose text is not stored by the agent. A text that stays in its file is there, and is not read for this. */
export function isHiddenThinking(block: ThinkingBlock): boolean {
  return !StoredBlock.isStored(block, 'text') && block.text === '';
}

/** Gives every piece of text that a block adds to a prompt, and counts its pictures and documents, at any depth (R29). */
export function visitBlock(block: ContentBlock, onText: (text: string) => void, onMedia: () => void): void {
  if (isMedia(block)) onMedia();
  else if (block.type === 'toolUse') {
    onText(block.name);
    onText(argumentsText(block));
  } else if (block.type === 'toolReference') onText(block.name);
  else if (block.type === 'unknown') onText(block.raw);
  else if (block.type !== 'toolResult') onText(block.text);
  else if (typeof block.content === 'string') onText(block.content);
  else for (const part of block.content) visitBlock(part, onText, onMedia);
}
