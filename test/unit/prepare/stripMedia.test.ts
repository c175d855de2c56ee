import assert from 'node:assert/strict';
import { prepareSummaryInput } from '../../../src/core/prepare/summaryInput';
import { stripMedia } from '../../../src/core/prepare/stripMedia';
import { text, withBlocks } from '../../support/transcripts';

const image = { type: 'image', mediaType: 'image/png' } as const;

describe('media in the input of a summarizer', () => {
  const stored = [
    withBlocks('user', [image, { type: 'document' }, { type: 'text', text: 't' }]),
    withBlocks('tool', [{ type: 'toolResult', toolUseId: 'x', content: [{ type: 'text', text: 'a' }, image], isError: true }]),
    withBlocks('assistant', [image]),
    text('user', 'data:image/png;base64,iVBORw0KGgo='),
  ];

  it('become markers in their places, also inside results, and everything else stays', () => {
    assert.deepEqual(
      stripMedia(stored).map(({ content }) => content),
      [
        [
          { type: 'text', text: '[image]' },
          { type: 'text', text: '[document]' },
          { type: 'text', text: 't' },
        ],
        [
          {
            type: 'toolResult',
            toolUseId: 'x',
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: '[image]' },
            ],
            isError: true,
          },
        ],
        [{ type: 'text', text: '[image]' }],
        stored[3]?.content,
      ],
    );
  });

  it('of the assistant may be left alone', () => {
    const stripped = stripMedia(stored, 'user');
    assert.strictEqual(stripped[2], stored[2]);
    assert.notDeepEqual(stripped[0], stored[0]);
  });

  it('are not touched where they are stored, and messages without any are passed on as they are', () => {
    const before = JSON.stringify(stored);
    assert.strictEqual(stripMedia(stored)[3], stored[3]);
    assert.equal(JSON.stringify(stored), before);
  });
});

describe('messages that a summarizer does not see', () => {
  it('are side chains, marks, and messages of nothing but thinking', () => {
    const seen = text('user', 'hi', { id: 'seen' });
    const prepared = prepareSummaryInput([
      text('assistant', 'sub step', { isSidechain: true }),
      text('system', 'mark', { kind: 'boundary' }),
      text('system', 'mark', { kind: 'microBoundary' }),
      withBlocks('assistant', [{ type: 'thinking', text: 'hm', signature: 's' }]),
      withBlocks('assistant', []),
      seen,
    ]);
    assert.deepEqual(prepared, [seen]);
  });
});
