import assert from 'node:assert/strict';
import { CompactError } from '../../../src/core/errors/compactError';
import {
  exitCodeFor,
  isErrorCode,
  messageFor,
  refusalMessage,
  type ChannelErrorCode,
  type ErrorCode,
} from '../../../src/core/errors/messages';
import { ReadError } from '../../../src/core/errors/readError';
import { StoreError } from '../../../src/core/errors/storeError';
import { RpcError, type RpcErrorCode } from '../../../src/core/protocol/channel';

// Fails to compile when the channel gets a code that has no sentence, or loses one.
const SAME_CODES: { readonly [Code in RpcErrorCode]: Code extends ChannelErrorCode ? true : never } & {
  readonly [Code in ChannelErrorCode]: Code extends RpcErrorCode ? true : never;
} = { unknownRequest: true, badParams: true, failed: true, cancelled: true, disposed: true };

// Fails to compile when a code is missing.
const ALL_CODES: Readonly<Record<ErrorCode, true>> = {
  notEnoughMessages: true,
  damaged: true,
  aborted: true,
  incomplete: true,
  promptTooLong: true,
  api: true,
  noSummary: true,
  summarizerUnavailable: true,
  notSmaller: true,
  staleSource: true,
  invalidSummary: true,
  consentRequired: true,
  pendingToolCall: true,
  nothingToDo: true,
  breakerOpen: true,
  unknownMessage: true,
  notSupported: true,
  copyDiffers: true,
  notFound: true,
  denied: true,
  notAFile: true,
  empty: true,
  binary: true,
  tooLarge: true,
  unknownFormat: true,
  changedWhileReading: true,
  io: true,
  exists: true,
  unsafeName: true,
  link: true,
  noSpace: true,
  unknownRequest: true,
  badParams: true,
  failed: true,
  cancelled: true,
  disposed: true,
};
const CODES = Object.keys(ALL_CODES);
const INTERNAL = messageFor(undefined);

describe('sentences for errors', () => {
  it('gives each code one full sentence with a way out', () => {
    assert.equal(Object.keys(SAME_CODES).length, 5);
    for (const code of CODES) {
      const text = messageFor(code);
      assert.match(text, /^\p{Lu}[^.]+[,;] [^.]+\.$/u, code);
      assert.ok(text.length <= 160, `${code} is too long to read at a glance`);
      if (/[A-Z]/.test(code)) assert.ok(!text.includes(code), `${code} shows its internal name`);
    }
  });

  it('names the detail of a refusal where it has one', () => {
    assert.notEqual(refusalMessage({ code: 'unknownMessage', detail: 'notInContext' }), messageFor('unknownMessage'));
    assert.equal(refusalMessage({ code: 'unknownMessage', detail: 'no such detail' }), messageFor('unknownMessage'));
    assert.equal(messageFor(new CompactError('notEnoughMessages', 'allKept')), messageFor('notEnoughMessages', 'allKept'));
  });

  it('takes a sentence from the error itself, but never a technical text', () => {
    assert.equal(messageFor(new CompactError('api', 'The server said no; try again.')), 'The server said no; try again.');
    assert.equal(messageFor(new CompactError('staleSource', 'line 3 is not the record')), messageFor('staleSource'));
    assert.equal(messageFor(new CompactError('noSummary', '')), messageFor('noSummary'));
    assert.equal(messageFor(new ReadError('denied', 'EACCES: permission denied, open /home/x.')), messageFor('denied'));
    assert.equal(messageFor(new StoreError('io', 'EIO')), messageFor('io'));
  });

  it('understands errors that came over the channel', () => {
    assert.equal(messageFor(new RpcError('failed', 'notSmaller', 'notSmaller')), messageFor('notSmaller'));
    assert.equal(messageFor(new RpcError('failed', 'The key was refused; check it.', 'api')), 'The key was refused; check it.');
    assert.equal(messageFor(new RpcError('cancelled', 'compaction/run')), messageFor('cancelled'));
    assert.equal(messageFor(new RpcError('failed', 'Cannot read properties of undefined.')), INTERNAL);
  });

  it('shows nothing of what is not ours', () => {
    for (const odd of [new Error('secret sk-123.'), 'constructor', { code: '__proto__' }, null, 7, { code: 'ENOENT', message: 'x' }]) {
      assert.equal(messageFor(odd), INTERNAL);
      assert.equal(exitCodeFor(odd), 1);
    }
    assert.equal(isErrorCode('toString'), false);
    assert.equal(messageFor(new DOMException('x', 'AbortError')), messageFor('aborted'));
  });
});

describe('exit status', () => {
  const groups: Readonly<Record<1 | 2 | 3, readonly ErrorCode[]>> = {
    1: [
      'notFound',
      'denied',
      'empty',
      'binary',
      'unknownFormat',
      'api',
      'noSummary',
      'incomplete',
      'summarizerUnavailable',
      'aborted',
      'noSpace',
      'io',
    ],
    2: ['unknownMessage'],
    3: ['notEnoughMessages', 'notSmaller', 'nothingToDo', 'pendingToolCall', 'staleSource', 'exists', 'consentRequired', 'notSupported'],
  };
  it('is 1 for failures, 2 for wrong usage, 3 for refusals', () => {
    for (const [exit, codes] of Object.entries(groups)) for (const code of codes) assert.equal(exitCodeFor(code), Number(exit), code);
    assert.equal(exitCodeFor(new StoreError('exists')), 3);
  });

  it('is 3 for a message that the file holds but the context does not', () => {
    assert.equal(exitCodeFor(new CompactError('unknownMessage', 'notInContext')), 3);
    assert.equal(exitCodeFor({ outcome: 'refusal', code: 'unknownMessage', detail: 'notInContext' }), 3);
  });
});
