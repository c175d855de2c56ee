import assert from 'node:assert/strict';
import { isTurnStart, turnStarts } from '../../../src/core/cut/turns';
import type { Message } from '../../../src/core/model/message';
import { assistant, boundary, results, user } from '../../support/messages';

describe('turns', () => {
  const rows: readonly (readonly [string, Message, boolean])[] = [
    ['user text', user('q'), true],
    ['a picture alone', user('', { content: [{ type: 'image' }] }), true],
    ['a tool result', results('t'), false],
    ['a tool result with text beside it', { ...results('t'), content: [...results('t').content, { type: 'text', text: 'and' }] }, false],
    ['a summary', user('s', { kind: 'summary' }), false],
    ['what a program adds', user('m', { kind: 'meta' }), false],
    ['an attachment', user('m', { kind: 'attachment' }), false],
    ['an answer', assistant('a'), false],
    ['a boundary', boundary(), false],
  ];
  for (const [name, message, is] of rows) it(`${name}: ${is}`, () => assert.equal(isTurnStart(message), is));

  it('lists the starts', () => assert.deepEqual(turnStarts(rows.map(([, message]) => message)), [0, 1]));
});
