import type { Message } from '../model/message';
import type { TokenCounter } from '../ports/tokenCounter';
import { StoredBlock } from '../model/storedBlock';
import { isHiddenThinking, visitBlock } from './blockText';

/**
 * What a message costs besides its text where nothing is known of the model, in tokens: message and block are the protocol overhead of seed 2,
 * and providers wrap calls and results in more. Claude models have costs of their own (generationCosts.ts).
 */
export const MESSAGE_OVERHEAD = { message: 4, block: 2, toolPart: 16 } as const;

/** Estimate of a picture or document of unknown size, in tokens (seed 2 EstimatedMediaTokensPerBlock). */
export const MEDIA_TOKENS_PER_BLOCK = 1600;

/** What of a message costs tokens, before any model is known: text by a real tokenizer and in UTF-16 units, and how many blocks there are. */
export interface ContentParts {
  readonly tokens: number;
  readonly chars: number;
  readonly messages: number;
  /** Blocks that are neither calls nor results. */
  readonly blocks: number;
  readonly calls: number;
  readonly results: number;
  /** Thinking blocks whose text is not stored: they cost something, and nothing tells how much. */
  readonly hiddenThinking: number;
  readonly media: number;
}

/** Prices of the parts in tokens of one model: text is `token` for each counted token and `char` for each UTF-16 unit. */
export interface ContentCost {
  readonly token: number;
  readonly char: number;
  readonly message: number;
  readonly block: number;
  readonly call: number;
  readonly result: number;
  readonly hiddenThinking: number;
}

/** Counts the parts of one message with a real tokenizer. Pictures and documents are counted, not sized. */
export function contentParts(message: Message, counter: TokenCounter): ContentParts {
  const parts = {
    tokens: 0,
    chars: 0,
    messages: 1,
    blocks: 0,
    calls: 0,
    results: 0,
    hiddenThinking: hiddenThinkingBlocks(message),
    media: 0,
  };
  for (const block of message.content) {
    if (block.type === 'toolUse') parts.calls += 1;
    else if (block.type === 'toolResult') parts.results += 1;
    else parts.blocks += 1;
    const noted = StoredBlock.countOf(block);
    const size = counter === ROUGH ? StoredBlock.sizeOf(block) : undefined;
    if (size !== undefined) {
      parts.tokens += size.bytes / ROUGH_BYTES_PER_TOKEN;
      parts.chars += size.bytes;
      parts.media += size.media;
      continue;
    }
    if (noted?.counter === counter.id) {
      parts.tokens += noted.tokens;
      parts.chars += noted.chars;
      parts.media += StoredBlock.sizeOf(block)?.media ?? 0;
      continue;
    }
    visitBlock(
      block,
      (text) => {
        if (text === '') return;
        parts.tokens += counter.count(text);
        parts.chars += text.length;
      },
      () => (parts.media += 1),
    );
  }
  return parts;
}

/** Bytes of UTF-8 a token, where no text is read: about what a tokenizer makes of code and prose. */
const ROUGH_BYTES_PER_TOKEN = 4;

/** The parts of a message by the length of its texts alone, where an exact count is still to come. Reads nothing from a file. */
export function roughParts(message: Message): ContentParts {
  return contentParts(message, ROUGH);
}

const ROUGH: TokenCounter = { id: 'length', count: (text) => text.length / ROUGH_BYTES_PER_TOKEN };

/** Number of thinking blocks whose text is not stored. */
export function hiddenThinkingBlocks(message: Message | undefined): number {
  return message?.content.filter((block) => block.type === 'thinking' && isHiddenThinking(block)).length ?? 0;
}

/** Tokens that parts cost a model, without pictures and documents; not rounded. */
export function contentTokens(parts: Omit<ContentParts, 'media'>, cost: ContentCost): number {
  return (
    parts.tokens * cost.token +
    parts.chars * cost.char +
    parts.messages * cost.message +
    parts.blocks * cost.block +
    parts.calls * cost.call +
    parts.results * cost.result +
    parts.hiddenThinking * cost.hiddenThinking
  );
}
