import assert from 'node:assert/strict';
import { isPromptTooLong } from '../../../src/core/compaction/promptTooLong';
import { CompactError } from '../../../src/core/errors/compactError';

describe('recognising that a prompt was too long', () => {
  const circular: { cause?: unknown } = {};
  circular.cause = circular;
  const table: readonly [name: string, error: unknown, expected: boolean][] = [
    ['our own code', new CompactError('promptTooLong'), true],
    ['the words of a message, in any case', new Error('400: Prompt is too long: 9 > 8'), true],
    ['a text that is no error', 'context_window_full', true],
    ['a type with spaces around it', { type: ' PROMPT_TOO_LONG ' }, true],
    ['a provider’s error record', { status: 400, error: { type: 'context_window_full' } }, true],
    ['a code of an OpenAI server', { code: 'context_length_exceeded' }, true],
    ['a cause of a cause', new Error('a', { cause: new Error('b', { cause: new Error('prompt_too_long') }) }), true],
    ['another error', new Error('overloaded'), false],
    ['another code of ours', new CompactError('api'), false],
    ['a circle of causes', circular, false],
    ['an inherited message', Object.create({ message: 'prompt is too long' }), false],
    ['nothing', undefined, false],
    ['a number', 413, false],
  ];
  for (const [name, error, expected] of table) it(name, () => assert.equal(isPromptTooLong(error), expected));
});
