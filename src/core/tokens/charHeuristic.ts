import type { Message } from '../model/message';
import { utf8Length } from '../util/text';
import { StoredBlock } from '../model/storedBlock';
import { isHiddenThinking, visitBlock } from './blockText';

/** Constants of the bytes heuristic (seed 0). The quotient is low on purpose: it rather over- than underestimates. */
export const HEURISTIC = {
  bytesPerToken: 3.5,
  tokensPerMessage: 5,
  tokensPerAttachment: 1500,
} as const;

/**
 * Size of a message by its UTF-8 bytes: trunc(bytes / 3.5) + a flat amount for each picture or document + 5 (seed 0, 0.3). Counts text,
 * thinking, names and arguments of tool calls, and tool results; ids, roles, types and base64 data cost nothing. An empty message costs 5.
 */
export function heuristicTokens(message: Message, mediaTokens: number = HEURISTIC.tokensPerAttachment): number {
  const { bytes, media } = messageBytes(message);
  return Math.trunc(bytes / HEURISTIC.bytesPerToken) + mediaTokens * media + HEURISTIC.tokensPerMessage;
}

/** UTF-8 bytes of all text of a message, about where it stays in its file, and the number of its pictures and documents. */
export function messageBytes(message: Message): { readonly bytes: number; readonly media: number } {
  let bytes = 0;
  let media = 0;
  for (const block of message.content) {
    const stored = StoredBlock.sizeOf(block);
    if (stored !== undefined) {
      bytes += stored.bytes;
      media += stored.media;
      continue;
    }
    visitBlock(
      block,
      (text) => (bytes += utf8Length(text)),
      () => (media += 1),
    );
  }
  return { bytes, media };
}

/**
 * Size of a message that its provider reported: output tokens without reasoning that is not stored (it is not sent again), plus the
 * message overhead (seed 0, 0.4). Undefined without usage, or when nothing positive is left.
 */
export function reportedTokens(message: Message): number | undefined {
  const { usage } = message;
  if (usage === undefined) return undefined;
  const output = usage.outputTokens - (storesThinking(message) ? 0 : (usage.reasoningTokens ?? 0));
  return output > 0 && Number.isFinite(output) ? output + HEURISTIC.tokensPerMessage : undefined;
}

/** Size of a message without calibration: what was reported for it, else the heuristic (seed 0 EstimateMessageTokens). */
export function estimateMessageTokens(message: Message): number {
  return reportedTokens(message) ?? heuristicTokens(message);
}

function storesThinking(message: Message): boolean {
  return message.content.some((block) => block.type === 'thinking' && !isHiddenThinking(block));
}
