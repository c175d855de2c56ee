import type { Message } from '../model/message';
import type { TokenCounter } from '../ports/tokenCounter';
import { visitBlock } from './blockText';

/**
 * What a message costs besides its text, in tokens. Message and block are the protocol overhead of seed 2; a call and a result cost more,
 * since the provider wraps them: the value is the one with the least error over turns of public Claude Code sessions, old and new models.
 */
export const MESSAGE_OVERHEAD = { message: 4, block: 2, toolPart: 16 } as const;

/** Estimate of a picture or document of unknown size, in tokens (seed 2 EstimatedMediaTokensPerBlock). */
export const MEDIA_TOKENS_PER_BLOCK = 1600;

/** Size of a message by a real tokenizer: the exact count of each text, a flat amount for each picture or document, and overheads. */
export function countedTokens(message: Message, counter: TokenCounter, mediaTokens: number = MEDIA_TOKENS_PER_BLOCK): number {
  const { tokens, media } = countedParts(message, counter);
  return tokens + media * mediaTokens;
}

/** The two parts of `countedTokens`, so that a change of the media estimate needs no new count. */
export function countedParts(message: Message, counter: TokenCounter): { readonly tokens: number; readonly media: number } {
  let tokens: number = MESSAGE_OVERHEAD.message;
  let media = 0;
  for (const block of message.content) {
    tokens += MESSAGE_OVERHEAD.block;
    if (block.type === 'toolUse' || block.type === 'toolResult') tokens += MESSAGE_OVERHEAD.toolPart;
    visitBlock(
      block,
      (text) => (tokens += text === '' ? 0 : counter.count(text)),
      () => (media += 1),
    );
  }
  return { tokens, media };
}
