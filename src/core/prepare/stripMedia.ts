import type { ContentBlock, Message } from '../model/message';

/**
 * Puts the text `[image]` or `[document]` in the place of each media block, also inside tool results. `of: 'user'` leaves the assistant's
 * own media alone (seed 2, StripImagesFromMessages). Messages without media are passed on as they are; nothing is changed in place.
 */
export function stripMedia(messages: readonly Message[], of: 'everyone' | 'user' = 'everyone'): readonly Message[] {
  return messages.map((message) => {
    if (of === 'user' && message.role === 'assistant') return message;
    return hasMedia(message.content) ? { ...message, content: withMarkers(message.content) } : message;
  });
}

function hasMedia(blocks: readonly ContentBlock[]): boolean {
  return blocks.some((block) => {
    if (block.type === 'toolResult') return typeof block.content !== 'string' && hasMedia(block.content);
    return block.type === 'image' || block.type === 'document';
  });
}

function withMarkers(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  return blocks.map((block): ContentBlock => {
    if (block.type === 'image' || block.type === 'document') return { type: 'text', text: `[${block.type}]` };
    if (block.type !== 'toolResult' || typeof block.content === 'string') return block;
    return { ...block, content: withMarkers(block.content) };
  });
}
