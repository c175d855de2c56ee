import { isToolResult, isToolUse, type Message } from '../model/message';

/**
 * True when a list has the form of an Anthropic request (seed 2, 2.5): roles user, assistant and developer (which counts as user) only, calls
 * only in assistant messages, results only in user messages, every id non-empty. An id may come back after its call was answered; it may
 * not be open twice or answered twice.
 */
export function isRequestLayout(messages: readonly Message[]): boolean {
  const isAnswered = new Map<string, boolean>();
  const answeredWithoutCall = new Set<string>();
  return messages.every((message) => {
    if (message.role !== 'user' && message.role !== 'assistant' && message.role !== 'developer') return false;
    const isAssistant = message.role === 'assistant';
    return message.content.every((block) => {
      if (isToolUse(block)) {
        if (!isAssistant || block.id === '' || isAnswered.get(block.id) === false) return false;
        isAnswered.set(block.id, false);
      } else if (isToolResult(block)) {
        if (block.toolUseId === '' || (block.server === true) !== isAssistant) return false;
        const before = isAnswered.get(block.toolUseId);
        if (before === true || answeredWithoutCall.has(block.toolUseId)) return false;
        if (before === undefined) answeredWithoutCall.add(block.toolUseId);
        else isAnswered.set(block.toolUseId, true);
      }
      return true;
    });
  });
}
