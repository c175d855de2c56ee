import type { ContentBlock, Message } from '../model/message';
import { isRecord } from '../util/json';
import { maskSecrets, type FoundSecret } from './maskSecrets';

export interface MessageSecret extends FoundSecret {
  readonly messageId: string;
}

export interface MaskedMessages {
  readonly messages: readonly Message[];
  /** In the order of the messages. Places count in the text in which each stands. */
  readonly secrets: readonly MessageSecret[];
}

/** Masks the secrets in everything that messages say, call and get back. Thinking with its signature is left as it is. Messages without any are passed on. */
export function maskMessages(messages: readonly Message[]): MaskedMessages {
  const secrets: MessageSecret[] = [];
  const masked = messages.map((message) => {
    const before = secrets.length;
    const mask = (text: string): string => {
      const found = maskSecrets(text);
      for (const secret of found.secrets) secrets.push({ ...secret, messageId: message.id });
      return found.text;
    };
    const content = message.content.map((block) => maskBlock(block, mask));
    return secrets.length === before ? message : { ...message, content };
  });
  return { messages: masked, secrets };
}

type Mask = (text: string) => string;

function maskBlock(block: ContentBlock, mask: Mask): ContentBlock {
  switch (block.type) {
    case 'text':
      return { ...block, text: mask(block.text) };
    case 'toolUse':
      // Both spellings of the arguments say the same; a secret in them counts once.
      return block.rawInput === undefined
        ? { ...block, input: maskValue(block.input, mask) }
        : { ...block, rawInput: mask(block.rawInput), input: maskValue(block.input, (text) => maskSecrets(text).text) };
    case 'toolResult':
      return {
        ...block,
        content: typeof block.content === 'string' ? mask(block.content) : block.content.map((part) => maskBlock(part, mask)),
        ...(block.plainText === undefined ? {} : { plainText: maskSecrets(block.plainText).text }),
      };
    case 'unknown':
      return { ...block, raw: mask(block.raw) };
    case 'thinking':
    case 'image':
    case 'document':
    case 'toolReference':
      return block;
  }
}

/** Strings of a value at any depth. A name and its value are looked at together, since the name may tell what the value is. */
function maskValue(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((one) => maskValue(one, mask));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, typeof one === 'string' ? maskNamed(key, one, mask) : maskValue(one, mask)]),
  );
}

function maskNamed(key: string, value: string, mask: Mask): string {
  const own = mask(value);
  if (own !== value || value.length > LONGEST_NAMED || /\s/.test(value)) return own;
  const head = `${key}="`;
  const named = mask(`${head}${value}"`);
  return named.startsWith(head) && named.endsWith('"') ? named.slice(head.length, -1) : own;
}

/** Longer values are contents. */
const LONGEST_NAMED = 1000;
