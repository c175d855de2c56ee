import assert from 'node:assert/strict';
import { contextText } from '../../../src/core/view/contextText';
import { call, result, text, withBlocks } from '../../support/transcripts';

describe('a session as a text for people', () => {
  it('says who said what, with calls and results, and nothing of the file’s form', () => {
    const messages = [
      text('user', 'Look at a.ts.'),
      call('t1', 'Read', { file_path: 'a.ts' }),
      result('t1', 'export const a = 1;'),
      text('assistant', 'It exports a.'),
      text('user', 'An earlier part.', { kind: 'summary' }),
      text('system', '', { kind: 'boundary' }),
      withBlocks('user', [{ type: 'image', mediaType: 'image/png' }]),
    ];
    const shown = contextText({ messages, context: messages.map((_, index) => index) });
    assert.match(shown, /──── user ────\nLook at a\.ts\.\n/);
    assert.match(shown, /\[Read\] \{"file_path":"a\.ts"\}/);
    assert.match(shown, /\[result\] export const a = 1;/);
    assert.match(shown, /──── summary ────\nAn earlier part\./);
    assert.match(shown, /\[image\]/);
    assert.ok(!shown.includes('boundary'));
  });

  it('is the same for the same message, wherever it stands', () => {
    const kept = text('user', 'The same words.');
    const one = contextText({ messages: [text('user', 'x'), kept], context: [1] });
    assert.equal(contextText({ messages: [kept], context: [0] }), one);
  });

  it('has an end: long blocks are cut and the oldest messages left out, and both is said', () => {
    const long = text('user', `start ${'x'.repeat(100_000)} end`);
    const cut = contextText({ messages: [long], context: [0] });
    assert.ok(cut.length < 9_000);
    assert.match(cut, /92010 more characters are left out here/);
    const many = Array.from({ length: 2_000 }, (_, at) => text('user', `${at} ${'y'.repeat(7_000)}`));
    const shown = contextText({ messages: many, context: many.map((_, index) => index) });
    assert.ok(shown.length < 4_100_000);
    assert.match(shown, /^\(\d+ older messages are left out here\)\n/);
    assert.ok(shown.includes('1999 yyy') && !shown.includes('\n0 yyy'));
  });
});
