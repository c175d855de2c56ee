import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Frame } from '../../../src/core/protocol/channel';
import {
  fitsWithin,
  guardedPort,
  MAX_MESSAGE_SIZE,
  MESSAGES_AT_ONCE,
  MESSAGES_PER_SECOND,
} from '../../../src/extension/panels/guardedPort';

interface Guarded {
  readonly post: (value: unknown) => void;
  readonly advance: (ms: number) => void;
  readonly heard: unknown[];
  readonly answers: Frame[];
}

function setUp(): Guarded {
  let time = 0;
  let page: (frame: unknown) => void = () => undefined;
  const answers: Frame[] = [];
  const heard: unknown[] = [];
  const port = guardedPort(
    {
      post: (frame) => void answers.push(frame),
      onFrame(listener) {
        page = listener;
        return { dispose: () => undefined };
      },
    },
    { now: () => time, sentence: (code) => code },
  );
  port.onFrame((frame) => void heard.push(frame));
  return { post: (value) => page(value), heard, answers, advance: (ms) => void (time += ms) };
}

const request = (id: number): Frame => ({ k: 'req', id, name: 'session/open', params: {} });

describe('guardedPort', () => {
  it('drops what is no frame, whatever it is, and never throws (P82)', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const { post, heard, answers } = setUp();
        post(value);
        return heard.length === 0 && answers.length === 0;
      }),
      { numRuns: 300 },
    );
    const { post, heard } = setUp();
    for (const value of [
      { type: 'runCommand', command: 'workbench.action.terminal.sendSequence', args: ['rm'] },
      { type: 'open', path: '../../../etc/passwd' },
      { type: 'compact', sessionId: '__proto__' },
      'x',
      null,
    ]) {
      post(value);
    }
    assert.deepEqual(heard, []);
  });

  it('lets a burst through, then a steady rate, and answers the rest', () => {
    const { post, heard, answers, advance } = setUp();
    for (let id = 1; id <= MESSAGES_AT_ONCE + 5; id++) post(request(id));
    assert.equal(heard.length, MESSAGES_AT_ONCE);
    assert.equal(answers.length, 5);
    assert.deepEqual(answers[0], {
      k: 'err',
      id: MESSAGES_AT_ONCE + 1,
      code: 'failed',
      message: 'tooManyRequests',
      inner: 'tooManyRequests',
    });
    advance(1000);
    for (let id = 1000; id < 1000 + MESSAGES_PER_SECOND + 3; id++) post(request(id));
    assert.equal(heard.length, MESSAGES_AT_ONCE + MESSAGES_PER_SECOND);
  });

  it('always lets a cancellation through', () => {
    const { post, heard } = setUp();
    for (let id = 1; id <= MESSAGES_AT_ONCE; id++) post(request(id));
    post({ k: 'cancel', id: 7 });
    assert.deepEqual(heard.at(-1), { k: 'cancel', id: 7 });
  });

  it('refuses a message over one MiB', () => {
    const { post, heard, answers } = setUp();
    post({ k: 'req', id: 1, name: 'session/open', params: { text: 'x'.repeat(MAX_MESSAGE_SIZE) } });
    assert.equal(heard.length, 0);
    assert.deepEqual(answers, [{ k: 'err', id: 1, code: 'failed', message: 'messageTooLarge', inner: 'messageTooLarge' }]);
  });
});

describe('fitsWithin', () => {
  it('counts keys, text and values', () => {
    // 8 for the record, 1 + 3 for the pair.
    assert.ok(fitsWithin({ a: 'xyz' }, 12));
    assert.ok(!fitsWithin({ a: 'xyz' }, 11));
  });

  it('refuses endless nesting', () => {
    const loop: { next?: unknown } = {};
    loop.next = loop;
    assert.ok(!fitsWithin(loop, Number.MAX_SAFE_INTEGER));
  });
});
