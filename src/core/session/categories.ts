import { assertNever } from '../util/assertNever';
import type { Category } from '../model/category';
import { utf8Length } from '../util/text';
import type { ContentBlock, Message } from '../model/message';
import { StoredBlock } from '../model/storedBlock';
import { visitBlock } from '../tokens/blockText';

/** A share of a message's tokens. */
export interface CategoryShare {
  readonly category: Category;
  readonly tokens: number;
}

/**
 * Splits the tokens of one message over the categories of its blocks, by the bytes of each block (media by `mediaTokens` each). The shares
 * are whole numbers and add up to `tokens`; the first of them is the largest.
 */
export function categoryShares(message: Message, tokens: number, mediaTokens: number): readonly CategoryShare[] {
  const weights = new Map<Category, number>();
  const add = (category: Category, weight: number): void => void weights.set(category, (weights.get(category) ?? 0) + weight);
  for (const block of message.content) weigh(message, block, mediaTokens, add);
  if (weights.size === 0) add(plainCategory(message), 1);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const sorted = [...weights].sort((a, b) => b[1] - a[1]);
  let left = tokens;
  const shares = sorted.map(([category, weight]) => {
    const part = total === 0 ? 0 : Math.floor((tokens * weight) / total);
    left -= part;
    return { category, tokens: part };
  });
  const [first, ...rest] = shares;
  return first === undefined ? [] : [{ category: first.category, tokens: first.tokens + left }, ...rest];
}

/** Category that a message mostly belongs to. */
export function mainCategory(message: Message, mediaTokens: number): Category {
  return categoryShares(message, 1, mediaTokens)[0]?.category ?? plainCategory(message);
}

const BYTES_PER_TOKEN = 3.5;

function weigh(message: Message, block: ContentBlock, mediaTokens: number, add: (category: Category, weight: number) => void): void {
  const category = blockCategory(message, block);
  const stored = StoredBlock.sizeOf(block);
  if (stored !== undefined) {
    add(category, stored.bytes);
    if (stored.media > 0) add('images', stored.media * mediaTokens * BYTES_PER_TOKEN);
    return;
  }
  visitBlock(
    block,
    (text) => add(category, utf8Length(text)),
    () => add('images', mediaTokens * BYTES_PER_TOKEN),
  );
}

function blockCategory(message: Message, block: ContentBlock): Category {
  if (block.type === 'thinking') return 'thinking';
  if (block.type === 'toolUse') return 'assistant';
  if (block.type === 'toolResult') return 'toolResults';
  if (block.type === 'toolReference') return 'tools';
  return plainCategory(message);
}

function plainCategory(message: Message): Category {
  if (message.kind === 'summary') return 'summary';
  if (message.kind === 'attachment' || message.kind === 'meta') return message.role === 'developer' ? 'systemPrompt' : 'memory';
  switch (message.role) {
    case 'system':
    case 'developer':
      return 'systemPrompt';
    case 'assistant':
      return 'assistant';
    case 'tool':
      return 'toolResults';
    case 'user':
      return 'user';
    default:
      return assertNever(message.role);
  }
}
