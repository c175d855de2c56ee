import { isToolResult, isToolUse, type Message } from '../../model/message';

/**
 * Positions of the messages whose tool calls still wait for a result: those of the latest response alone. A call that an earlier response
 * left unanswered was interrupted and waits for nothing (R04). Linear.
 */
export function openCallPositions(messages: readonly Message[]): readonly number[] {
  const response = latestResponse(messages);
  const first = response[0];
  if (first === undefined) return [];
  const answered = new Set<string>();
  for (const message of messages.slice(first)) {
    for (const block of message.content) if (isToolResult(block)) answered.add(block.toolUseId);
  }
  return response.filter((position) => messages[position]?.content.some((block) => isToolUse(block) && !answered.has(block.id)));
}

/**
 * Positions of the messages that make up the latest response, oldest first: all fragments with its message id, or, where the format knows
 * no such id, the unbroken run of assistant messages at the end (Codex stores each parallel call as an item of its own).
 */
function latestResponse(messages: readonly Message[]): readonly number[] {
  const last = messages.findLastIndex(isResponse);
  const messageId = idOf(messages[last]);
  if (last < 0) return [];
  if (messageId !== '') {
    const positions: number[] = [];
    messages.forEach((message, position) => {
      if (message.messageId === messageId && isResponse(message)) positions.push(position);
    });
    return positions;
  }
  let first = last;
  while (first > 0 && isUnnamedResponse(messages[first - 1])) first -= 1;
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}

function isResponse(message: Message): boolean {
  return message.role === 'assistant' && message.kind === 'message';
}

function isUnnamedResponse(message: Message | undefined): boolean {
  return message !== undefined && isResponse(message) && idOf(message) === '';
}

function idOf(message: Message | undefined): string {
  return message?.messageId ?? '';
}
