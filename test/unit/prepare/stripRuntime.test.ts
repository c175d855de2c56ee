import assert from 'node:assert/strict';
import type { ContentBlock, Message } from '../../../src/core/model/message';
import {
  isReinjectedAttachment,
  stripProviderPrivate,
  stripReinjected,
  stripReplacementRecords,
} from '../../../src/core/prepare/stripRuntime';
import { assistant, user } from '../../support/messages';

function odd(originalType: string): ContentBlock {
  return { type: 'unknown', originalType, raw: '{}' };
}

const TEXT: ContentBlock = { type: 'text', text: 'said' };
const REMINDER: Message = { ...user('plan'), id: 'compact:reminder:v1:plan', kind: 'attachment' };

describe('views without runtime blocks', () => {
  it('lose broken calls, and messages that were nothing else', () => {
    const other = assistant([TEXT, odd('server_thing')]);
    const view = stripProviderPrivate([assistant([odd('invalid_tool_use')]), assistant([TEXT, odd('invalid_tool_use')]), other]);
    assert.deepEqual(
      view.map(({ content }) => content),
      [[TEXT], other.content],
    );
    assert.equal(view[1], other);
  });

  it('lose replacement records alone', () => {
    const messages = [user('', { content: [TEXT, odd('content_replacement')] }), assistant([odd('invalid_tool_use')])];
    assert.deepEqual(
      stripReplacementRecords(messages).map(({ content }) => content),
      [[TEXT], [odd('invalid_tool_use')]],
    );
  });

  it('lose reminders of ours, and not what looks like one', () => {
    const ours = (message: Message): boolean => message === REMINDER;
    const forged = { ...REMINDER };
    const typed: Message = { ...REMINDER, kind: 'message' };
    assert.deepEqual(stripReinjected([REMINDER, forged, typed], ours), [forged, typed]);
    assert.equal(
      isReinjectedAttachment({ ...REMINDER, id: 'other' }, () => true),
      false,
    );
    assert.equal(
      isReinjectedAttachment(typed, () => true),
      false,
    );
  });
});
