import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../src/core/model/message';
import type { TokenCounter } from '../../../src/core/ports/tokenCounter';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { measureMessages } from '../../../src/core/tokens/sizes';
import { user } from '../../support/messages';
import { transcriptOf } from '../../support/transcriptOf';

const PICTURE: ContentBlock = { type: 'image' };
const DOCUMENT: ContentBlock = { type: 'document' };
const nested: ContentBlock = { type: 'toolResult', toolUseId: 't', content: [PICTURE, { type: 'text', text: 'shot' }, DOCUMENT] };

function sizeOf(content: readonly ContentBlock[], counter: TokenCounter | undefined, mediaTokens?: number): number {
  const options = { ...(counter === undefined ? {} : { counter }), ...(mediaTokens === undefined ? {} : { mediaTokens }) };
  return measureMessages(transcriptOf([user('', { content })]), options).tokens[0] ?? -1;
}

describe('media in the sizes of a session', () => {
  const counters: readonly (readonly [string, TokenCounter | undefined])[] = [
    ['the bytes heuristic', undefined],
    ['a counter', BYTES_PER_FOUR],
  ];
  for (const [name, counter] of counters) {
    it(`cost a flat amount each by ${name}, which a setting can change`, () => {
      for (const [content, count] of [[[PICTURE], 1] as const, [[PICTURE, DOCUMENT], 2] as const, [[nested], 2] as const]) {
        const free = sizeOf(content, counter, 0);
        assert.equal(sizeOf(content, counter) - free, count * 1600);
        assert.equal(sizeOf(content, counter, 85) - free, count * 85);
      }
    });
  }
});
