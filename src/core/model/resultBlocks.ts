import { carriesResults, isMedia, type Message, type ToolResultBlock } from './message';

/** Maps the tool results of a conversation; messages in which nothing changes keep their identity. */
export function mapResults(
  messages: readonly Message[],
  map: (result: ToolResultBlock, messageIndex: number, blockIndex: number) => ToolResultBlock,
): readonly Message[] {
  return messages.map((message, messageIndex) => {
    if (!carriesResults(message)) return message;
    const content = message.content.map((block, blockIndex) =>
      block.type === 'toolResult' ? map(block, messageIndex, blockIndex) : block,
    );
    return content.some((block, blockIndex) => block !== message.content[blockIndex]) ? { ...message, content } : message;
  });
}

/** The result with a text in the place of all it held; what is known about it besides stays. */
export function withText(result: ToolResultBlock, text: string): ToolResultBlock {
  const changed: { -readonly [Key in keyof ToolResultBlock]: ToolResultBlock[Key] } = { ...result, content: text };
  delete changed.plainText;
  return changed;
}

/** True when a result holds a picture or document, whose worth is not in its text. */
export function holdsMedia({ content }: ToolResultBlock): boolean {
  return typeof content !== 'string' && content.some(isMedia);
}
