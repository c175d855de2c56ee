// The six categories of errors: each has a code, a sentence of its own, and is what a caller gets on every way to a compaction.
import assert from 'node:assert/strict';
import { autoCompact, INITIAL_AUTO_STATE } from '../../../src/core/compaction/auto';
import { createCompactor } from '../../../src/core/compaction/compact';
import { reactiveCompact } from '../../../src/core/compaction/reactive';
import { CompactError, hasUserMessage, isCompactError, type CompactErrorCode } from '../../../src/core/errors/compactError';
import { exitCodeFor, messageFor } from '../../../src/core/errors/messages';
import type { Message } from '../../../src/core/model/message';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { answering, plainMessages, type StubAnswer } from '../../support/stubCompactor';

const SIGNAL = new AbortController().signal;
const MESSAGES = plainMessages(8);

interface Category {
  readonly code: CompactErrorCode;
  /** Words that only this sentence has. */
  readonly sentence: RegExp;
  /** A person's own doing can end it (seed 2, HasUserErrorCategory). */
  readonly isUsers: boolean;
  readonly exit: 1 | 2 | 3;
  readonly answer: StubAnswer;
  readonly messages: readonly Message[];
}

const CATEGORIES: readonly Category[] = [
  { code: 'notEnoughMessages', sentence: /too few messages/, isUsers: true, exit: 3, answer: 'Goal.', messages: [] },
  {
    code: 'aborted',
    sentence: /was cancelled/,
    isUsers: true,
    exit: 1,
    answer: Object.assign(new Error('x'), { name: 'AbortError' }),
    messages: MESSAGES,
  },
  { code: 'incomplete', sentence: /broke off/, isUsers: true, exit: 1, answer: new CompactError('incomplete'), messages: MESSAGES },
  {
    code: 'promptTooLong',
    sentence: /too long for this model/,
    isUsers: true,
    exit: 1,
    answer: Object.assign(new Error('400'), { type: 'prompt_too_long' }),
    messages: MESSAGES,
  },
  { code: 'noSummary', sentence: /no usable summary/, isUsers: true, exit: 1, answer: ' \n', messages: MESSAGES },
  { code: 'api', sentence: /server reported an error/, isUsers: false, exit: 1, answer: 'API Error: 529', messages: MESSAGES },
];

describe('the six categories of errors', () => {
  it('have a sentence each, and no two the same', () => {
    const sentences = CATEGORIES.map(({ code }) => messageFor(new CompactError(code)));
    assert.equal(new Set(sentences).size, 6);
    for (const { code, sentence } of CATEGORIES) {
      assert.deepEqual(
        CATEGORIES.filter((other) => sentence.test(messageFor(other.code))).map((other) => other.code),
        [code],
      );
      assert.equal(messageFor(new CompactError(code)), messageFor(code));
    }
  });

  for (const { code, isUsers, exit, answer, messages } of CATEGORIES) {
    it(`${code}: has its code on every way, and is known again`, async () => {
      const compactor = createCompactor({ summarizer: answering(answer).summarizer, counter: BYTES_PER_FOUR }, { keepMessages: 2 });
      const estimate = { knownTotal: 5000, complete: true };
      const base = { messages, compactor, counter: BYTES_PER_FOUR, estimate, signal: SIGNAL };
      const full: unknown = await compactor.compact(messages, { signal: SIGNAL }).catch((error: unknown) => error);
      const part: unknown = await compactor
        .compactPart(messages, { pivot: 4, direction: 'from', signal: SIGNAL })
        .catch((error: unknown) => error);
      const auto = await autoCompact({ ...base, state: INITIAL_AUTO_STATE, enabled: true, threshold: 1000 });
      const reactive = await reactiveCompact({ ...base, hasAttempted: false });
      assert.ok(auto.outcome === 'failed' && reactive.outcome === 'failed');
      for (const error of [full, part, auto.error, reactive.error]) {
        assert.ok(isCompactError(error, code), String(error));
        assert.deepEqual(
          CATEGORIES.filter((other) => isCompactError(error, other.code)).map((other) => other.code),
          [code],
        );
        assert.equal(hasUserMessage(error), isUsers);
        assert.equal(exitCodeFor(error), exit);
      }
    });
  }
});
