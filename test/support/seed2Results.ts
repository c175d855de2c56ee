// Tool results of seed 2's vectors, with what its program keeps beside them, and the way back into the form of the vectors.
import type { ContentBlock, Message, ToolOutcome, ToolResultBlock } from '../../src/core/model/message';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../src/core/util/json';
import { neutralBlock } from './neutral';
import { seed2Messages } from './seed2Messages';

/** Translates the messages of a vector; results keep outcome, metadata, proof and the text beside their blocks. */
export function seed2MessagesWithOutcomes(list: readonly unknown[]): readonly Message[] {
  return seed2Messages(list).map((message, index) => {
    const raw = list[index];
    const blocks = isRecord(raw) ? (arrayOf(raw, 'content') ?? []) : [];
    return {
      ...message,
      content: message.content.map((block, at) => (block.type === 'toolResult' ? withBesides(block, blocks[at]) : block)),
    };
  });
}

/** Translates one tool result of a vector. */
export function seed2Result(raw: unknown): ToolResultBlock {
  const block = neutralBlock(raw);
  if (block.type !== 'toolResult') throw new Error('the vector holds no tool result');
  return withBesides(block, raw);
}

/** Metadata of a vector; undefined for null. */
export function seed2Metadata(value: unknown): ReadonlyMap<string, string> | undefined {
  if (!isRecord(value)) return undefined;
  return new Map(Object.entries(value).map(([key, item]) => [key, String(item)]));
}

/** Messages in the form of the vectors, where absent is left out and the proof of a result is not shown. */
export function toSeed2Messages(messages: readonly Message[]): readonly JsonRecord[] {
  return messages.map(({ role, messageId, content }) => ({
    ...(messageId === undefined ? {} : { id: messageId }),
    role,
    content: content.map(toSeed2Block),
  }));
}

/** A block in the form of the vectors. */
export function toSeed2Block(block: ContentBlock): JsonRecord {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', text: block.text };
    case 'toolUse':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
    case 'toolResult':
      return toSeed2Result(block);
    case 'toolReference':
      return { type: 'tool_reference', name: block.name };
    case 'unknown':
      return { type: block.originalType, raw: block.raw };
    default:
      return { type: block.type };
  }
}

function toSeed2Result({ toolUseId, content, plainText, isError, outcome }: ToolResultBlock): JsonRecord {
  const text = typeof content === 'string' ? content : plainText;
  return {
    type: 'tool_result',
    ...(toolUseId === '' ? {} : { tool_use_id: toolUseId }),
    ...(text === undefined || text === '' ? {} : { content: text }),
    ...(typeof content === 'string' ? {} : { content_blocks: content.map(toSeed2Block) }),
    ...(isError === true ? { is_error: true } : {}),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

const OUTCOMES: ReadonlySet<string> = new Set<ToolOutcome>(['succeeded', 'failed', 'partial', 'denied', 'cancelled', 'timed_out']);

/** True for a word that is an outcome. */
export function isOutcome(word: string | undefined): word is ToolOutcome {
  return word !== undefined && OUTCOMES.has(word);
}

function withBesides(block: ToolResultBlock, raw: unknown): ToolResultBlock {
  if (!isRecord(raw)) return block;
  const outcome = stringOf(raw, 'outcome');
  const metadata = seed2Metadata(field(raw, 'metadata'));
  const proof = recordOf(raw, 'proof');
  const plainText = typeof block.content === 'string' ? undefined : stringOf(raw, 'content');
  return {
    ...block,
    ...(isOutcome(outcome) ? { outcome } : {}),
    ...(metadata === undefined ? {} : { metadata }),
    ...(proof === undefined ? {} : { proof }),
    ...(plainText === undefined ? {} : { plainText }),
  };
}
