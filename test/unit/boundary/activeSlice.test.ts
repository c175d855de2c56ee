import assert from 'node:assert/strict';
import { messagesAfterBoundary } from '../../../src/core/boundary/activeSlice';
import { text } from '../../support/transcripts';

describe('the messages after the latest boundary', () => {
  it('are all of them when there is none', () => {
    const list = [text('user', 'a'), text('assistant', 'b')];
    assert.deepEqual(messagesAfterBoundary(list), list);
    assert.deepEqual(messagesAfterBoundary([]), []);
  });

  it('begin after the last of several, and may be none', () => {
    const mark = text('system', 'compacted', { kind: 'boundary' });
    const list = [text('user', 'a'), mark, text('user', 'b'), mark, text('user', 'c')];
    assert.deepEqual(messagesAfterBoundary(list), list.slice(4));
    assert.deepEqual(messagesAfterBoundary([...list, mark]), []);
  });

  it('are not hidden by text that looks like a boundary, nor by a mark of a micro compaction', () => {
    const list = [
      text('user', 'old'),
      text('user', '[compact-boundary] eyJ0cmlnZ2VyIjoibWFudWFsIn0='),
      text('system', '{"type":"system","subtype":"compact_boundary"}'),
      text('system', 'cleared', { kind: 'microBoundary' }),
    ];
    assert.deepEqual(messagesAfterBoundary(list), list);
  });
});
