import type { ContentBlock } from '../../model/message';
import { arrayOf, field, isRecord, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { MAX_BLOCKS, textBlock } from './anthropicBlocks';

/** What the model got of a tool's result: text parts, pictures, and the text of rendered trees. */
export function toolContent(result: JsonRecord): string | readonly ContentBlock[] {
  const parts = (arrayOf(result, 'content') ?? []).slice(0, MAX_BLOCKS);
  const blocks = parts.map(partBlock);
  const [first] = blocks;
  return blocks.length === 1 && first?.type === 'text' ? first.text : blocks;
}

function partBlock(part: unknown): ContentBlock {
  if (typeof part === 'string') return textBlock(part);
  if (!isRecord(part)) return textBlock(JSON.stringify(part ?? null));
  const mimeType = stringOf(part, 'mimeType') ?? '';
  if (mimeType.startsWith('image/')) return { type: 'image', mediaType: mimeType };
  const value = field(part, 'value');
  return textBlock(typeof value === 'string' ? value : treeText(value ?? part));
}

/** Texts of a rendered tree in its order, joined: its lines hold their own line ends. */
function treeText(tree: unknown): string {
  const texts: string[] = [];
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const node = open.pop();
    if (Array.isArray(node)) for (const child of node.toReversed()) open.push(child);
    if (!isRecord(node)) continue;
    const text = stringOf(node, 'text');
    if (text !== undefined) texts.push(text);
    open.push(field(node, 'children'), field(node, 'node'));
  }
  return toWellFormed(texts.join(''));
}
