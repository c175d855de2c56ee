import type { Message } from '../../model/message';
import { visitBlock } from '../../tokens/blockText';
import { utf8Length } from '../../util/text';

/** Bytes of UTF-8 a token, over the code and prose of coding sessions; a rough figure that errs on the side of more tokens. */
export const BYTES_PER_TOKEN = 3.5;

/** Tokens of a text by its length alone. */
export function roughTokens(text: string): number {
  return Math.ceil(utf8Length(text) / BYTES_PER_TOKEN);
}

/** Tokens of all text in the messages; media and the agent's thinking count nothing, so the figure is a lower one. */
export function zoneTokens(messages: readonly Message[], estimate: (text: string) => number = roughTokens): number {
  let tokens = 0;
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type !== 'thinking') visitBlock(block, (text) => (tokens += estimate(text)), ignoreMedia);
    }
  }
  return tokens;
}

function ignoreMedia(): void {
  // A picture has no text; what it costs differs by provider.
}
