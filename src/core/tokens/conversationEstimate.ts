import { isMedia, isToolResult, isToolUse, toolResultText, type ContentBlock, type Message, type ToolUseBlock } from '../model/message';
import type { TokenCounter } from '../ports/tokenCounter';
import type { OverheadEstimate, OverheadKind, RequestOverhead, TokenEstimate } from './estimateTypes';
import { MESSAGE_OVERHEAD } from './messageTokens';
import { providerJson } from './providerJson';

/**
 * Estimates a conversation part by part (seed 2 EstimateMessagesDetailed). Overheads that the caller does not know make it incomplete: its
 * total is then a lower bound. Without a counter nothing is known but that.
 */
export function estimateConversation(
  messages: readonly Message[],
  counter: TokenCounter | undefined,
  overhead: RequestOverhead = {},
): TokenEstimate {
  if (counter === undefined) {
    return {
      messageContent: 0,
      toolPayload: 0,
      overheads: [],
      knownTotal: 0,
      complete: false,
      unknown: ['systemPrompt', 'toolSchema', 'protocol'],
    };
  }
  const sums = { messageContent: 0, toolPayload: 0, protocol: 0, media: 0, hasUnknownPayload: false };
  for (const message of messages) {
    sums.protocol += MESSAGE_OVERHEAD.message;
    for (const block of message.content) {
      sums.protocol += MESSAGE_OVERHEAD.block;
      sums.media += mediaBlocks(block);
      addBlock(block, counter, sums);
    }
  }
  const overheads: OverheadEstimate[] = [
    told('systemPrompt', overhead.systemPrompt),
    told('toolSchema', overhead.toolSchema),
    { kind: 'protocol', basis: 'estimated', tokens: sums.protocol },
    ...(sums.hasUnknownPayload ? [told('toolPayload', undefined)] : []),
    ...(sums.media > 0 || overhead.media !== undefined ? [told('media', overhead.media)] : []),
  ];
  const unknown = overheads.filter(({ basis }) => basis === 'unknown').map(({ kind }) => kind);
  const { messageContent, toolPayload } = sums;
  const knownTotal = overheads.reduce((sum, { tokens }) => sum + tokens, messageContent + toolPayload);
  return { messageContent, toolPayload, overheads, knownTotal, complete: unknown.length === 0, unknown };
}

/** Number of pictures and documents of messages, those in tool results included. */
export function countMediaBlocks(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => message.content.reduce((inner, block) => inner + mediaBlocks(block), sum), 0);
}

interface Sums {
  messageContent: number;
  toolPayload: number;
  hasUnknownPayload: boolean;
}

function addBlock(block: ContentBlock, counter: TokenCounter, sums: Sums): void {
  if (isToolUse(block)) {
    sums.toolPayload += counter.count(block.name);
    if (lacksRawInput(block)) sums.hasUnknownPayload = true;
    else sums.toolPayload += counter.count(block.rawInput ?? providerJson(block.input));
  } else if (isToolResult(block)) sums.toolPayload += counter.count(toolResultText(block));
  else if (block.type === 'toolReference') sums.toolPayload += counter.count(block.name);
  else if (block.type === 'unknown') sums.messageContent += counter.count(block.raw);
  else if (!isMedia(block)) sums.messageContent += counter.count(block.text);
}

/** A call whose arguments are free text that was not stored, although there were arguments. */
function lacksRawInput(block: ToolUseBlock): boolean {
  return block.rawInput === '' && typeof block.input === 'object' && block.input !== null && Object.keys(block.input).length > 0;
}

function mediaBlocks(block: ContentBlock): number {
  if (isMedia(block)) return 1;
  if (!isToolResult(block) || typeof block.content === 'string') return 0;
  return block.content.reduce((sum, part) => sum + mediaBlocks(part), 0);
}

function told(kind: OverheadKind, tokens: number | undefined): OverheadEstimate {
  return tokens === undefined ? { kind, basis: 'unknown', tokens: 0 } : { kind, basis: 'configured', tokens: Math.max(tokens, 0) };
}
