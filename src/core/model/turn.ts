import { isToolResult, type Message } from './message';

/**
 * True for what a user really said: it starts a turn and closes the assistant's run before it. Tool results, summaries, boundaries and texts
 * that the agent's program adds in the user's name start none.
 */
export function isTurnStart(message: Message): boolean {
  return message.role === 'user' && message.kind === 'message' && !message.content.some(isToolResult);
}
